import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AccuracyRow } from '../../reports/sections/accuracy.ts';
import { judgeGraphSense, judgeLists, judgeRonin } from '../levels/real-data.ts';
import { roninCashOuts } from '../tracing/ronin.ts';
import { holdersOf, pairsOf, type Spend } from './holders.ts';

const DATA = join(process.cwd(), '../shared/data');
const RONIN = { name: 'Eth_Data: theft from the Ronin bridge', version: '3c66dcba0a6d', day: '2022-09-27' };
const OFAC = {
  name: 'OFAC list of 0xB10C, phishing and exchanges of eth-labels',
  version: 'f2aee2265956, 6aff38d90cd1',
  day: '2024-09-27',
};
const GRAPHSENSE = { name: 'GraphSense extracts', version: '9b7ecfabc15f', day: '2022-06-21' };

const isHigh = (level: string) => level === 'HIGH' || level === 'CRITICAL';
const countOf = <T>(cases: readonly T[], isCounted: (one: T) => boolean) => ({
  count: cases.filter(isCounted).length,
  of: cases.length,
});

/** Cash-outs of a real theft that a trace from the thief names, and others that no payment in order of time leads to. */
async function realAttribution(): Promise<AccuracyRow[]> {
  const found = await roninCashOuts();
  if (!found) return [];
  const { reachable, others, named } = found;
  return [
    {
      ...{ id: 'attribution_ronin', rule: 'attribution', data: RONIN },
      misses: countOf(reachable, (address) => !named.has(address)),
      falseAlarms: countOf(others, (address) => named.has(address)),
    },
  ];
}

/** Levels of listed addresses, of the wallets of a real theft, and of everybody in an extract of a chain. */
async function realLevels(): Promise<AccuracyRow[]> {
  const [lists, ronin, extract] = [judgeLists(), await judgeRonin(), judgeGraphSense()];
  if (lists.length === 0 || ronin.length === 0 || extract.length === 0) return [];
  const isExchange = ({ kind }: { kind: string }) => kind === 'list: exchanges';
  return [
    {
      ...{ id: 'levels_lists', rule: 'levels', data: OFAC },
      misses: countOf(
        lists.filter((one) => !isExchange(one)),
        ({ level }) => !isHigh(level),
      ),
      falseAlarms: countOf(lists.filter(isExchange), ({ level }) => isHigh(level)),
    },
    {
      ...{ id: 'levels_ronin', rule: 'levels', data: RONIN, falseAlarms: null },
      misses: countOf(ronin, ({ level }) => !isHigh(level)),
    },
    {
      ...{ id: 'levels_extract', rule: 'levels', data: GRAPHSENSE, misses: null },
      falseAlarms: countOf(extract, ({ level }) => isHigh(level)),
    },
  ];
}

/** Pairs of addresses in an extract whose clusters another program published. */
async function coSpending(): Promise<AccuracyRow[]> {
  const folder = join(DATA, 'graphsense-fixtures/utxo');
  if (!existsSync(folder)) return [];
  const real = readLines<{
    txHash: string;
    coinbase: boolean;
    timestamp: number;
    inputs: SpentParty[];
    outputs: SpentParty[];
  }>(join(folder, 'test_txs.json'));
  const names = new Map(
    readLines<{ addressId: number; address: string }>(join(folder, 'reference/addresses.json')).map((one) => [
      one.addressId,
      one.address,
    ]),
  );
  const clusters = new Map<string, number>();
  for (const { addressId, clusterId } of readLines<{ addressId: number; clusterId: number }>(
    join(folder, 'reference/cluster_addresses.json'),
  ))
    clusters.set(names.get(addressId) ?? '', clusterId);
  const spends = real
    .filter(({ coinbase }) => !coinbase)
    .map(({ txHash, timestamp, inputs, outputs }): Spend => {
      return { txHash, at: timestamp * 1_000, inputs: inputs.map(toParty), outputs: outputs.map(toParty) };
    });
  const holderOf = await holdersOf(spends);
  const pairs = pairsOf([...clusters.keys()]);
  const isOne = ([a, b]: readonly [string, string]) => clusters.get(a) === clusters.get(b);
  const areJoined = ([a, b]: readonly [string, string]) => holderOf(a) !== null && holderOf(a) === holderOf(b);
  return [
    {
      ...{ id: 'co_spending_graphsense', rule: 'co_spending', data: GRAPHSENSE },
      misses: countOf(pairs.filter(isOne), (pair) => !areJoined(pair)),
      falseAlarms: countOf(
        pairs.filter((pair) => !isOne(pair)),
        areJoined,
      ),
    },
  ];
}

interface SpentParty {
  address: string[];
  value: number;
}

function toParty({ address, value }: SpentParty) {
  return { address: address.length === 1 ? (address[0] as string) : null, value: BigInt(value) };
}

function readLines<T>(path: string): T[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => (line.trim() ? [JSON.parse(line) as T] : []));
}

/** Measures rules on public data; empty where it is not beside the checkout. */
export const REAL_PARTS = { attribution: realAttribution, levels: realLevels, coSpending };
