import { openEvm } from '../../../src/chains/evm/evm.ts';
import { type ChainSourceCase, describeChainSource } from '../../contract/chain-source.ts';
import { explorerUpstream } from './test-explorer.ts';
import { nodeUpstream } from './test-node.ts';
import {
  busyWorld,
  FAILED,
  hashOf,
  LARGE,
  LARGE_AMOUNT,
  ME,
  MIXED,
  NOBODY,
  PAYMENTS,
  TOKEN,
  TOKEN_PAYMENTS,
  timeOf,
} from './world.ts';

const world = busyWorld();
const evm = {
  chain: 'ethereum',
  canonical: /^0x[0-9a-f]{40}$/,
  txHash: /^0x[0-9a-f]{64}$/,
  mixed: { address: MIXED },
  unknown: { address: NOBODY, txHash: hashOf('unknown') },
  failed: { txHash: FAILED },
  large: { txHash: LARGE, amountRaw: LARGE_AMOUNT.toString() },
  token: { token: TOKEN, address: ME, from: timeOf(150 + 300 * 20), to: timeOf(150 + 300 * 60), held: 41 },
} as const satisfies Partial<ChainSourceCase>;
/** Payments, the failed, the large, two inner ones, token payments and the empty coin payments that carried them. */
const listed = PAYMENTS + 3 + 2 + 2 * TOKEN_PAYMENTS;

for (const style of ['etherscan', 'blockscout'] as const) {
  describeChainSource({
    ...evm,
    name: `EVM over an explorer in the style of ${style}`,
    open: (explorerUrl, pageLimit) => openEvm('ethereum', { explorerUrl, explorerStyle: style }, { pageLimit }),
    upstream: () => explorerUpstream(world, { style }),
    paged: { address: ME, transfers: listed },
    stuck: () => {
      const honest = explorerUpstream(world, { style });
      return (request) => {
        for (const name of ['startblock', 'endblock', 'page']) request.url.searchParams.delete(name);
        return honest(request);
      };
    },
  });
}

describeChainSource({
  ...evm,
  name: 'EVM over a node alone',
  open: (rpcUrl, pageLimit) => openEvm('ethereum', { rpcUrl }, { pageLimit }),
  upstream: () => nodeUpstream(world, { rangeMax: 3_000 }),
  paged: { address: ME, transfers: 2 * TOKEN_PAYMENTS },
  stuck: () => {
    const honest = nodeUpstream(world);
    return (request) => {
      const body = request.body as { method: string; params: Record<string, unknown>[] };
      if (body.method === 'eth_getLogs') Object.assign(body.params[0]!, { fromBlock: '0x0', toBlock: '0x9c40' });
      return honest(request);
    };
  },
  requestsAround: 200,
  alwaysMissing: ['native_not_listed', 'internal_not_listed'],
});
