import { expect, it } from 'vitest';
import { openRegistry } from '../../src/chains/bridges/bridges.ts';
import { readBridgeContracts } from '../../src/records/scans/match-decisions.ts';
import { fileOf, openLoading } from './loading.ts';

const HEADER = 'protocol,chain,role,address,token,peer,family\n';
const MIXED = '0x52908400098527886E0F7030069857D2E4169EE7';
const OFT = MIXED.toLowerCase();
const load = (loading: Awaited<ReturnType<typeof openLoading>>, text: string) =>
  loading.load('bridges', fileOf('bridges.csv', text));

it('adds contracts that are used at once, beside the known ones', async () => {
  const loading = await openLoading();
  const registry = openRegistry(loading.records);
  expect((await registry()).at('ethereum', OFT)).toEqual([]);
  const { name } = await registry();
  const report = await load(
    loading,
    `${HEADER}layerzero,ethereum,oft,${MIXED},coin,,mine\nlayerzero,base,oft,${OFT},,,mine\n`,
  );
  expect(report).toMatchObject({ source: 'bridges', read: 2, loaded: 2, skipped: 0, errors: [] });
  const after = openRegistry(loading.records);
  expect((await after()).at('ethereum', OFT)).toEqual([
    { protocol: 'layerzero', chain: 'ethereum', role: 'oft', address: OFT, token: null, family: 'mine' },
  ]);
  expect((await after()).name).not.toBe(name);
  expect((await after()).of('across', 'ethereum', 'spoke_pool')).toHaveLength(1);
  expect(await readBridgeContracts(loading.records)).toHaveLength(2);
});

it('replaces what was loaded before', async () => {
  const loading = await openLoading();
  await load(loading, `${HEADER}across,ethereum,spoke_pool,${OFT},,,\n`);
  await load(loading, `${HEADER}celer,base,pool,${OFT},,,\n`);
  expect(await readBridgeContracts(loading.records)).toEqual([
    { protocol: 'celer', chain: 'base', role: 'pool', address: OFT, token: '', peer: '', family: '' },
  ]);
});

it.each([
  ['nobridge,ethereum,pool,', 'protocol is not one of'],
  ['celer,dogecoin,pool,', 'chain is not supported'],
  ['celer,ethereum,router,', 'role of celer is not one of pool'],
  ['celer,ethereum,pool,0x12,', 'address is not an address of ethereum'],
  [`celer,ethereum,pool,${OFT},nothing`, 'token is not an address of ethereum'],
  [`hop,ethereum,bridge,${OFT},coin,mars`, 'peer is not a supported chain'],
  [`hop,ethereum,bridge,${OFT},coin,,${'x'.repeat(65)}`, 'family is not a short name'],
  [`celer,ethereum,pool,${OFT},,,,,more`, '9 cells instead of 7'],
  [`celer,ethereum,pool,0x${'0'.repeat(40)}`, 'line 3: address is an address that nobody holds'],
  [`hop,ethereum,bridge,${OFT},0x${'0'.repeat(40)}`, 'line 3: token is an address that nobody holds'],
  [`optimism_native,base,bridge,${OFT},,base`, "line 3: peer is the contract's own chain"],
  [`celer,base,pool,${MIXED}`, `line 3: base,pool,${OFT} is already in bridges.csv: line 2`],
  [`celer,base,pool,${OFT},coin`, `line 3: base,pool,${OFT} is already in bridges.csv: line 2`],
])('refuses the whole file for the line %s', async (line, reason) => {
  const loading = await openLoading();
  await load(loading, `${HEADER}across,ethereum,spoke_pool,${OFT},,,\n`);
  const cells = line.split(',').length > 7 ? line : line.split(',').concat(Array(7).fill('')).slice(0, 7).join(',');
  await expect(load(loading, `${HEADER}celer,base,pool,${OFT},,,\n${cells}\n`)).rejects.toThrow(reason);
  expect(await readBridgeContracts(loading.records)).toMatchObject([{ protocol: 'across' }]);
});

it.each([
  ['protocol,chain,role,address,address', 'the header has address twice'],
  ['protocol,chain,role,address,colour', 'the header has the unknown column "colour"'],
  ['protocol,chain,role,address,,token', 'the header has the unknown column ""'],
])('refuses the header %s', async (header, reason) => {
  const loading = await openLoading();
  await load(loading, `${HEADER}across,ethereum,spoke_pool,${OFT},,,\n`);
  await expect(load(loading, `${header}\nceler,base,pool,${OFT},${OFT}\n`)).rejects.toThrow(reason);
  expect(await readBridgeContracts(loading.records)).toMatchObject([{ protocol: 'across' }]);
});

it('removes all contracts only when a file without rows is meant to replace them', async () => {
  const loading = await openLoading();
  await load(loading, `${HEADER}across,ethereum,spoke_pool,${OFT},,,\n`);
  await expect(load(loading, HEADER)).rejects.toThrow('The file has no contracts. Load it with --replace');
  expect(await readBridgeContracts(loading.records)).toHaveLength(1);
  const report = await loading.load('bridges', fileOf('bridges.csv', HEADER), { endings: 'end' });
  expect(report).toMatchObject({ read: 0, loaded: 0, errors: [] });
  expect(await readBridgeContracts(loading.records)).toEqual([]);
});
