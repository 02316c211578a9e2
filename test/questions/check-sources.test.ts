import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ChainServers, startChainServers } from '../../fixtures/chain-servers/start.ts';
import { END } from '../../fixtures/demo/calendar.ts';
import { demoWorld } from '../../fixtures/demo/world.ts';
import { openChainSources } from '../../src/chains/all/open-sources.ts';
import { checkMempool } from '../../src/chains/live/bitcoin-mempool.ts';
import { readConfig } from '../../src/config.ts';
import { EVM_CHAIN_IDS, EVM_CHAINS } from '../../src/domain/chain.ts';
import { SourceError } from '../../src/errors.ts';
import { openMemoryLimits } from '../../src/fairness/limits/memory.ts';
import { createMetrics } from '../../src/http/metrics/metrics.ts';
import { type CheckedSource, checkListeners, checkSources } from '../../src/questions/check-sources.ts';
import { startSocketServer } from '../chains/live/socket-server.ts';

let chains: ChainServers;
beforeAll(async () => {
  chains = await startChainServers(demoWorld());
});
afterAll(() => chains.close());
beforeEach(() => {
  for (const server of Object.values(chains.servers)) server.clearFaults();
});

async function check(env: Record<string, string>, now = END): Promise<Record<string, CheckedSource>> {
  const clock = () => now;
  const parts = { metrics: createMetrics(), limits: openMemoryLimits(clock), now: clock };
  const checked = await checkSources({ ...openChainSources(readConfig(env), parts), now: clock });
  return Object.fromEntries(checked.map((one) => [one.setting, one]));
}

