import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { readSdnTables } from '../../graph-loaders/ofac/ofac.ts';
import { fileOf, folderOf, openLoading, openWork } from './loading.ts';
import { BITCOIN, EVM, OTHER_EVM, TRON } from './sdn-lists.ts';

const party = (id: number, list: string, name: string, features: string) => `
  <entity id="${id}">
    <generalInfo><identityId>${id}1</identityId><entityType refId="601">Entity</entityType></generalInfo>
    <sanctionsLists><sanctionsList refId="91507" id="${id}2" datePublished="2024-03-05">${list}</sanctionsList></sanctionsLists>
    <sanctionsPrograms><sanctionsProgram refId="91" id="${id}3">CYBER2</sanctionsProgram></sanctionsPrograms>
    <names>
      <name id="${id}4"><isPrimary>false</isPrimary><aliasType refId="1400">A.K.A.</aliasType><translations><translation id="1"><isPrimary>true</isPrimary><formattedLastName>ALIAS</formattedLastName><formattedFullName>ALIAS</formattedFullName></translation></translations></name>
      <name id="${id}5"><isPrimary>true</isPrimary><translations><translation id="1"><isPrimary>true</isPrimary><formattedLastName>${name}</formattedLastName><formattedFullName>${name}</formattedFullName></translation></translations></name>
    </names>
    <features>${features}</features>
  </entity>`;
const feature = (code: string, address: string) =>
  `<feature id="9"><type featureTypeId="345">Digital Currency Address - ${code}</type><versionId>1</versionId><value>${address}</value></feature>`;
const ENHANCED = `<?xml version="1.0" encoding="utf-8"?>
<sanctionsData xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/ENHANCED_XML">
  <publicationInfo><dataAsOf>2026-11-19T00:00:00Z</dataAsOf></publicationInfo>
  <entities>${party(1, 'SDN List', 'EXAMPLE ENTITY', feature('XBT', BITCOIN) + feature('ETH', EVM))}${party(2, 'Consolidated List', 'OTHER', feature('ETH', OTHER_EVM))}
  </entities>
</sanctionsData>`;

const TABLE = `900001,"EXAMPLE ENTITY","-0-","CYBER2] [DPRK3","-0-","-0-","-0-","-0-","-0-","-0-","-0-","Website example.com; Digital Currency Address - XBT ${BITCOIN};"
900002,"ONE, Person","individual","SDGT","-0-","-0-","-0-","-0-","-0-","-0-","-0-","DOB 01 Jan 1970; Digital Currency Address - USDT ${TRON}."
`;
const OVERFLOW = `900001," alt. Digital Currency Address - ETH ${EVM}; Secondary sanctions risk: Example"
`;

const named = async (loading: Awaited<ReturnType<typeof openLoading>>) => {
  const found = await loading.labels.findOnAllChains([BITCOIN, EVM, OTHER_EVM, TRON]);
  return Object.fromEntries(
    [...found].map(([address, [label]]) => [address, [label!.label, label!.validFrom, label!.programme]]),
  );
};

it('reads the enhanced form of the list of OFAC, its days and programmes, and who is on another list alone', async () => {
  const loading = await openLoading();
  const report = await loading.load('ofac', fileOf('SDN_ENHANCED.XML', ENHANCED));
  expect(report).toMatchObject({ read: 3, loaded: 2, skipped: 1 });
  const since = Date.parse('2024-03-05');
  const entity = ['EXAMPLE ENTITY', since, 'CYBER2'];
  expect(await named(loading)).toEqual({ [BITCOIN]: entity, [EVM]: entity });
});

it('reads sdn.csv with what overflows its remarks, and neither alone', async () => {
  const loading = await openLoading();
  const files = { 'sdn.csv': TABLE, 'sdn_comments.csv': OVERFLOW };
  for (const [name, content] of Object.entries(files)) {
    await expect(loading.load('ofac', fileOf(name, content))).rejects.toThrow('has more addresses: load both');
  }
  expect(await loading.load('ofac', folderOf(files))).toMatchObject({ read: 3, loaded: 3 });
  const entity = ['EXAMPLE ENTITY', null, 'CYBER2, DPRK3'];
  expect(await named(loading)).toEqual({ [BITCOIN]: entity, [EVM]: entity, [TRON]: ['ONE, Person', null, 'SDGT'] });
});

it('finds the same addresses wherever sdn.csv cuts off its remarks', async () => {
  const remarks = `DOB 01 Jan 1970; Digital Currency Address - XBT ${BITCOIN}; alt. Digital Currency Address - ETH ${EVM}; alt. Digital Currency Address - USDT ${TRON}.`;
  const expected = [`XBT ${BITCOIN}`, `ETH ${EVM}`, `USDT ${TRON}`];
  for (let cut = 1; cut < remarks.length; cut++) {
    const [head, rest] = [remarks.slice(0, cut), remarks.slice(cut)];
    const files = folderOf({
      'sdn.csv': `900001,"ONE, Person","individual","SDGT"${',"-0-"'.repeat(7)},"${head}"\n`,
      'sdn_comments.csv': `900001,"${rest}"\n`,
    });
    const found = await readSdnTables((await openWork('ofac', files)).files);
    expect([cut, ...found.map(({ ticker, address }) => `${ticker} ${address}`)]).toEqual([cut, ...expected]);
  }
});

it('reads any form from a ZIP, and a folder within an archive', async () => {
  const zip = zipSync({ 'SDN_ENHANCED.XML': strToU8(ENHANCED), 'readme.txt': strToU8('x') });
  const loading = await openLoading();
  expect(await loading.load('ofac', fileOf('sdn.zip', zip))).toMatchObject({ loaded: 2, not_read: ['readme.txt'] });
  const tables = await openLoading();
  const both = zipSync({ 'sdn.csv': strToU8(TABLE), 'sdn_comments.csv': strToU8(OVERFLOW) });
  expect(await tables.load('ofac', fileOf('sdn.zip', both))).toMatchObject({ loaded: 3 });
  const within = await openLoading();
  const tar = gzipSync(tarOf({ 'repo-main/a/SDN.xml': '<html/>', 'repo-main/lists/SDN_ENHANCED.XML': ENHANCED }));
  expect(await within.load('ofac', `${fileOf('main.tar.gz', tar)}#lists`)).toMatchObject({ loaded: 2 });
});

it('refuses damaged archives and ends nothing', async () => {
  const loading = await openLoading();
  await loading.load('ofac', fileOf('SDN_ENHANCED.XML', ENHANCED));
  const zip = zipSync({ 'SDN_ENHANCED.XML': strToU8(ENHANCED) });
  const tar = tarOf({ 'SDN_ENHANCED.XML': ENHANCED });
  for (const [name, bytes] of [
    ['cut.zip', zip.subarray(0, zip.length / 2)],
    ['cut.tar', tar.subarray(0, 1_000)],
    ['cut.tar.gz', gzipSync(tar).subarray(0, 400)],
    ['other.zip', zipSync({ 'notes.txt': strToU8('x') })],
  ] as const) {
    await expect(loading.load('ofac', fileOf(name, bytes))).rejects.toThrow(/damaged|Nothing to load/);
  }
  expect(Object.keys(await named(loading))).toHaveLength(2);
});

/** A tar archive as `tar` writes it, so far as a reader looks. */
function tarOf(files: Record<string, string>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(Buffer.byteLength(content).toString(8).padStart(11, '0'), 124);
    header.write('0', 156);
    const body = Buffer.alloc(Math.ceil(Buffer.byteLength(content) / 512) * 512);
    body.write(content);
    return [header, body];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}
