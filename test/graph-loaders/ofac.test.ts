import { describe, expect, it } from 'vitest';
import { fileOf, folderOf, openLoading, START } from './loading.ts';
import { advanced, BITCOIN, CLASSIC, ENTITY, EVM, feature, LITECOIN, OTHER_EVM, PERSON, TRON } from './sdn-lists.ts';

const DESIGNATED = Date.UTC(2022, 3, 14);

describe('the SDN list as XML', () => {
  it('the classic form gives name and address; the code of the currency is not the chain', async () => {
    const loading = await openLoading();
    const report = await loading.load('ofac', fileOf('SDN.XML', CLASSIC));
    expect(report).toMatchObject({ source: 'ofac', read: 4, loaded: 3, skipped: 1 });
    expect(report.errors.map((error) => error.reason)).toEqual([
      `${TRON} is listed as XBT but is a tron address; loaded as tron`,
      `${LITECOIN}: LTC is not one of the supported chains`,
    ]);
    expect((await loading.labels.find('bitcoin', [BITCOIN])).get(BITCOIN)).toMatchObject([
      { category: 'sanctioned', label: 'EXAMPLE & TEST, Person One', source: 'ofac', confidence: 100, validFrom: null },
    ]);
    expect((await loading.labels.find('polygon', [EVM])).get(EVM)).toMatchObject([
      { chain: 'evm', entity: 'EXAMPLE ENTITY TWO' },
    ]);
  });

  it('the advanced form gives the same parties under the same names, and the first day on the SDN list', async () => {
    const loading = await openLoading();
    const classic = await loading.load('ofac', fileOf('SDN.XML', CLASSIC));
    const later = await loading.load('ofac', fileOf('SDN_ADVANCED.XML', advanced([PERSON, ENTITY])));
    expect(later).toMatchObject({ read: classic.read, loaded: classic.loaded, skipped: classic.skipped });
    expect(later.errors.map((error) => error.reason)).toEqual(classic.errors.map((error) => error.reason));
    const rows = await loading.records.selectFrom('labels').select(['address', 'label', 'valid_to']).execute();
    expect(rows.map((row) => [row.address, row.label, row.valid_to]).sort()).toEqual(
      [
        [BITCOIN, 'EXAMPLE & TEST, Person One', null],
        [TRON, 'EXAMPLE & TEST, Person One', null],
        [EVM, 'EXAMPLE ENTITY TWO', null],
      ].sort(),
    );
    expect((await loading.labels.find('bitcoin', [BITCOIN])).get(BITCOIN)).toMatchObject([{ validFrom: DESIGNATED }]);
    // Its entry has no day.
    expect((await loading.labels.find('ethereum', [EVM])).get(EVM)).toMatchObject([{ validFrom: null }]);
  });

  it('an address counts whose currency the advanced form does not name among its values', async () => {
    const loading = await openLoading();
    const unnamed = advanced([{ ...ENTITY, features: feature(777, EVM) + feature(778, 'Passport 1') }]);
    const report = await loading.load('ofac', fileOf('SDN_ADVANCED.XML', unnamed));
    expect(report).toMatchObject({ read: 2, loaded: 1, skipped: 1 });
    expect(report.errors[0]!.reason).toBe(
      `${EVM} is listed as FeatureType 777, a code that is not known; loaded as evm`,
    );
    expect((await loading.labels.find('ethereum', [EVM])).get(EVM)).toMatchObject([{ category: 'sanctioned' }]);
  });

  it('both forms give the programmes under which a party is on the SDN list', async () => {
    const loading = await openLoading();
    const programme = async () => (await loading.labels.find('bitcoin', [BITCOIN])).get(BITCOIN)?.[0]?.programme;
    await loading.load('ofac', fileOf('SDN.XML', CLASSIC));
    expect(await programme()).toBe('EXAMPLE-EO1, EXAMPLE2');
    await loading.load('ofac', fileOf('SDN_ADVANCED.XML', advanced([PERSON])), { endings: 'end' });
    expect(await programme()).toBe('EXAMPLE2');
  });

  it('a designation day that becomes known corrects the row, and one that is missing later stays', async () => {
    const loading = await openLoading();
    await loading.load('ofac', fileOf('sdn.xml', CLASSIC));
    await loading.load('ofac', fileOf('sdn_advanced.xml', advanced([PERSON])), { endings: 'end' });
    const dated = [{ label: 'EXAMPLE & TEST, Person One', validFrom: DESIGNATED, validTo: null }];
    expect((await loading.labels.find('tron', [TRON])).get(TRON)).toMatchObject(dated);
    await loading.load('ofac', fileOf('sdn.xml', CLASSIC));
    expect((await loading.labels.find('tron', [TRON])).get(TRON)).toMatchObject(dated);
  });

  it('both forms in one folder are one list, and the day of designation is taken from the form that has it', async () => {
    const loading = await openLoading();
    const both = folderOf({ 'SDN.XML': CLASSIC, 'SDN_ADVANCED.XML': advanced([PERSON, ENTITY]) });
    expect(await loading.load('ofac', both)).toMatchObject({ read: 4, skipped: 1 });
    expect(await loading.labels.countLive('ofac')).toBe(3);
    expect((await loading.labels.find('bitcoin', [BITCOIN])).get(BITCOIN)).toMatchObject([{ validFrom: DESIGNATED }]);
  });

  it('an address under a code that is not known yet is loaded by its form, and reported', async () => {
    const loading = await openLoading();
    const unknown = { ...ENTITY, features: feature(999, OTHER_EVM) + feature(999, 'not-an-address') };
    const report = await loading.load('ofac', fileOf('sdn_advanced.xml', advanced([unknown])));
    expect(report).toMatchObject({ read: 2, loaded: 1, skipped: 1 });
    expect(report.errors.map((error) => error.reason)).toEqual([
      `${OTHER_EVM} is listed as NEWUSD, a code that is not known; loaded as evm`,
      'not-an-address is not an address of a supported chain (listed as NEWUSD)',
    ]);
    expect((await loading.labels.find('bsc', [OTHER_EVM])).get(OTHER_EVM)).toMatchObject([{ category: 'sanctioned' }]);
  });

  it('a party that is no longer on the list was listed until the load', async () => {
    const loading = await openLoading();
    await loading.load('ofac', fileOf('sdn_advanced.xml', advanced([PERSON, ENTITY])));
    loading.setNow(START + 1_000);
    await loading.load('ofac', fileOf('sdn_advanced.xml', advanced([PERSON])), { endings: 'end' });
    expect((await loading.labels.find('ethereum', [EVM])).get(EVM)).toMatchObject([{ validTo: START + 1_000 }]);
    expect((await loading.labels.find('tron', [TRON])).get(TRON)).toMatchObject([{ validTo: null }]);
  });

  it('a list of any length is read: the blanks between its entries are not text', async () => {
    const loading = await openLoading();
    const entry = `${' '.repeat(100)}<sdnEntry><uid>1</uid><lastName>EXAMPLE</lastName></sdnEntry>\n`;
    const long = CLASSIC.replace('</sdnList>', `${entry.repeat(5_000)}</sdnList>`);
    expect(await loading.load('ofac', fileOf('sdn.xml', long))).toMatchObject({ read: 4, loaded: 3 });
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
    [
      'the error of a download service',
      '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>',
      /neither the SDN/,
    ],
    ['an empty answer', '', /not well-formed/],
    ['endless text', `<sdnList><sdnEntry>${'x'.repeat(2_000_000)}</sdnEntry></sdnList>`, /too long/],
    ['endless nesting', `<sdnList>${'<a>'.repeat(5_000)}`, /nested too deeply/],
    ['bytes that are not UTF-8', Buffer.from('<sdnList>\xff</sdnList>', 'latin1'), /not UTF-8/],
  ])('%s is refused and nothing is ended', async (_, content, message) => {
    const loading = await openLoading();
    await loading.load('ofac', fileOf('sdn.xml', CLASSIC));
    await expect(loading.load('ofac', fileOf('sdn.xml', content), { endings: 'end' })).rejects.toThrow(message);
    expect(await loading.labels.countLive('ofac')).toBe(3);
  });
});

