import { FetchRequest, Interface, JsonRpcProvider, type Log, Network, toBeHex } from 'ethers';
import { CHAINS, EVM_CHAIN_IDS, type EvmChain, isEvmChain } from '../../domain/chain.ts';
import { SourceError } from '../../errors.ts';
import { Batches } from '../batches.ts';
import type { RpcError } from '../evm/node/rpc.ts';
import { askSource, type Endpoint } from '../http.ts';
import type { SourcePaces } from '../port.ts';
import type { Touch } from './port.ts';

/** The same contract on all eight chains. */
const MULTICALL = '0xcA11bde05977b3631167028862bE2a173976CA11';
const multicall = new Interface([
  'function getEthBalance(address) view returns (uint256)',
  'function aggregate3((address target, bool allowFailure, bytes callData)[]) payable returns ((bool success, bytes returnData)[])',
]);

/** Balance of an address, and how many transactions it has sent; null where that was not asked yet. */
export interface State {
  balance: string;
  sent: number | null;
}

export interface BlockHead {
  number: number;
  hash: string;
}

/** A node that is listened to, asked through ethers. */
export class EvmNode {
  private readonly endpoint: Endpoint;
  private readonly chain: EvmChain;
  private readonly paces?: SourcePaces;
  private readonly provider: JsonRpcProvider;
  private readonly stopping = new AbortController();
  private readonly batches: Batches;
  private isConfirmed = false;
  private hasMulticall = true;

  constructor(endpoint: Endpoint, chain: EvmChain, paces?: SourcePaces) {
    this.endpoint = endpoint;
    this.chain = chain;
    this.paces = paces;
    this.batches = new Batches(endpoint);
    const network = Network.from(EVM_CHAIN_IDS[chain]);
    const options = { staticNetwork: network, cacheTimeout: -1, batchMaxCount: 1 };
    this.provider = new JsonRpcProvider(this.guarded(), network, options);
  }

  close(): void {
    this.stopping.abort(new Error('The listener is closed'));
    this.provider.destroy();
  }

  /** Throws what ethers throws: nodes refuse too many logs in many ways. */
  logs(filter: { topics: (string | string[] | null)[]; fromBlock: number; toBlock: number }): Promise<Log[]> {
    return this.provider.getLogs(filter);
  }

  /** All requests of ethers go through the guarded client: bounded in bytes, depth and time, without redirects. */
  private guarded(): FetchRequest {
    const request = new FetchRequest(this.endpoint.baseUrl);
    request.setThrottleParams({ maxAttempts: 1 });
    request.getUrlFunc = async ({ body }) => {
      const asked: unknown = JSON.parse(Buffer.from(body ?? []).toString('utf8'));
      const { status, json } = await askSource(this.endpoint, { body: asked, attempts: 2, ...this.options() });
      // Some nodes say so what JSON-RPC would say with 200.
      const statusCode = status === 400 && isRpcAnswer(json) ? 200 : status;
      return { statusCode, statusMessage: '', headers: {}, body: Buffer.from(JSON.stringify(json ?? null)) };
    };
    return request;
  }

  private options() {
    return { paces: this.paces, inBackground: true, signal: this.stopping.signal };
  }

  private async ask(method: string, params: unknown[]): Promise<unknown> {
    try {
      return await this.provider.send(method, params);
    } catch (error) {
      throw this.sourceError(method, error);
    }
  }

  /** Says an error of ethers in our terms; a SourceError stays as it is. */
  sourceError(what: string, error: unknown): SourceError {
    if (error instanceof SourceError) return error;
    const { message } = refusalIn(error);
    return new SourceError(this.chain, `${this.endpoint.name}: ${what}: ${message.slice(0, 300)}`, { cause: error });
  }

  /** Refuses a node of another chain, once for each listener, which is opened again after every failure. */
  async confirmChain(): Promise<void> {
    if (this.isConfirmed) return;
    const stated = Number(await this.ask('eth_chainId', []));
    if (stated !== EVM_CHAIN_IDS[this.chain]) {
      const other = CHAINS.find((one) => isEvmChain(one) && EVM_CHAIN_IDS[one] === stated);
      const reason = `${this.endpoint.name}: it serves ${other ?? 'another chain'} (chain id ${stated}), not ${this.chain}`;
      throw new SourceError(this.chain, reason, { problem: 'other_network' });
    }
    this.isConfirmed = true;
  }

