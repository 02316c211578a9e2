import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Planted } from '../../fixtures/levels/planted.ts';
import type { Category } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { type Judged, levelOfParty, levelsOfTraced } from './judge.ts';

const DATA = process.env.LEVELS_DATA ?? join(process.cwd(), '../shared/data');
const USD_PER_ETH = 2_000;
const THIEF = '0x098b716b8aaf21512996dc57eb0615e2383e2f96';
/** Of June 2022, when the blocks of the GraphSense extract were made. */
const USD_PER_ETH_2022 = 1_100;

/** Text of a file of public data, or null with a line that says that it is absent. */
function textOf(file: string): string | null {
  const path = join(DATA, file);
  if (existsSync(path)) return readFileSync(path, 'utf8').trim();
  console.log(`skipped: ${path} is absent`);
  return null;
}

const LISTS: readonly (readonly [file: string, category: Category, kind: string])[] = [
  ['ofac-0xb10c/sanctioned_addresses_ETH.txt', 'sanctioned', 'list: OFAC, Ethereum'],
  ['eth-labels/mainnet-2022-phish-hack.csv', 'scam', 'list: phishing and hacks'],
  ['eth-labels/mainnet-2022-exchange.csv', 'exchange', 'list: exchanges'],
];

/** Listed addresses by their label alone. */
export function judgeLists(): Judged[] {
  return LISTS.flatMap(([file, category, kind]) => {
    const listed = new Set(
      textOf(file)
        ?.toLowerCase()
        .match(/0x[0-9a-f]{40}/g),
    );
    return [...listed].map((address) => ({ kind, level: levelOfListed(address, category) }));
  });
}

function levelOfListed(address: string, category: Category): string {
  const planted = new Planted(1);
  planted.labelled(category, { address, confidence: 80 });
  const input = planted.input();
  const labels = input.labelsOf(address);
  return assess({ ...input, subject: { ...input.subject, address, labels } }).risk_level;
}

/** The wallets that the stolen money of Ronin reached; the theft alone is labelled. */
export async function judgeRonin(): Promise<Judged[]> {
  const text = textOf('heist-ronin-ethdata/LazarusTabularTxs1322519.csv');
  if (text === null) return [];
  const planted = new Planted(1);
  for (const row of text.split('\n').slice(1)) {
    const [time = '', from = '', to = '', eth = '0'] = row.replaceAll('\\x', '0x').split(',');
    const amount = eth.includes('e') ? Number(eth).toFixed(18) : eth;
    if (Number(amount) > 0) planted.move(from, to, Number(eth) * USD_PER_ETH, Date.parse(time), { amount });
  }
  planted.labelled('sanctioned', { address: THIEF, validFrom: Date.UTC(2022, 2, 1) });
  const hops = distances(planted.transfers);
  hops.delete(THIEF);
  const levels = await levelsOfTraced(planted, [...hops.keys()]);
  return [...hops]
    .sort(([, a], [, b]) => a - b)
    .map(([address, n]) => ({ kind: `Ronin wallet, ${n} ${n === 1 ? 'hop' : 'hops'}`, level: levels.get(address)! }));
}

/** Hops from the thief, along payments of 1,000 US dollars and more that follow each other in time. */
function distances(transfers: readonly Transfer[]): Map<string, number> {
  const reached = new Map([[THIEF, { hops: 0, at: 0 }]]);
  for (const { from, to, at, usd } of [...transfers].sort((a, b) => a.at - b.at)) {
    const before = reached.get(from);
    if (!before || before.at > at || (usd ?? 0) < 1_000 || reached.has(to)) continue;
    reached.set(to, { hops: before.hops + 1, at });
  }
  return new Map([...reached].map(([address, { hops }]) => [address, hops]));
}

/** Everybody in the GraphSense extract of Ethereum who moved ether or Tether; nobody is labelled. */
export function judgeGraphSense(): Judged[] {
  const folder = 'graphsense-fixtures/account/eth/tokens';
  const [traces, tether] = [textOf(`${folder}/traces.csv`), textOf(`${folder}/reference/USDT_token_transfers.json`)];
  if (traces === null || tether === null) return [];
  const planted = new Planted(1);
  const at = (block: number) => Date.UTC(2022, 5, 21) + (block - 15_000_000) * 12_000;
  for (const row of traces.split('\n').slice(1)) {
    const [, block = '', , index = '', from = '', to = '', wei = '0', status, , txHash = ''] = row.split(',');
    if (status !== '1' || from === '' || to === '' || from === to || wei === '0' || txHash === '') continue;
    const eth = Number(wei) / 1e18;
    const place = { txHash, index: `trace:${index}`, seq: Number(index) };
    planted.move(from, to, eth * USD_PER_ETH_2022, at(Number(block)), { ...place, amount: eth.toFixed(18) });
  }
  const hex = (base64: string) => `0x${Buffer.from(base64, 'base64').toString('hex')}`;
  for (const row of tether.split('\n').map((line) => JSON.parse(line))) {
    const usd = row.value / 1e6;
    const token = { kind: 'token', asset: 'USDT', token: hex(row.tokenAddress), amount: String(usd) } as const;
    const place = { txHash: hex(row.txHash), index: `log:${row.logIndex}`, seq: row.logIndex };
    if (usd > 0) planted.move(hex(row.from), hex(row.to), usd, at(row.blockId), { ...token, ...place });
  }
  const parties = new Set(planted.transfers.flatMap(({ from, to }) => [from, to]));
  return [...parties].map((address) => ({
    kind: 'GraphSense extract, unlabelled',
    level: levelOfParty(planted, address),
  }));
}