describe('other lists of OFAC', () => {
  const inOther = (text: string) =>
    text.replaceAll('ListID="1550"', 'ListID="91507"').replace('<List ID="1550">SDN List</List>', '');
  const consolidated = CLASSIC.replace(
    /<program>EXAMPLE2<\/program>(?:<program>EXAMPLE-EO1<\/program>)?/g,
    '<program>NS-PLC</program>',
  );

  it.each([
    [
      'the Consolidated list in its advanced form',
      'list.xml',
      inOther(advanced([PERSON, ENTITY])),
      /Sectoral Sanctions/,
    ],
    ['the same in its classic form', 'list.xml', consolidated, /Consolidated list of OFAC, not the SDN list/],
    ['a file of the name of that list', 'CONSOLIDATED.XML', CLASSIC, /Consolidated list of OFAC/],
    [
      'a list without an address',
      'sdn.xml',
      '<sdnList><sdnEntry><lastName>A</lastName></sdnEntry></sdnList>',
      /no party/,
    ],
  ])('%s is refused: it names nobody as sanctioned and ends no one', async (_, name, text, reason) => {
    const loading = await openLoading();
    await loading.load('ofac', fileOf('sdn.xml', CLASSIC));
    const before = await loading.records.selectFrom('labels').selectAll().execute();
    await expect(loading.load('ofac', fileOf(name, text), { endings: 'end' })).rejects.toThrow(reason);
    expect(await loading.records.selectFrom('labels').selectAll().execute()).toEqual(before);
  });

  it('a party that stands on another list alone is named and not sanctioned', async () => {
    const loading = await openLoading();
    const other = `<SanctionsEntry ID="7" ProfileID="900002" ListID="91507"><EntryEvent ID="1" /></SanctionsEntry>`;
    const text = advanced([PERSON, ENTITY]).replace('<SanctionsEntries>', `<SanctionsEntries>${other}`);
    const report = await loading.load('ofac', fileOf('sdn_advanced.xml', text));
    expect(report.errors.map(({ reason }) => reason)).toContain(
      `${EVM}: its party is on Sectoral Sanctions Identifications List, not on the SDN list`,
    );
    expect(await loading.labels.find('ethereum', [EVM])).toEqual(new Map());
    expect(await loading.labels.countLive('ofac')).toBe(2);
  });

  it('a programme that is not known is named', async () => {
    const loading = await openLoading();
    const text = CLASSIC.replaceAll('EXAMPLE-EO1', 'CYBER2');
    expect((await loading.load('ofac', fileOf('sdn.xml', text))).unmapped).toEqual([
      { field: 'programme', word: 'EXAMPLE2', rows: 4 },
    ]);
  });
});
