import { Interface } from 'ethers';
import { expect, it } from 'vitest';
import { ledgerSource } from '../../../fixtures/ledger-source.ts';
import { openBridges } from '../../../src/chains/bridges/bridges.ts';
import { knownContracts, registryOf } from '../../../src/chains/bridges/registry.ts';
import type { ChainSource, TransactionEvidence } from '../../../src/chains/port.ts';
import type { Chain } from '../../../src/domain/chain.ts';
import type { Category, Label } from '../../../src/domain/label.ts';
import { DAY_MS } from '../../../src/domain/time.ts';
import { createTransfer, type Transfer } from '../../../src/domain/transfers/transfer.ts';
import { savePrices } from '../../../src/prices/price-store.ts';
import { NOW, openTestApp } from '../../app/test-app.ts';

const person = (n: number) => `0x${n.toString(16).padStart(2, '0').repeat(20)}`;
const hash = (n: number) => `0x${n.toString(16).padStart(2, '0').repeat(32)}`;
const [THIEF, HOP, SECOND, CLEAN, EXCHANGE, VAULT] = [0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6].map(person) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const ROUTER = {
  ethereum: '0xd37bbe5744d730a1d98d8dc97c42f0ca46ad7146',
  bsc: '0xb30ec53f98ff5947ede720d32ac2da7e52a5f56b',
};
const ROUTER_ABI = new Interface([
  'event Deposit(address indexed to, address indexed asset, uint256 amount, string memo)',
  'event TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)',
]);
const COIN = `0x${'0'.repeat(40)}`;
const START = NOW - 2 * DAY_MS;
const ETH_USD = 2_500;
const BNB_USD = 600;

const coins = (
  chain: Chain,
  tx: number,
  minute: number,
  ways: [from: string, to: string, amount: string][],
): Transfer[] =>
  ways.map(([from, to, amount], i) =>
    createTransfer({
      chain,
      txHash: hash(tx),
      index: i === 0 ? 'native' : `trace:${i}`,
      seq: i,
      block: 1_000 + minute,
      blockHash: null,
      position: 0,
      at: START + minute * 60_000,
      from,
      to,
      asset: chain === 'bsc' ? 'BNB' : 'ETH',
      token: null,
      tokenId: null,
      amount,
      amountRaw: String(BigInt(Math.round(Number(amount) * 1e9)) * 10n ** 9n),
      decimals: 18,
      usd: null,
      kind: i === 0 ? 'native' : 'internal',
      status: 'success',
    } as Parameters<typeof createTransfer>[0]),
  );

const logOf = (chain: 'ethereum' | 'bsc', event: string, values: unknown[]) => {
  const { topics, data } = ROUTER_ABI.encodeEventLog(event, values);
  return { address: ROUTER[chain], index: 5, topics, data };
};

interface Story {
  memo?: string;
  via?: 'router' | 'wallet';
  /** The thief is who paid in on the other chain. */
  isDepositorListed?: boolean;
}