  /** Throws for a block that it lacks: one of the nodes behind a URL may, and nothing is reorganised by that. */
  async head(tag: string): Promise<BlockHead> {
    const block = (await this.ask('eth_getBlockByNumber', [tag, false])) as { number?: unknown; hash?: unknown } | null;
    if (block === null) throw new SourceError(this.chain, `${this.endpoint.name}: it has no block ${tag}`);
    const number = Number(block?.number);
    if (!Number.isSafeInteger(number) || typeof block?.hash !== 'string') {
      throw new SourceError(this.chain, `${this.endpoint.name}: the block ${tag} was answered with something else`);
    }
    return { number, hash: block.hash };
  }

  /** How many transactions each address had sent at a block. */
  async sentBy(addresses: readonly string[], block: number): Promise<number[]> {
    return (await this.quantities('eth_getTransactionCount', addresses, block)).map(Number);
  }

  /** Asks one thing of each address at a block. */
  private async quantities(method: string, addresses: readonly string[], block: number): Promise<bigint[]> {
    const answers = await this.batches.ask<unknown>(
      addresses.map((address) => ({ method, params: [address, toHex(block)] })),
      {
        read: (answer) => (answer as { result?: unknown }).result ?? null,
        alone: (call) => this.ask(call.method, call.params),
      },
      this.options(),
    );
    return answers.map((answer) => this.quantity(answer));
  }

  async balancesOf(addresses: readonly string[], block: number): Promise<string[]> {
    if (this.hasMulticall) {
      const calls = addresses.map((address) => ({
        target: MULTICALL,
        allowFailure: false,
        callData: multicall.encodeFunctionData('getEthBalance', [address]),
      }));
      const data = multicall.encodeFunctionData('aggregate3', [calls]);
      const answer = await this.ask('eth_call', [{ to: MULTICALL, data }, toHex(block)]);
      if (answer !== '0x') return this.balancesIn(answer, addresses.length);
      this.hasMulticall = false;
    }
    return (await this.quantities('eth_getBalance', addresses, block)).map(String);
  }

  /** Reads the one layout that the contract writes: to decode a hostile one may take ethers minutes and gigabytes. */
  private balancesIn(answer: unknown, count: number): string[] {
    const words = typeof answer === 'string' && /^0x[0-9a-f]*$/i.test(answer) ? answer.slice(2) : '';
    if (words.length !== (2 + 5 * count) * 64) {
      throw new SourceError(this.chain, `${this.endpoint.name}: balances were answered with something else`);
    }
    const word = (place: number) => BigInt(`0x${words.slice(place * 64, (place + 1) * 64)}`);
    return Array.from({ length: count }, (_, place) => word(2 + count + 4 * place + 3).toString());
  }

  async stateAt(address: string, block: number): Promise<State> {
    const balance = this.quantity(await this.ask('eth_getBalance', [address, toHex(block)])).toString();
    const sent = this.quantity(await this.ask('eth_getTransactionCount', [address, toHex(block)]));
    return { balance, sent: Number(sent) };
  }

  private quantity(answer: unknown): bigint {
    if (typeof answer !== 'string' || !/^0x[0-9a-f]{1,64}$/i.test(answer)) {
      throw new SourceError(this.chain, `${this.endpoint.name}: a balance was answered with something else`);
    }
    return BigInt(answer);
  }

  /** Both ends of each payment of a block. */
  async partiesIn(block: number): Promise<Touch[]> {
    const answer = (await this.ask('eth_getBlockByNumber', [toHex(block), true])) as { transactions?: unknown } | null;
    // One of the nodes behind a URL may not have it yet.
    if (answer === null) throw new SourceError(this.chain, `${this.endpoint.name}: it has no block ${block}`);
    const listed = Array.isArray(answer?.transactions) ? answer.transactions : [];
    return listed.flatMap(({ hash, from, to }: { hash?: unknown; from?: unknown; to?: unknown }) => {
      if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) return [];
      const ends = [from, to].filter((end) => typeof end === 'string');
      return ends.map((end) => ({ address: end.toLowerCase(), txHash: hash.toLowerCase(), block }));
    });
  }
}

/** Finds what a node answered in an error of ethers, else what ethers says itself. */
export function refusalIn(error: unknown): RpcError {
  const { info, shortMessage, message, ...own } = error as {
    error?: Partial<RpcError>;
    info?: { error?: Partial<RpcError> };
    shortMessage?: string;
    message?: string;
  };
  const answered = own.error ?? info?.error;
  const said = answered?.message ?? shortMessage ?? message ?? String(error);
  return { code: answered?.code ?? 0, message: said, data: answered?.data ?? null };
}

export function toHex(block: number): string {
  return toBeHex(block).replace(/^0x0+(?=.)/, '0x');
}

function isRpcAnswer(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'error' in json;
}