describe('a check of the sources', () => {
  it('finds every source of all chains in order, its height, age and chain, and what it lacks', async () => {
    const found = await check(chains.env);
    expect(Object.keys(found)).toHaveLength(Object.keys(chains.env).filter((name) => name.endsWith('_URL')).length);
    for (const source of Object.values(found)) {
      expect(source, JSON.stringify(source)).toMatchObject({ state: 'ok', problem: null, reason: null });
      expect(source.height).toBeGreaterThan(0);
      expect(END - Date.parse(source.height_at!)).toBeLessThan(3_600_000);
    }
    for (const chain of EVM_CHAINS) {
      const node = found[`${chain.toUpperCase()}_RPC_URL`]!;
      expect(node.chain_id).toBe(EVM_CHAIN_IDS[chain]);
      expect(node.lacks).toEqual(['bsc', 'avalanche'].includes(chain) ? ['traces'] : []);
    }
    expect(found.POLYGON_EXPLORER_URL!.chain_id).toBe(137);
  });

  it('says that a source whose newest block is old is behind', async () => {
    const found = await check({ XRP_RPC_URL: chains.env.XRP_RPC_URL! }, END + 86_400_000);
    expect(found.XRP_RPC_URL).toMatchObject({
      state: 'behind',
      problem: null,
      reason: 'its newest block is of 2026-10-31T12:00:00.000Z',
    });
  });

  it('names and refuses a node of another chain, and an explorer of another chain by its node', async () => {
    const block = { number: '0x3e00000', hash: `0x${'0'.repeat(64)}`, timestamp: '0x69000000', transactions: [] };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, result: block });
    chains.servers.etherscan.inject({ match: 'chainid=56', status: 200, body });
    const { POLYGON_RPC_URL, ETHEREUM_RPC_URL, ETHEREUM_EXPLORER_URL } = chains.env as Record<string, string>;
    const found = await check({
      ETHEREUM_RPC_URL: POLYGON_RPC_URL!,
      POLYGON_RPC_URL: POLYGON_RPC_URL!,
      // It names no chain.
      BSC_RPC_URL: chains.env.BSC_RPC_URL!,
      BSC_EXPLORER_URL: ETHEREUM_EXPLORER_URL!,
      BSC_EXPLORER_KEY: 'demo',
      BASE_EXPLORER_URL: chains.env.OPTIMISM_EXPLORER_URL!,
      BASE_EXPLORER_STYLE: 'blockscout',
      ARBITRUM_RPC_URL: ETHEREUM_RPC_URL!,
    });
    expect(found.ETHEREUM_RPC_URL!.reason).toBe('rpc: it serves polygon (chain id 137), not ethereum (1)');
    expect(found.ARBITRUM_RPC_URL!.reason).toBe('rpc: it serves ethereum (chain id 1), not arbitrum (42161)');
    expect(found.BASE_EXPLORER_URL!.reason).toBe('explorer: it serves optimism (chain id 10), not base (8453)');
    expect(found.BSC_EXPLORER_URL!.reason).toMatch(/^explorer: its block \d+ is not that of the node/);
    expect(found.POLYGON_RPC_URL!.state).toBe('ok');
    expect(found.BSC_RPC_URL!.state).toBe('ok');
  });

  it.each([
    ['BITCOIN_ESPLORA_URL', 'esplora', '/block-height/0', '0'.repeat(64), /first block is not that of Bitcoin/],
    [
      'SOLANA_RPC_URL',
      'solana',
      'getGenesisHash',
      '[{"id":1,"result":"Other"},{"id":2,"result":7},{"id":3,"result":0}]',
      /main network/,
    ],
    ['TRON_API_URL', 'tron', 'getblockbynum', '{"blockID":"cd8690dc","block_header":{"raw_data":{}}}', /main network/],
    [
      'XRP_RPC_URL',
      'rippled',
      'server_info',
      '{"result":{"info":{"network_id":1,"complete_ledgers":"1-2"}}}',
      /serves network 1/,
    ],
  ] as const)('refuses a test network at %s', async (setting, server, match, body, reason) => {
    chains.servers[server].inject({ match, body, status: 200 });
    const found = await check({ [setting]: chains.env[setting]! });
    expect(found[setting]).toMatchObject({
      state: 'failed',
      problem: 'other_network',
      reason: expect.stringMatching(reason),
    });
  });

  it('says which key is refused, and which source answers with a page of HTML', async () => {
    const { ETHEREUM_EXPLORER_URL, TRON_API_URL } = chains.env as Record<string, string>;
    chains.servers.tron.inject({ status: 401, body: '<html>Unauthorized</html>' });
    chains.servers.solana.inject({ status: 200, body: '<!doctype html><title>Just a moment...</title>' });
    const found = await check({
      ETHEREUM_EXPLORER_URL: ETHEREUM_EXPLORER_URL!,
      TRON_API_URL: TRON_API_URL!,
      SOLANA_RPC_URL: chains.env.SOLANA_RPC_URL!,
    });
    expect(found.ETHEREUM_EXPLORER_URL!.reason).toMatch(/Missing\/Invalid API Key \(is its key missing or wrong\?\)/);
    expect(found.TRON_API_URL!.reason).toMatch(/HTTP 401 \(is its key missing or wrong\?\)/);
    expect(found.SOLANA_RPC_URL!.state).toBe('failed');
  });

  it('says what a node lacks that refuses batches, old states and traces, and keeps that in mind', async () => {
    const { evmRpc } = chains.servers;
    evmRpc.inject({ match: '[{', status: 403, body: 'batches are not allowed' });
    evmRpc.inject({
      match: '0x1"]',
      body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"missing trie node"}}',
      status: 200,
    });
    evmRpc.inject({
      match: 'trace',
      body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"the method is not available"}}',
      status: 200,
    });
    const parts = { metrics: createMetrics(), limits: openMemoryLimits(Date.now), now: () => END };
    const opened = {
      ...openChainSources(readConfig({ ETHEREUM_RPC_URL: chains.env.ETHEREUM_RPC_URL! }), parts),
      now: () => END,
    };
    const [first] = await checkSources(opened);
    expect(first).toMatchObject({ state: 'ok', lacks: ['traces', 'archive', 'batches'] });
    evmRpc.requests.length = 0;
    expect((await checkSources(opened))[0]!.lacks).toEqual(['traces', 'archive', 'batches']);
    expect(evmRpc.requests.filter((line) => line.includes('[{') || line.includes('trace'))).toEqual([]);
  });
});

it('asks the places that are listened to: a mempool that takes connections, and a WebSocket that stays silent', async () => {
  const { url } = await startSocketServer(() => {});
  const config = readConfig({ BITCOIN_MEMPOOL_URL: url, SOLANA_RPC_URL: 'http://127.0.0.1:1' });
  const heard = { touches: [], marks: new Map(), place: '', lastBlock: 7, head: 7, reorganisedFrom: null };
  const closed: string[] = [];
  const silent = {
    everyMs: 1,
    step: async () => heard,
    spoken: () =>
      Promise.reject(new SourceError('solana', 'live: the connection was closed', { problem: 'no_answer' })),
    close: () => void closed.push('solana'),
  };
  const found = await checkListeners(config, async () => silent, checkMempool);
  expect(found.map(({ setting, state, problem, height }) => [setting, state, problem, height])).toEqual([
    ['BITCOIN_MEMPOOL_URL', 'ok', null, null],
    ['SOLANA_LIVE_URL', 'failed', 'no_answer', null],
  ]);
  expect(closed).toEqual(['solana']);
  const none = readConfig({ BITCOIN_MEMPOOL_URL: 'ws://127.0.0.1:1' });
  expect(await checkListeners(none, async () => null, checkMempool)).toMatchObject([
    { state: 'failed', problem: 'no_answer' },
  ]);
});