/** A theft of 101 ETH that the second wallet shows as a payout of THORChain for a deposit of `paidIn` BNB. */
async function scanAfter(paidIn: string, { memo, via = 'router', isDepositorListed = false }: Story = {}) {
  const deposit = hash(0x20).slice(2).toUpperCase();
  const transfers = {
    ethereum: [
      ...coins('ethereum', 0x10, 0, [[THIEF, HOP, '101']]),
      ...coins(
        'ethereum',
        0x11,
        40,
        via === 'router'
          ? [
              [HOP, ROUTER.ethereum, '100'],
              [ROUTER.ethereum, SECOND, '100'],
            ]
          : [[HOP, SECOND, '100']],
      ),
    ],
    bsc: [
      ...coins('bsc', 0x1f, 5, [[EXCHANGE, CLEAN, '500']]),
      ...coins('bsc', 0x20, 30, [
        [CLEAN, ROUTER.bsc, paidIn],
        [ROUTER.bsc, VAULT, paidIn],
      ]),
    ],
  };
  const wei = (amount: string) => BigInt(Math.round(Number(amount) * 1e9)) * 10n ** 9n;
  const logs: Record<string, TransactionEvidence['logs']> = {
    [hash(0x20)]: [logOf('bsc', 'Deposit', [VAULT, COIN, wei(paidIn), `=:ETH.ETH:${SECOND}`])],
    [hash(0x11)]:
      via === 'router'
        ? [logOf('ethereum', 'TransferOut', [HOP, SECOND, COIN, wei('100'), memo ?? `OUT:${deposit}`])]
        : [],
  };
  const { app, ctx, headers } = await openTestApp();
  const sources = new Map<Chain, ChainSource>();
  for (const chain of ['ethereum', 'bsc'] as const) {
    const { source } = ledgerSource(chain, transfers[chain]);
    const evidence = async (txHash: string): Promise<TransactionEvidence | null> => {
      const own = transfers[chain].filter((one) => one.txHash === txHash);
      const [first] = own;
      if (!first) return null;
      return {
        transaction: {
          txHash,
          block: first.block,
          at: first.at,
          status: 'success',
          transfers: own,
          accounts: [],
          type: null,
        },
        chainId: null,
        call: { from: first.from, to: first.to, input: '0x574da717', value: wei(first.amount) },
        logs: logs[txHash] ?? [],
        memos: [],
      };
    };
    sources.set(chain, { ...source, evidence });
  }
  const chainSource = async (chain: Chain) => sources.get(chain) ?? null;
  Object.assign(ctx, {
    chainSource,
    bridges: openBridges({ chainSource, registry: async () => registryOf(knownContracts()), now: ctx.now }),
  });
  const priced = (asset: string, usd: number) =>
    [0, 1, 2, 3].map((day) => ({ asset, date: new Date(START + (day - 1) * DAY_MS).toISOString().slice(0, 10), usd }));
  await savePrices(ctx.records, [...priced('ETH', ETH_USD), ...priced('BNB', BNB_USD)]);
  const label = (chain: Chain, address: string, category: Category): Label => ({
    chain,
    address,
    category,
    label: `${category} of a test`,
    source: 'test',
    confidence: 100,
    entity: null,
    validFrom: null,
    validTo: null,
    maliciousContract: false,
  });
  await ctx.labels.put(
    isDepositorListed
      ? [label('ethereum', THIEF, 'exchange'), label('bsc', CLEAN, 'theft')]
      : [label('ethereum', THIEF, 'theft'), label('bsc', EXCHANGE, 'exchange')],
    {
      stamp: await ctx.labels.beginLoad(),
      list: false,
    },
  );
  const reply = await app.inject({
    url: `/api/v1/public/scan?address=${SECOND}&chain=ethereum`,
    headers: await headers('enterprise'),
  });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json() as {
    risk_level: string;
    risk_score: number;
    metadata: { level_basis: string; coverage: object };
  };
}

const FORGED: [string, string, string?][] = [
  ['for a deposit of 1.20 USD', '0.002'],
  ['for a deposit of all that was stolen', String((100 * ETH_USD) / BNB_USD)],
  ['for a deposit that was never made', '1', `OUT:${'AB'.repeat(32)}`],
];
it.each(FORGED)('a payout that anybody can forge hides no theft: %s', async (_, paidIn, memo) => {
  const plain = await scanAfter(paidIn, { via: 'wallet' });
  const forged = await scanAfter(paidIn, { memo });
  expect(['HIGH', 'CRITICAL']).toContain(plain.risk_level);
  expect(forged.risk_score).toBeGreaterThanOrEqual(plain.risk_score);
  expect(forged.metadata.level_basis).toBe('partial');
});

it('money that a thief himself sent over a bridge is graded, though its transfer names the contract of the bridge', async () => {
  const { risk_level } = await scanAfter(String((100 * ETH_USD) / BNB_USD), { isDepositorListed: true });
  expect(['HIGH', 'CRITICAL']).toContain(risk_level);
});
