import { describe, expect, it, onTestFinished } from 'vitest';
import { coinJoinLabel, isCoinJoin } from '../../src/domain/coinjoin/transaction.ts';
import type { Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { type UtxoParty, utxoTransfers } from '../../src/domain/transfers/utxo.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { nodeLabelOf } from '../../src/labels/node-labels.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { getFunds } from '../../src/tracing/answers/funds/get-funds.ts';
import { getTerminals } from '../../src/tracing/answers/get-terminals.ts';
import { findIndirectExposure } from '../../src/tracing/answers/indirect/indirect-exposure.ts';
import { build } from '../graph/world.ts';
import { label } from '../risk/world.ts';
import { tracing } from './money.ts';

type Side = [address: string, satoshi: number];

const BTC = 100_000_000;
const USD_PER_BTC = 50_000;

/** When, who paid and who got, in whole coins. */
type Spending = [at: number, inputs: Side[], outputs: Side[]];

const equal = (count: number, coins = 1): Side[] => Array.from({ length: count }, (_, i) => [`out${i}`, coins]);
const payers = (...names: string[]): Side[] => names.map((name) => [name, 1.001]);

function transfersOf(spendings: readonly Spending[]): Transfer[] {
  const parties = (sides: Side[]): UtxoParty[] =>
    sides.map(([address, coins]) => ({ address, value: BigInt(Math.round(coins * BTC)) }));
  return spendings.flatMap(([at, inputs, outputs], i) => {
    const txHash = `${i}`.padStart(64, 'a');
    const tx = { txHash, block: at, blockHash: `b${at}`, at, coinbase: false };
    return utxoTransfers({ ...tx, inputs: parties(inputs), outputs: parties(outputs) }).transfers.map((one) => ({
      ...one,
      usd: Number(one.amount) * USD_PER_BTC,
    }));
  });
}

async function world(spendings: readonly Spending[], named: Label[] = []) {
  const graph = await openGrafeo({ path: null, shuffleUnordered: true });
  onTestFinished(() => graph.close());
  const transfers = transfersOf(spendings);
  const coinJoins = [...new Set(transfers.flatMap(({ from, to }) => [from, to]))].filter(isCoinJoin);
  const labels = [...named.map((one) => ({ ...one, chain: 'bitcoin' as const })), ...coinJoins.map(coinJoinLabel)];
  const onNodes = Object.fromEntries(labels.map((one) => [one.address, nodeLabelOf([one], 0)]));
  await build(graph, { transfers, labels: onNodes });
  const ctx = tracing(graph);
  const read = (address: string) => findIndirectExposure(ctx, 'bitcoin', address);
  return {
    ctx: { ...ctx, labels: { find: async () => new Map<string, Label[]>() } } as never,
    coinJoins,
    read,
    async judge(address: string) {
      const { indirect, transparent } = await read(address);
      return assess({
        subject: { chain: 'bitcoin', address, labels: [], addressType: 'wallet' },
        transfers,
        labelsOf: (party) => (transparent.has(party) ? [] : labels.filter((one) => one.address === party)),
        coverage: { complete: true, sources: ['test'], reasons: [], historyRead: true },
        asOf: 1_000,
        lang: 'en',
        indirect,
      });
    },
  };
}

const ofCategory = (facts: Awaited<ReturnType<typeof findIndirectExposure>>['indirect'], direction: string) =>
  facts.filter((one) => one.direction === direction).map(({ category, usd }) => `${category} ${Math.round(usd)}`);

describe('a CoinJoin of strangers', () => {
  const honest: Spending[] = [
    [1, payers('HACK', 'p1', 'p2', 'p3', 'p4'), equal(5)],
    [2, [['out0', 1]], [['shop', 0.999]]],
  ];

  it('is where an equal output comes from, never one of its payers: MEDIUM at most, and the shop paid with it too', async () => {
    const { judge, read } = await world(honest, [label('HACK', 'sanctioned')]);
    expect(await judge('out0')).toMatchObject({ risk_level: 'MEDIUM' });
    expect(await judge('shop')).toMatchObject({ risk_level: 'MEDIUM' });
    expect(ofCategory((await read('shop')).indirect, 'received')).toEqual(['mixer 49950']);
  });

  it('is the end of what was paid in, in the account and among the terminals', async () => {
    const { ctx, coinJoins } = await world(honest, [label('HACK', 'sanctioned')]);
    const asked = { direction: 'sent', maxHops: 10, lang: 'en' } as const;
    const { rows } = await getFunds(ctx, { ...asked, keys: ['bitcoin:HACK'] });
    expect(rows).toMatchObject([{ kind: 'party', category: 'mixer', address: coinJoins[0], label: 'CoinJoin' }]);
    const { terminals } = await getTerminals(ctx, {
      ...{ chain: 'bitcoin', address: 'HACK', maxHops: 3, categories: ['mixing'], limit: 10 },
    });
    expect(terminals).toMatchObject([{ address: coinJoins[0], terminal_category: 'mixing', reached: 'money' }]);
  });

  it('gives a payer the change that fits him alone', async () => {
    const { read, judge } = await world(
      [
        [1, [['HACK', 1.5005], ...payers('p1', 'p2', 'p3', 'p4')], [...equal(5), ['change', 0.5]]],
        [2, [['change', 0.5]], [['shop', 0.499]]],
      ],
      [label('HACK', 'sanctioned')],
    );
    expect(ofCategory((await read('shop')).indirect, 'received')).toEqual(['sanctioned 24950']);
    expect(await judge('change')).toMatchObject({ risk_level: 'CRITICAL' });
  });
});

describe('what has the shape of a CoinJoin and hides nobody', () => {
  it('carries the share of the CoinJoin where half or more of the money is adverse', async () => {
    const { read, judge } = await world(
      [
        [1, payers('HACK', 'HACK2', 'HACK3', 'p3', 'p4'), equal(5)],
        [2, [['out0', 1]], [['shop', 1]]],
      ],
      ['HACK', 'HACK2', 'HACK3'].map((one) => label(one, 'theft')),
    );
    expect(ofCategory((await read('out0')).indirect, 'received')).toEqual(['theft 30000']);
    expect(ofCategory((await read('HACK')).indirect, 'sent')).toEqual([]);
    expect(await judge('out0')).toMatchObject({ risk_level: 'CRITICAL' });
    expect(await judge('shop')).toMatchObject({ risk_level: 'HIGH' });
  });

  it('is one owner paying where its payers spent together before', async () => {
    const { read } = await world(
      [
        [1, [['HACK', 9]], [['p0', 9]]],
        [
          2,
          [
            ['p0', 3],
            ['p1', 1],
          ],
          [['elsewhere', 4]],
        ],
        [3, payers('p0', 'p1', 'p2', 'p3', 'p4'), equal(5)],
      ],
      [label('HACK', 'theft')],
    );
    expect(ofCategory((await read('out0')).indirect, 'received')).toEqual(['theft 10000']);
  });

  it('is a payout where a service is among its payers', async () => {
    const { read } = await world([[1, payers('CEX', 'p1', 'p2', 'p3', 'p4'), equal(5)]], [label('CEX', 'exchange')]);
    expect(ofCategory((await read('out0')).indirect, 'received')).toEqual(['exchange 10000']);
  });
});
