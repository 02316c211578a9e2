import { expect, it, onTestFinished } from 'vitest';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import { DESTROYED_TOPIC } from '../../../src/domain/transfers/evm-log.ts';
import { serveUpstream, type Upstream } from '../../contract/upstream.ts';
import { explorerUpstream } from './test-explorer.ts';
import { hashOf, ME, PEER, timeOf, transaction, transferLog, type World, word } from './world.ts';

const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
const STETH = '0xae7ab96520de3a18e5e111b5eaab095312d7fe84';
const ADDED = '0x42e160154868087d6bfdc0ca23d96a1c1cfa32f1b72ba9ba27b69b98a0d819dc';
const BALANCE_OF = '0x70a08231';

interface Issuers {
  /** By token: raw balance, and whether it is frozen. */
  states: Record<string, { balance?: bigint; frozen?: boolean }>;
  /** Events of contracts: whose tokens, in which block, and how much of them. */
  events?: { token: string; topic: string; who: string; block: number; amount?: bigint }[];
}

/** An address that got 900 of each token. */
async function read({ states, events = [] }: Issuers) {
  const world: World = {
    head: 9_000,
    tokens: {
      [USDT]: { symbol: 'USDT', decimals: 6 },
      [USDC]: { symbol: 'USDC', decimals: 6 },
      [STETH]: { symbol: 'stETH', decimals: 18 },
    },
    transactions: [
      transaction({ hash: hashOf('coin'), block: 9, from: PEER, to: ME, value: 10n ** 18n }),
      ...Object.keys(states).map((token, n) =>
        transaction({
          hash: hashOf(token),
          block: 10 + n,
          from: PEER,
          to: token,
          logs: [transferLog(n, PEER, ME, 900_000_000n, token)],
        }),
      ),
    ],
  };
  const upstream = explorerUpstream(world, { style: 'etherscan' });
  const calls: string[] = [];
  const answering: Upstream = async (request) => {
    const query = request.url.searchParams;
    if (query.get('action') === 'getLogs') {
      const own = events.filter(({ token, topic }) => token === query.get('address') && topic === query.get('topic0'));
      const rows = own.map(({ token, topic, who, block, amount }) => ({
        address: token,
        topics: [topic],
        data: `0x${word(who)}${amount === undefined ? '' : word(amount)}`,
        blockNumber: `0x${block.toString(16)}`,
        timeStamp: `0x${(timeOf(block) / 1_000).toString(16)}`,
        transactionHash: hashOf(`event ${block}`),
        logIndex: '0x',
      }));
      return {
        json: rows.length
          ? { status: '1', message: 'OK', result: rows }
          : { status: '0', message: 'No records found', result: [] },
      };
    }
    const state = states[query.get('to') ?? ''];
    const data = query.get('data') ?? '';
    if (query.get('action') !== 'eth_call' || !state || data.length < 74) return upstream(request);
    calls.push(data.slice(0, 10));
    const value = data.startsWith(BALANCE_OF) ? (state.balance ?? 900_000_000n) : BigInt(state.frozen ?? false);
    return { json: { jsonrpc: '2.0', id: 1, result: `0x${word(value)}` } };
  };
  const server = await serveUpstream(answering);
  onTestFinished(() => server.close());
  const settings = { explorerUrl: `${server.url}/api`, explorerStyle: 'etherscan' } as const;
  return { history: await openEvm('ethereum', settings, { pageLimit: 5 }).history(ME), calls };
}

it('says since when issuers keep an address from moving their tokens', async () => {
  const events = [
    { token: USDT, topic: ADDED, who: PEER, block: 30 },
    { token: USDT, topic: ADDED, who: ME, block: 40 },
    { token: USDT, topic: ADDED, who: ME, block: 60 },
  ];
  const { history } = await read({ states: { [USDT]: { frozen: true }, [USDC]: {} }, events });
  expect(history).toMatchObject({ frozen: [{ token: USDT, since: timeOf(60) }], unfrozen: [USDC] });
  expect(history.coverage.complete).toBe(true);
  const unknown = await read({ states: { [USDC]: { frozen: true } } });
  expect(unknown.history.frozen).toEqual([{ token: USDC, since: null }]);
});

it('finds what an issuer destroyed, and names what a token lacks for no known reason', async () => {
  const destroyed = [{ token: USDT, topic: DESTROYED_TOPIC, who: ME, block: 70, amount: 900_000_000n }];
  const { history } = await read({ states: { [USDT]: { frozen: true, balance: 0n } }, events: destroyed });
  expect(history.coverage).toMatchObject({ complete: true, reasons: [] });
  expect(history.transfers.find(({ block }) => block === 70)).toMatchObject({ from: ME, asset: 'USDT', amount: '900' });
  const lacking = await read({ states: { [USDT]: { balance: 850_000_000n } } });
  expect(lacking.history.coverage).toMatchObject({
    complete: false,
    reasons: ['balance_unexplained'],
    unexplained: [{ asset: 'USDT', token: USDT, amount: '-50' }],
  });
});

it('takes the growth of a token that grows by itself for no gap, and asks a bounded number of contracts', async () => {
  const { history, calls } = await read({ states: { [STETH]: { balance: 950_000_000n }, [USDC]: {} } });
  expect(history.coverage.complete).toBe(true);
  expect(calls.sort()).toEqual([BALANCE_OF, '0xfe575a87']);
});
