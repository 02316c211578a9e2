import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ARCHETYPES } from '../fixtures/levels/archetypes.ts';
import { economy } from '../fixtures/levels/economy.ts';
import { AS_OF, Planted } from '../fixtures/levels/planted.ts';
import type { Category, Label } from '../src/domain/label.ts';
import type { Transfer } from '../src/domain/transfers/transfer.ts';
import { openGrafeo } from '../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../src/graph/ingest/ingest.ts';
import { findIndirectExposure } from '../src/questions/tracing/indirect-exposure.ts';
import type { AssessInput } from '../src/risk/assessment.ts';
import { assess } from '../src/risk/scoring/assess.ts';
import { table } from './table.ts';

const LEVELS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'] as const;
const DATA = process.env.LEVELS_DATA ?? join(process.cwd(), '../shared/data');
const SEED = Number(process.env.SEED ?? 20_261_122);
const ROUNDS = 20;
const OWNERS = 300;
const USD_PER_ETH = 2_000;
const THIEF = '0x098b716b8aaf21512996dc57eb0615e2383e2f96';

type Row = Map<string, number>;

/** Kind of address against level: planted archetypes, a lawful economy, real lists and the Ronin theft. */
export async function benchLevels(): Promise<void> {
  const kinds = new Map<string, Row>();
  const count = (kind: string, level: string) => {
    const row = kinds.get(kind) ?? new Map<string, number>();
    kinds.set(kind, row.set(level, (row.get(level) ?? 0) + 1));
  };
  for (const [kind, category] of LISTS)
    for (const address of listed(kind)) count(kind, levelOfListed(address, category));
  for (const { hops, level } of await ronin()) count(`Ronin wallet, ${hops}`, level);
  for (const { kind, level } of lawful()) count(`economy: ${kind}`, level);
  for (const { name, plant } of ARCHETYPES) {
    for (let round = 0; round < ROUNDS; round++) {
      const planted = new Planted(SEED + round);
      plant(planted);
      planted.noise();
      count(name, assess(planted.input()).risk_level);
    }
  }
  print(kinds);
}

function print(kinds: ReadonlyMap<string, Row>): void {
  const rows = [...kinds].map(([kind, row]) => {
    const n = [...row.values()].reduce((a, b) => a + b, 0);
    const high = (row.get('CRITICAL') ?? 0) + (row.get('HIGH') ?? 0);
    return [kind, String(n), ...LEVELS.map((level) => String(row.get(level) ?? 0)), interval(high, n)];
  });
  table(['kind of address', 'n', ...LEVELS, 'HIGH or above, 95 % interval'], rows);
}

/** Wilson's interval of a share, in percent. */
function interval(hits: number, n: number): string {
  const [z, p] = [1.96, hits / n];
  const middle = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  const percent = (share: number) => (100 * Math.min(1, Math.max(0, share))).toFixed(1);
  return `${percent(p)} % (${percent(middle - half)}-${percent(middle + half)})`;
}

const LISTS: readonly (readonly [string, Category])[] = [
  ['ofac-0xb10c/sanctioned_addresses_ETH.txt', 'sanctioned'],
  ['eth-labels/mainnet-2022-phish-hack.csv', 'scam'],
  ['eth-labels/mainnet-2022-exchange.csv', 'exchange'],
];

function listed(file: string): string[] {
  const path = join(DATA, file);
  if (!existsSync(path)) {
    console.log(`skipped: ${path} is absent`);
    return [];
  }
  return [
    ...new Set(
      readFileSync(path, 'utf8')
        .toLowerCase()
        .match(/0x[0-9a-f]{40}/g),
    ),
  ];
}

function levelOfListed(address: string, category: Category): string {
  const planted = new Planted(SEED);
  planted.labelled(category, { address, confidence: 80 });
  const input = planted.input();
  const labels = input.labelsOf(address);
  return assess({ ...input, subject: { ...input.subject, address, labels } }).risk_level;
}

/** The wallets that the stolen money of Ronin reached; the theft alone is labelled. */
async function ronin(): Promise<{ hops: string; level: string }[]> {
  const path = join(DATA, 'heist-ronin-ethdata/LazarusTabularTxs1322519.csv');
  if (!existsSync(path)) {
    console.log(`skipped: ${path} is absent`);
    return [];
  }
  const planted = new Planted(SEED);
  for (const row of readFileSync(path, 'utf8').trim().split('\n').slice(1)) {
    const [time = '', from = '', to = '', eth = '0'] = row.replaceAll('\\x', '0x').split(',');
    const amount = eth.includes('e') ? Number(eth).toFixed(18) : eth;
    if (Number(amount) > 0) planted.move(from, to, Number(eth) * USD_PER_ETH, Date.parse(time), { amount });
  }
  planted.labelled('sanctioned', { address: THIEF, validFrom: Date.UTC(2022, 2, 1) });
  const graph = await openGrafeo({ path: null });
  const label = { category: 'sanctioned', label: 'thief', label_source: 'planted', entity_id: null };
  await ingestTransfers(graph, planted.transfers, new Map([[`ethereum:${THIEF}`, label]]));
  const hops = distances(planted.transfers);
  const found: { hops: string; level: string }[] = [];
  for (const [address, distance] of hops) {
    if (distance === 0) continue;
    const ctx = { graph, now: () => AS_OF, config: { CACHE_SCAN_SECONDS: 1_800 } };
    const { indirect } = await findIndirectExposure(ctx as never, 'ethereum', address);
    const input = planted.input();
    const level = assess(inputOf(input, address, planted.transfers, { indirect })).risk_level;
    found.push({ hops: distance >= 4 ? '4 hops and more' : `${distance} ${distance === 1 ? 'hop' : 'hops'}`, level });
  }
  await graph.close();
  return found.sort((a, b) => (a.hops < b.hops ? -1 : 1));
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

/** Everybody in half a year of lawful dealings; exchanges alone are labelled. */
function lawful(): { kind: string; level: string }[] {
  const { actors, transfers, labels } = economy(SEED, OWNERS);
  const byParty = new Map<string, Transfer[]>();
  for (const transfer of transfers) {
    for (const party of new Set([transfer.from, transfer.to])) {
      byParty.set(party, [...(byParty.get(party) ?? []), transfer]);
    }
  }
  const labelOf = new Map(labels.map((one): [string, Label[]] => [one.address, [one]]));
  const empty = new Planted(SEED).input();
  return actors.flatMap(({ address, kind }) => {
    const own = byParty.get(address);
    if (!own) return [];
    const input = inputOf({ ...empty, labelsOf: (party) => labelOf.get(party) ?? [] }, address, own, {});
    return [{ kind, level: assess(input).risk_level }];
  });
}

function inputOf(input: AssessInput, address: string, transfers: Transfer[], more: Partial<AssessInput>): AssessInput {
  return { ...input, ...more, transfers, subject: { ...input.subject, address, labels: input.labelsOf(address) } };
}
