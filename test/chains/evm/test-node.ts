import { EVM_CHAIN_IDS, type EvmChain } from '../../../src/domain/chain.ts';
import { takingBatches, type Upstream, type UpstreamReply } from '../../contract/upstream.ts';
import { hex, nodeBlock, nodeCall, nodeLog, nodeReceipt, nodeTransaction } from './test-explorer.ts';
import { balanceOf, type World } from './world.ts';

export interface TestNode {
  /** Ethereum where left out. */
  chain?: EvmChain;
  /** Widest block range of eth_getLogs. */
  rangeMax?: number;
  /** What a wider range is answered with. */
  rangeError?: { code: number; message: string; data?: unknown };
  /** Most logs of one answer. */
  logsMax?: number;
  /** Overrides one method. */
  methods?: Record<string, (params: unknown[]) => UpstreamReply>;
}

interface Filter {
  address?: string;
  fromBlock: string;
  toBlock: string;
  topics: (string | string[] | null)[];
}

export const result = (value: unknown): UpstreamReply => ({ json: { jsonrpc: '2.0', id: 1, result: value } });
export const error = (code: number, message: string, data?: unknown): UpstreamReply => ({
  json: { jsonrpc: '2.0', id: 1, error: { code, message, data } },
});

/** A node without tracer and without log timestamps, with the limits of hosted ones. */
export function nodeUpstream(world: World, node: TestNode = {}): Upstream {
  return takingBatches(({ body }) => {
    const { method, params } = body as { method: string; params: unknown[] };
    const own = node.methods?.[method];
    if (own) return own(params);
    const tx = world.transactions.find(({ hash }) => hash === params[0]);
    switch (method) {
      case 'eth_chainId':
        return result(hex(EVM_CHAIN_IDS[node.chain ?? 'ethereum']));
      case 'eth_blockNumber':
        return result(hex(world.head));
      case 'eth_getBlockByNumber':
        return result(nodeBlock(Number(params[0])));
      case 'eth_getBalance':
        return result(hex(balanceOf(world, String(params[0]))));
      case 'eth_getTransactionCount':
        return result(hex(world.transactions.filter(({ from }) => from === params[0]).length));
      case 'eth_getCode':
        return result(String(params[0]) in world.tokens ? '0x6001' : '0x');
      case 'eth_getTransactionByHash':
        return result(tx ? nodeTransaction(tx) : null);
      case 'eth_getTransactionReceipt':
        return result(tx ? nodeReceipt(tx) : null);
      case 'eth_call': {
        const { to, data } = params[0] as { to: string; data: string };
        return result(nodeCall(world, to, data));
      }
      case 'eth_getLogs':
        return logs(world, node, params[0] as Filter);
      default:
        return error(-32_601, `the method ${method} does not exist/is not available`);
    }
  });
}

function logs(world: World, node: TestNode, filter: Filter): UpstreamReply {
  const [from, to] = [Number(filter.fromBlock), Number(filter.toBlock)];
  if (from > to || to > world.head) return error(-32_000, 'invalid block range params');
  if (to - from + 1 > (node.rangeMax ?? Number.POSITIVE_INFINITY)) {
    const refusal = node.rangeError ?? { code: -32_000, message: `exceed maximum block range: ${node.rangeMax}` };
    return error(refusal.code, refusal.message, refusal.data);
  }
  const found = world.transactions
    .filter((tx) => !tx.failed && tx.block >= from && tx.block <= to)
    .flatMap((tx) => tx.logs.map((log) => nodeLog(tx, log)))
    .filter((log) => !filter.address || log.address === filter.address)
    .filter((log) => filter.topics.every((wanted, place) => fits(wanted, log.topics[place])));
  if (found.length > (node.logsMax ?? Number.POSITIVE_INFINITY)) {
    return error(-32_005, `query returned more than ${node.logsMax} results`);
  }
  return result(found);
}

function fits(wanted: string | string[] | null, topic: string | undefined): boolean {
  if (wanted === null) return topic !== undefined;
  return topic !== undefined && [wanted].flat().includes(topic);
}
