import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { LabelLoader, ListedLabel } from '../../graph-loaders/reading/loader.ts';
import { SOURCES, type SourceName } from '../../graph-loaders/sources.ts';
import type { LabelChain } from '../../src/domain/chain.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { folderOf, openLoading, openWork, SHARED_MISSING, START, shared } from './loading.ts';

/** The labels of a large list, which other lists show to be stored. */
async function readLabels(source: SourceName, input: string) {
  const work = await openWork(source, input);
  const labels: ListedLabel[] = [];
  const loader = (await SOURCES[source].importLoader()) as LabelLoader;
  for await (const label of loader.read(work)) labels.push(label);
  return { tally: work.tally, labels };
}

describe.skipIf(SHARED_MISSING)('real public lists (the shared test data)', () => {
  // wc -l over the 17 lists: 654. Entries of the ten codes of other chains
  // (BCH 7, BSV 1, BTG 1, DASH 3, ETC 1, LTC 10, XMR 3, XVG 1, ZEC 3): 30.
  // sort -u over the other lists, EVM addresses in lower case: 612.
  it('the OFAC folder is loaded by the form of each address, not by the code of its file', async () => {
    const loading = await openLoading();
    const report = await loading.load('ofac-list', shared('ofac-0xb10c'));
    expect(report).toMatchObject({ source: 'ofac-list', read: 654, loaded: 624, skipped: 30 });
    // With them nine entries of other chains whose keys also hold an address of a scanned one (BCH 7, BSV 1, ETC 1).
    expect(await loading.labels.countLive('ofac-list')).toBe(621);

    const tron = 'TUCsTq7TofTCJRRoHk6RvhMoS2mJLm5Yzq';
    expect((await loading.labels.find('tron', [tron])).get(tron)?.[0]).toMatchObject({ category: 'sanctioned' });
    expect(report.errors.filter((error) => error.reason.includes(tron))).toEqual([
      {
        line: 355,
        reason: `sanctioned_addresses_XBT.json: ${tron} is listed as XBT but is a tron address; loaded as tron`,
      },
    ]);
    const tornado = '0x8589427373d6d84e98730d7795d8f6f8731fda16';
    for (const chain of ['ethereum', 'bsc', 'kaia'] as const) {
      expect((await loading.labels.find(chain, [tornado])).get(tornado)).toHaveLength(1);
    }
  });

  it('loading the OFAC folder twice changes nothing', async () => {
    const loading = await openLoading();
    const first = await loading.load('ofac-list', shared('ofac-0xb10c'));
    const rows = await loading.records.selectFrom('labels').select(['address', 'changed_at']).execute();
    loading.setNow(START + DAY_MS);
    expect(await loading.load('ofac-list', shared('ofac-0xb10c'))).toEqual(first);
    expect(await loading.records.selectFrom('labels').select(['address', 'changed_at']).execute()).toEqual(rows);
  });

  it('a newer OFAC folder ends what was delisted, and keeps everything when more than a tenth is gone', async () => {
    const loading = await openLoading();
    await loading.load('ofac-list', shared('ofac-0xb10c'));
    const lists = new Map(
      readdirSync(shared('ofac-0xb10c'))
        .filter((name) => name.endsWith('.txt'))
        .map((name) => [
          name,
          readFileSync(shared(`ofac-0xb10c/${name}`), 'utf8')
            .trim()
            .split('\n'),
        ]),
    );
    const eth = lists.get('sanctioned_addresses_ETH.txt')!;
    const gone = eth[0]!.toLowerCase();
    const newer = Object.fromEntries([...lists].map(([name, rows]) => [name, rows.join('\n')]));
    newer['sanctioned_addresses_ETH.txt'] = eth.slice(1).join('\n');

    loading.setNow(START + DAY_MS);
    await loading.load('ofac-list', folderOf(newer));
    expect((await loading.labels.find('ethereum', [gone])).get(gone)).toMatchObject([{ validTo: START + DAY_MS }]);
    expect(await loading.labels.countLive('ofac-list')).toBe(620);

    // sort -u over the other lists without ETH: 465, and nine of sister chains. So 146 of 620 are gone, more than a tenth.
    newer['sanctioned_addresses_ETH.txt'] = '';
    const folder = folderOf(newer);
    const kept = await loading.load('ofac-list', folder);
    expect(kept.errors[0]).toMatchObject({ line: 0, reason: expect.stringContaining('--replace') });
    expect(await loading.labels.countLive('ofac-list')).toBe(620);
    await loading.load('ofac-list', folder, { endings: 'end' });
    expect(await loading.labels.countLive('ofac-list')).toBe(474);
  });

  // jq length: 693 and 56. The one of 39 digits and the text FAKE_DaoCasinoCrowdsale are not addresses.
  // jq -r '.[].address' | tr A-Z a-z | tr -d ' ' | sort -u over the newer: 630 with the one of 39 digits.
  it('the dark list of 2021 replaces that of 2017', async () => {
    const loading = await openLoading();
    const older = await loading.load('darklist', shared('mew-darklist/addresses-darklist.2017.json'));
    expect(older).toMatchObject({ read: 56, loaded: 55, skipped: 1 });
    expect(older.errors).toEqual([{ line: 44, reason: 'FAKE_DaoCasinoCrowdsale is not a valid ethereum address' }]);
    const newer = await loading.load('darklist', shared('mew-darklist/addresses-darklist.json'), { endings: 'end' });
    expect(newer).toMatchObject({ read: 693, loaded: 692, skipped: 1 });
    expect(await loading.labels.countLive('darklist')).toBe(629);
  });

  // tail -n +2 | wc -l: 372 and 5594; grep -c 'E+' in the second: 4.
  it('eth-labels lists of one label are loaded apart, and the other is not ended by them', async () => {
    const loading = await openLoading();
    const exchanges = await loading.load('eth-labels', shared('eth-labels/mainnet-2022-exchange.csv'));
    const phishing = await loading.load('eth-labels', shared('eth-labels/mainnet-2022-phish-hack.csv'));
    expect(exchanges).toMatchObject({ read: 372, loaded: 372, skipped: 0 });
    expect(phishing).toMatchObject({ read: 5594, loaded: 5590, skipped: 4 });
    expect(phishing.errors.filter((error) => error.reason.includes('E+'))).toHaveLength(4);
    expect(await loading.labels.countLive('eth-labels:exchange')).toBeGreaterThan(360);
    const abcc = '0x05f51aab068caa6ab7eeb672f88c180f67f17ec7';
    expect((await loading.labels.find('ethereum', [abcc])).get(abcc)).toMatchObject([
      { category: 'exchange', label: 'ABCC', source: 'eth-labels:exchange' },
    ]);
  });

  // zcat | tail -n +2 | wc -l: 55235; explorers celo 634 and gnosis 339; three rows without an address, one `genesis`.
  it('the whole eth-labels set is read from its gzip', async () => {
    const { tally } = await readLabels('eth-labels', shared('eth-labels/accounts.csv.gz'));
    expect(tally.read).toBe(55_235);
    expect(tally.errors.filter((error) => error.reason.startsWith('unsupported chain: '))).toHaveLength(634 + 339);
    expect(tally.skipped).toBe(
      634 +
        339 +
        tally.errors.filter((error) => / is not a valid \w+ address$|^nobody holds /.test(error.reason)).length,
    );
  });

  // Rows by tail -n +2 | wc -l: 7780 + 753 + 6726 on chain 1 and 1 on chain 10; distinct first columns as its README says.
  it('the Forta files keep their chain and their three lists', async () => {
    const loading = await openLoading();
    const report = await loading.load('forta', shared('forta-labelled'));
    expect(report).toMatchObject({ read: 15_260, loaded: 15_260, skipped: 0 });
    expect(await loading.labels.countLive('forta:1/etherscan_malicious_labels')).toBe(7_259);
    expect(await loading.labels.countLive('forta:1/malicious_smart_contracts')).toBe(719);
    expect(await loading.labels.countLive('forta:1/phishing_scams')).toBe(6_205);
    const wintermute = '0x4f3a120e72c76c22ae802d129f599bfdbc31cb81';
    expect((await loading.labels.find('optimism', [wintermute])).get(wintermute)).toMatchObject([
      { category: 'scam', maliciousContract: true, label: 'Wintermute Exploiter Multisig' },
    ]);
    expect(await loading.labels.find('ethereum', [wintermute])).toEqual(new Map());
  });

  // grep -rhcE '^ *- address:' and `- label:` beginnings over packs/: 90,296 as the README of the data says.
  it('the TagPacks are read whole, with what their headers and actors say', async () => {
    const { tally, labels } = await readLabels('tagpack', shared('graphsense-tagpacks'));
    expect(tally.read).toBe(90_296);
    expect(tally.read - tally.skipped).toBeGreaterThan(90_000);
    const of = (chain: LabelChain, address: string) =>
      labels.filter((label) => label.chain === chain && label.address === address);

    // Everything but the address and the currency stands in the header of its pack.
    expect(of('bitcoin', '134r8iHv69xdT6p5qVKTsHrcUEuBVZAYak')).toMatchObject([
      { category: 'sanctioned', label: 'Lazarus group', entity: 'lazarusgroup', confidence: 60 },
      { category: 'sanctioned', entity: null, confidence: 50 },
    ]);
    // Two packs speak of this one: the mixer's own, and a copy of the OFAC list of before its delisting.
    const tornado = of('ethereum', '0x722122df12d4e14e13ac3b6895a86e84145b6967');
    expect(tornado.map((label) => label.category)).toEqual(expect.arrayContaining(['sanctioned', 'mixer']));
    const hydra = of('bitcoin', '1BCWMwpR4M1nYUuuYe2bmzrNuwGoF9ZAbA');
    expect(hydra.map((label) => label.category).sort()).toEqual(['darknet', 'sanctioned']);
    // Tagged BTC in ofac.yaml, a TRON address by its form.
    expect(of('tron', 'TUCsTq7TofTCJRRoHk6RvhMoS2mJLm5Yzq')).toMatchObject([{ category: 'sanctioned' }]);
  });

  it('a changed name in a newer TagPack ends the old statement and adds the new one', async () => {
    const loading = await openLoading();
    const pack = (label: string) =>
      `title: T\nlabel: L\ncategory: exchange\ntags:\n- address: 1CKVszDdUp4ymGceAZpGzYEFr4RPNHYqaM\n  currency: BTC\n  label: ${label}\n`;
    const folder = folderOf({ 'pack.yaml': pack('old name') });
    await loading.load('tagpack', folder);
    writeFileSync(`${folder}/pack.yaml`, pack('new name'));
    loading.setNow(START + DAY_MS);
    await loading.load('tagpack', folder);
    const address = '1CKVszDdUp4ymGceAZpGzYEFr4RPNHYqaM';
    expect((await loading.labels.find('bitcoin', [address])).get(address)).toMatchObject([
      { label: 'new name', validTo: null },
      { label: 'old name', validTo: START + DAY_MS },
    ]);
  });
});
