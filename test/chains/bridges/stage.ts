import { Interface } from 'ethers';
import { type Bridges, openBridges } from '../../../src/chains/bridges/bridges.ts';
import { knownContracts, registryOf } from '../../../src/chains/bridges/registry.ts';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import { guardSource } from '../../../src/chains/guarded-source.ts';
import type { ChainSource } from '../../../src/chains/port.ts';
import { EVM_CHAIN_IDS, type EvmChain } from '../../../src/domain/chain.ts';
import { type Anvil, type MinedTransaction, startAnvil } from '../../setup/anvil.ts';
import { sourceGuards } from '../source-guards.ts';

/** One call of a scripted transaction. */
export interface Step {
  to: string;
  data: string;
  value?: bigint;
}

/** Two real EVM nodes on which any contract logs what a test wants, at its real address. */
export interface Stage {
  /** Runs the steps as one transaction of the sender; the calls come from `at`. */
  run(chain: EvmChain, steps: Step[], options?: RunOptions): Promise<MinedTransaction>;
  bridges(chains: readonly EvmChain[], options?: { without?: EvmChain }): Bridges;
  source(chain: EvmChain): ChainSource;
  /** Epoch ms that the bridges take for now. */
  now: number;
  sender: string;
  /** Of the node of Ethereum. */
  url: string;
  stop(): Promise<void>;
}

interface RunOptions {
  /** Selector and arguments in front of the script, and the contract that is called. */
  head?: string;
  at?: string;
  value?: bigint;
}

const SCRIPT = `0x${'5c'.repeat(20)}`;
/** Four words behind a selector. */
const HEAD_BYTES = 132;
/** Reverts whatever it is asked. */
export const REVERTS: Step = { to: `0x${'fd'.repeat(20)}`, data: '0x' };

/** Starts a node of Ethereum and one of the other chain. */
export async function openStage(other: EvmChain = 'arbitrum'): Promise<Stage> {
  const chainId = EVM_CHAIN_IDS[other];
  const [first, second] = await Promise.all([startAnvil({ chainId: 1 }), startAnvil({ chainId })]);
  const nodeOf = (chain: EvmChain): Anvil => (chain === 'ethereum' ? first : second);
  let clockS = Date.UTC(2024, 0, 1, 1) / 1_000;
  const known = new Set<string>();
  const sources = new Map<EvmChain, ChainSource>();
  const setCode = async (chain: EvmChain, address: string, code: string) => {
    const key = `${chain === 'ethereum'}:${address}`;
    if (!known.has(key)) await nodeOf(chain).rpc('anvil_setCode', [address, code]);
    known.add(key);
  };
  const stage: Stage = {
    now: Date.UTC(2024, 0, 3),
    sender: first.accounts[0]!,
    url: first.url,
    async run(chain, steps, { head, at = SCRIPT, value } = {}) {
      const node = nodeOf(chain);
      await setCode(chain, REVERTS.to, '0x5f5ffd');
      for (const address of [at, ...steps.filter(({ data }) => data !== '0x').map(({ to }) => to)]) {
        await setCode(chain, address, programOf(SIX.has(address) ? 6 : 18));
      }
      // Both nodes share one clock, a minute for each transaction.
      clockS += 60;
      await node.rpc('evm_setNextBlockTimestamp', [clockS]);
      const coin = value ?? steps.reduce((sum, step) => sum + (step.value ?? 0n), 0n);
      const data = (head ?? 'ffffffff').padEnd(2 * HEAD_BYTES, '0') + steps.map(encodeStep).join('');
      const mined = await node.send({ from: stage.sender, to: at, value: coin, data: `0x${data}` });
      // For a moment the node shows a mined transaction as pending.
      for (;;) {
        const shown = (await node.rpc('eth_getTransactionByHash', [mined.hash])) as {
          blockNumber: string | null;
        } | null;
        if (shown?.blockNumber) return mined;
      }
    },
    source(chain) {
      const open = () => guardSource(openEvm(chain, { rpcUrl: nodeOf(chain).url }, { pageLimit: 20 }), sourceGuards());
      const source = sources.get(chain) ?? open();
      sources.set(chain, source);
      return source;
    },
    bridges: (chains, { without } = {}) =>
      openBridges({
        chainSource: async (chain) =>
          chains.includes(chain as EvmChain) && chain !== without ? stage.source(chain as EvmChain) : null,
        registry: async () => registryOf(knownContracts()),
        now: () => stage.now,
      }),
    stop: async () => {
      await Promise.all([first.stop(), second.stop()]);
    },
  };
  return stage;
}

