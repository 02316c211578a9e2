import { EVM_CHAIN_IDS, type EvmChain } from '../../../src/domain/chain.ts';
import { takingBatches, type Upstream } from '../../contract/upstream.ts';
import { error, result } from '../evm/test-node.ts';

// biome-ignore lint/suspicious/noExplicitAny: transactions as nodes give them
type Recorded = { tx: any; receipt: any };

export interface RecordedChain {
  chain: EvmChain;
  transactions: Recorded[];
  /** Epoch seconds of the first transaction's block; every block takes a second. */
  atS: number;
  /** Tokens whose decimals are not 18. */
  decimals?: Record<string, number>;
}

const hex = (value: number) => `0x${value.toString(16)}`;

/** A node that knows some recorded transactions and nothing else, without a tracer. */
export function recordedNode({ chain, transactions, atS, decimals = {} }: RecordedChain): Upstream {
  const first = Number(transactions[0]!.tx.blockNumber);
  const head = Math.max(...transactions.map(({ tx }) => Number(tx.blockNumber))) + 10;
  const timeOf = (block: number) => atS + block - first;
  return takingBatches(({ body }) => {
    const { method, params } = body as { method: string; params: unknown[] };
    const known = transactions.find(({ tx }) => tx.hash === params[0]);
    switch (method) {
      case 'eth_chainId':
        return result(hex(EVM_CHAIN_IDS[chain]));
      case 'eth_blockNumber':
        return result(hex(head));
      case 'eth_getBlockByNumber': {
        const number = Number(params[0]);
        const time = Math.max(timeOf(number), 1_300_000_000);
        return result({
          number: hex(number),
          hash: `0x${number.toString(16).padStart(64, '0')}`,
          timestamp: hex(time),
        });
      }
      case 'eth_getTransactionByHash':
        return result(known?.tx ?? null);
      case 'eth_getTransactionReceipt':
        return result(known?.receipt ?? null);
      case 'eth_getTransactionCount':
      case 'eth_getBalance':
        return result('0x0');
      case 'eth_getCode':
        return result('0x');
      case 'eth_call': {
        const { to, data } = params[0] as { to: string; data: string };
        const isDecimals = data.startsWith('0x313ce567');
        return result(isDecimals ? `0x${(decimals[to] ?? 18).toString(16).padStart(64, '0')}` : '0x');
      }
      case 'eth_getLogs':
        return result(logsOf(transactions, params[0] as Filter));
      default:
        return error(-32_601, `the method ${method} does not exist/is not available`);
    }
  });
}

interface Filter {
  address?: string;
  fromBlock: string;
  toBlock: string;
  topics: (string | string[] | null)[];
}

function logsOf(transactions: Recorded[], filter: Filter) {
  return transactions
    .flatMap(({ receipt }) => receipt.logs)
    .filter(
      (log) =>
        (!filter.address || log.address === filter.address) &&
        Number(log.blockNumber) >= Number(filter.fromBlock) &&
        Number(log.blockNumber) <= Number(filter.toBlock) &&
        filter.topics.every((wanted, i) => wanted === null || [wanted].flat().includes(log.topics[i])),
    );
}
