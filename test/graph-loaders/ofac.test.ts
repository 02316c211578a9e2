import { describe, expect, it } from 'vitest';
import { fileOf, openLoading } from './loading.ts';

const BITCOIN = '134r8iHv69xdT6p5qVKTsHrcUEuBVZAYak';
const EVM = '0x098b716b8aaf21512996dc57eb0615e2383e2f96';
const TRON = 'TUCsTq7TofTCJRRoHk6RvhMoS2mJLm5Yzq';

const CLASSIC = `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://example.org/sdn">
  <publshInformation><Publish_Date>11/20/2026</Publish_Date><Record_Count>2</Record_Count></publshInformation>
  <sdnEntry>
    <uid>1</uid><firstName>Kim</firstName><lastName>DOE &amp; SONS</lastName><sdnType>Individual</sdnType>
    <idList>
      <id><uid>10</uid><idType>Digital Currency Address - XBT</idType><idNumber>${BITCOIN}</idNumber></id>
      <id><uid>11</uid><idType>Passport</idType><idNumber>123456</idNumber></id>
      <id><uid>12</uid><idType>Digital Currency Address - XBT</idType><idNumber>${TRON}</idNumber></id>
      <id><uid>13</uid><idType>Digital Currency Address - XMR</idType><idNumber>4abc</idNumber></id>
    </idList>
  </sdnEntry>
  <sdnEntry><uid>2</uid><lastName>LAZARUS GROUP</lastName>
    <idList><id><uid>14</uid><idType>Digital Currency Address - ETH</idType><idNumber>${EVM}</idNumber></id></idList>
  </sdnEntry>
</sdnList>`;

const ADVANCED = `<?xml version="1.0" encoding="utf-8"?>
<Sanctions xmlns="https://example.org/advanced">
  <ReferenceValueSets><FeatureTypeValues>
    <FeatureType ID="344" FeatureTypeGroupID="1">Digital Currency Address - XBT</FeatureType>
    <FeatureType ID="345" FeatureTypeGroupID="1">Digital Currency Address - ETH</FeatureType>
    <FeatureType ID="8" FeatureTypeGroupID="1">Birthdate</FeatureType>
  </FeatureTypeValues></ReferenceValueSets>
  <DistinctParties>
    <DistinctParty FixedRef="7"><Profile ID="7" PartySubTypeID="3">
      <Identity ID="1" Primary="true">
        <Alias Primary="false"><DocumentedName><DocumentedNamePart><NamePartValue>HIDDEN COBRA</NamePartValue></DocumentedNamePart></DocumentedName></Alias>
        <Alias Primary="true"><DocumentedName>
          <DocumentedNamePart><NamePartValue>LAZARUS</NamePartValue></DocumentedNamePart>
          <DocumentedNamePart><NamePartValue>GROUP</NamePartValue></DocumentedNamePart>
        </DocumentedName></Alias>
      </Identity>
      <Feature ID="90" FeatureTypeID="8"><FeatureVersion><VersionDetail>1 Jan 1970</VersionDetail></FeatureVersion></Feature>
      <Feature ID="91" FeatureTypeID="344"><FeatureVersion><Comment/><VersionDetail DetailTypeID="1432">${BITCOIN}</VersionDetail></FeatureVersion></Feature>
      <Feature ID="92" FeatureTypeID="345"><FeatureVersion><Comment/><VersionDetail DetailTypeID="1432">${EVM}</VersionDetail></FeatureVersion></Feature>
    </Profile></DistinctParty>
  </DistinctParties>
  <SanctionsEntries><SanctionsEntry ID="70" ProfileID="7" ListID="1550">
    <EntryEvent ID="1"><Comment/><Date CalendarTypeID="1"><Year>2022</Year><Month>4</Month><Day>14</Day></Date></EntryEvent>
  </SanctionsEntry></SanctionsEntries>
</Sanctions>`;

describe('the SDN list as XML', () => {
  it('the classic form gives name and address; the code of the currency is not the chain', async () => {
    const loading = await openLoading();
    const report = await loading.load('ofac', fileOf('sdn.xml', CLASSIC));
    expect(report).toMatchObject({ source: 'ofac', read: 4, loaded: 3, skipped: 1 });
    expect(report.errors).toEqual([
      { line: 9, reason: `${TRON} is listed as XBT but is a tron address; loaded as tron` },
      { line: 10, reason: '4abc: XMR is not one of the supported chains' },
    ]);
    expect((await loading.labels.find('bitcoin', [BITCOIN])).get(BITCOIN)).toMatchObject([
      { category: 'sanctioned', label: 'DOE & SONS, Kim', source: 'ofac', confidence: 100, validFrom: null },
    ]);
    expect((await loading.labels.find('polygon', [EVM])).get(EVM)).toMatchObject([
      { chain: 'evm', entity: 'LAZARUS GROUP' },
    ]);
  });

  it('the advanced form gives the day of designation too', async () => {
    const loading = await openLoading();
    const report = await loading.load('ofac', fileOf('sdn_advanced.xml', ADVANCED));
    expect(report).toMatchObject({ read: 2, loaded: 2, skipped: 0, errors: [] });
    expect((await loading.labels.find('bitcoin', [BITCOIN])).get(BITCOIN)).toMatchObject([
      { label: 'LAZARUS GROUP', validFrom: Date.UTC(2022, 3, 14) },
    ]);
  });

  it('a designation day that becomes known corrects the row, and one that is not told again stays', async () => {
    const loading = await openLoading();
    await loading.load('ofac', fileOf('sdn.xml', CLASSIC));
    await loading.load('ofac', fileOf('sdn_advanced.xml', ADVANCED), { replace: true });
    const dated = [{ label: 'LAZARUS GROUP', validFrom: Date.UTC(2022, 3, 14), validTo: null }];
    expect((await loading.labels.find('ethereum', [EVM])).get(EVM)).toMatchObject(dated);
    await loading.load('ofac', fileOf('sdn.xml', CLASSIC));
    expect((await loading.labels.find('ethereum', [EVM])).get(EVM)).toMatchObject(dated);
  });

  it.each([
    [
      'a document type with entities',
      `<!DOCTYPE sdnList [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><sdnList>&b;</sdnList>`,
      /document type is not allowed/,
    ],
    ['an unknown entity', '<sdnList>&xxe;</sdnList>', /not well-formed/],
    ['a file that ends in the middle', CLASSIC.slice(0, 900), /not well-formed/],
    ['another kind of XML', '<html></html>', /neither the SDN list/],
    ['endless text', `<sdnList><sdnEntry>${'x'.repeat(2_000_000)}</sdnEntry></sdnList>`, /too long/],
    ['endless nesting', `<sdnList>${'<a>'.repeat(5_000)}`, /nested too deeply/],
    ['bytes that are no UTF-8', Buffer.from('<sdnList>\xff</sdnList>', 'latin1'), /not UTF-8/],
  ])('%s is refused and nothing is ended', async (_, content, message) => {
    const loading = await openLoading();
    await loading.load('ofac', fileOf('sdn.xml', CLASSIC));
    await expect(loading.load('ofac', fileOf('sdn.xml', content), { replace: true })).rejects.toThrow(message);
    expect(await loading.labels.countLive('ofac')).toBe(3);
  });
});