/** Tokens of six decimals. */
const SIX = new Set([
  '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
  '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8',
  '0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9',
  '0x7f5c764cbc14f9669b88837ca1490cca17c31607',
  '0x2791bca1f2de4661ed88a30c99a7a9449aa84174',
  '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913',
  '0x7777777777777777777777777777777777777777',
]);
const ERC20 = new Interface(['event Transfer(address indexed from, address indexed to, uint256 value)']);

/** An event of a contract, declared as in Solidity. */
export function logs(contract: string, declaration: string, args: unknown[]): Step {
  const abi = new Interface([`event ${declaration}`]);
  return step(contract, abi.encodeEventLog(abi.fragments[0] as never, args));
}

export function moves(token: string, from: string, to: string, amount: bigint): Step {
  return step(token, ERC20.encodeEventLog('Transfer', [from, to, amount]));
}

export function pays(to: string, value: bigint): Step {
  return { to, data: '0x', value };
}

function step(to: string, { topics, data }: { topics: string[]; data: string }): Step {
  const count = topics.length.toString(16).padStart(2, '0');
  return { to, data: `0x${count}${topics.map((topic) => topic.slice(2)).join('')}${data.slice(2)}` };
}

function encodeStep({ to, data, value = 0n }: Step): string {
  const bytes = data.slice(2);
  return `${to.slice(2)}${hex(bytes.length / 2, 3)}${hex(value, 32)}${bytes}`;
}

function hex(value: number | bigint, bytes: number): string {
  return value.toString(16).padStart(2 * bytes, '0');
}

/**
 * A contract of three uses by the first byte of its input: up to 4, it logs so many topics and the rest as data; a
 * question for decimals or symbol is answered; everything else is a script of calls behind the head.
 */
function programOf(decimals: number): string {
  const code: string[] = [];
  const labels = new Map<string, number>();
  let size = 0;
  const emit = (...parts: string[]) => {
    for (const part of parts) {
      if (part.startsWith(':')) {
        labels.set(part.slice(1), size);
        code.push('5b');
        size += 1;
      } else if (part.startsWith('@')) {
        code.push(part);
        size += 3;
      } else {
        code.push(part);
        size += part.length / 2;
      }
    }
  };
  emit('5f', '35', '5f', '1a');
  for (let n = 0; n <= 4; n++) emit('80', `60${hex(n, 1)}`, '14', `@log${n}`, '57');
  emit('80', '6031', '14', '@answer', '57', '80', '6095', '14', '@answer', '57');
  emit('50', `60${hex(HEAD_BYTES, 1)}`, ':loop', '36', '81', '10', '15', '@end', '57');
  emit('80', '35', '80', '6060', '1c', '90', '6048', '1c', '62ffffff', '16');
  emit('80', '83', '6037', '01', '5f', '37', '5f', '5f', '82', '5f');
  emit('86', '6017', '01', '35', '86', '5a', 'f1', '15', '@fail', '57', '90', '50', '01', '6037', '01', '@loop', '56');
  emit(':end', '00', ':fail', '5f', '5f', 'fd', ':answer', `60${hex(decimals, 1)}`, '5f', '52', '6020', '5f', 'f3');
  for (let n = 0; n <= 4; n++) {
    emit(`:log${n}`, '80', '6005', '1b', '6001', '01', '80', '36', '03', '80', '82', '5f', '37', '90', '50');
    for (let i = n; i >= 1; i--) emit(`60${hex(1 + 32 * (i - 1), 1)}`, '35');
    emit(hex(0x80 + n, 1), '5f', hex(0xa0 + n, 1), '00');
  }
  return `0x${code.map((part) => (part.startsWith('@') ? `61${hex(labels.get(part.slice(1))!, 2)}` : part)).join('')}`;
}
