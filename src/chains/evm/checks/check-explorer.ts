import { SourceError } from '../../../errors.ts';
import type { RequestOptions, SourceFacts, SourceLack } from '../../port.ts';
import { checked } from '../../reply.ts';
import { blockscoutRpc, statedChain } from '../explorer/confirming.ts';
import type { Explorer } from '../explorer/explorer.ts';
import { proxyRpc } from '../explorer/proxy.ts';
import { type Rpc, resultOf } from '../node/rpc.ts';
import { blockHead } from './check-node.ts';

/** Its lists are asked for; what they hold does not matter. */
const ADDRESS = `0x${'0'.repeat(36)}dead`;
/** A block below this depth has one hash, whoever is asked. */
const SETTLED_BLOCKS = 64;

/** Checks the newest block and the lists of an explorer. One that names no chain is compared with the node. */
export async function checkExplorer(
  explorer: Explorer,
  node: Rpc | null,
  options?: RequestOptions,
): Promise<SourceFacts> {
  const isBlockscout = explorer.style === 'blockscout';
  const { endpoint } = explorer;
  const rpc = isBlockscout ? blockscoutRpc(explorer) : proxyRpc(explorer);
  const block = await blockOf(rpc, 'latest', options);
  if (block === null) throw new SourceError(explorer.chain, `${endpoint.name}: it shows no newest block`);
  const chainId = isBlockscout ? await statedChain(explorer, options) : null;
  if (chainId === null && node) await refuseOtherChain(rpc, node, block.number - SETTLED_BLOCKS, options);
  const lacks: SourceLack[] = [];
  if (!(await lists(explorer, 'txlistinternal', options))) lacks.push('internal_lists');
  const hasNfts = isBlockscout
    ? await listsOfVersion2(explorer, options)
    : (await lists(explorer, 'tokennfttx', options)) && (await lists(explorer, 'token1155tx', options));
  if (!hasNfts) lacks.push('nft_lists');
  return { height: block.number, heightAt: block.timestamp, chainId, lacks };
}

async function lists(explorer: Explorer, action: string, options?: RequestOptions): Promise<boolean> {
  const query = { module: 'account', action, address: ADDRESS, page: 1, offset: 1 };
  return !('unsupported' in (await explorer.ask(query, options)));
}

async function listsOfVersion2(explorer: Explorer, options?: RequestOptions): Promise<boolean> {
  const path = `/v2/addresses/${ADDRESS}/token-transfers`;
  const reply = await explorer.askPath(path, { type: 'ERC-721,ERC-1155' }, options);
  // An address that it never saw is not found, in JSON.
  return reply.status === 200 || (reply.status === 404 && reply.json !== undefined);
}

async function refuseOtherChain(rpc: Rpc, node: Rpc, height: number, options?: RequestOptions): Promise<void> {
  const tag = `0x${Math.max(height, 0).toString(16)}`;
  const [own, other] = await Promise.all([blockOf(rpc, tag, options), blockOf(node, tag, options)]);
  if (own && other && own.hash !== other.hash) {
    throw new SourceError(
      rpc.endpoint.chain,
      `${rpc.endpoint.name}: its block ${height} is not that of the node: one of them serves another chain`,
      { problem: 'other_network' },
    );
  }
}

async function blockOf(rpc: Rpc, tag: string, options?: RequestOptions) {
  const method = 'eth_getBlockByNumber';
  const result = resultOf(rpc.endpoint, method, await rpc.attempt(method, [tag, false], options));
  return checked(rpc.endpoint, blockHead.nullable(), result, method);
}
