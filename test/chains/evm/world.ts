import { createHash } from 'node:crypto';
import { TRANSFER_TOPIC } from '../../../src/domain/transfers/evm-log.ts';

export interface WorldLog {
  index: number;
  address: string;
  topics: string[];
  data: string;
}
export interface WorldTransaction {
  hash: string;
  block: number;
  position: number;
  from: string;
  to: string;
  value: bigint;
  input: string;
  failed: boolean;
  logs: WorldLog[];
  inner: { path: string; from: string; to: string; value: bigint; failed: boolean }[];
}

/** A small made-up chain that test explorers and test nodes serve. */
export interface World {
  head: number;
  transactions: WorldTransaction[];
  tokens: Record<string, { symbol: string; decimals: number }>;
  /** Coin that blocks gave without a transaction. */
  gifts?: { kind: 'withdrawal' | 'block' | 'uncle'; block: number; to: string; value: bigint }[];
}

const T0 = Date.UTC(2023, 0, 1);
const BLOCK_MS = 12_000;
export const GAS_USED = 21_000n;
export const GAS_PRICE = 2_000_000_000n;

export const timeOf = (block: number) => T0 + block * BLOCK_MS;
export const blockHash = (block: number) => hashOf(`block ${block}`);
export const hashOf = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;
export const addressOf = (name: string) => hashOf(name).slice(0, 42);
export const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0');
export const topic = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;

export const ME = addressOf('me');
export const PEER = addressOf('peer');
export const TOKEN = addressOf('token');
/** Few transfers, of every kind. */
export const MIXED = addressOf('mixed');
const DEED = addressOf('deed');
export const NOBODY = addressOf('nobody');

export function transaction(fields: Partial<WorldTransaction> & { hash: string; block: number }): WorldTransaction {
  return { position: 0, from: ME, to: PEER, value: 0n, input: '0x', failed: false, logs: [], inner: [], ...fields };
}

export function transferLog(index: number, from: string, to: string, amount: bigint, address = TOKEN): WorldLog {
  return { index, address, topics: [TRANSFER_TOPIC, topic(from), topic(to)], data: `0x${word(amount)}` };
}

function deedLog(index: number, from: string, to: string, id: bigint): WorldLog {
  return { index, address: DEED, topics: [TRANSFER_TOPIC, topic(from), topic(to), `0x${word(id)}`], data: '0x' };
}

const TRANSFER_INPUT = `0xa9059cbb${'0'.repeat(128)}`;
export const FAILED = hashOf('failed');
export const LARGE = hashOf('large');
export const LARGE_AMOUNT = 2n ** 80n + 7n;
export const PAYMENTS = 2_600;
export const TOKEN_PAYMENTS = 120;

/** What an address holds: nothing where it paid more than it got. */
export function balanceOf({ transactions, gifts = [] }: World, address: string): bigint {
  let balance = gifts.reduce((sum, { to, value }) => (to === address ? sum + value : sum), 0n);
  const move = (from: string, to: string, value: bigint) => {
    if (from === address) balance -= value;
    if (to === address) balance += value;
  };
  for (const { from, to, value, failed, inner } of transactions) {
    if (from === address) balance -= GAS_USED * GAS_PRICE;
    if (failed) continue;
    move(from, to, value);
    for (const one of inner) {
      const isUndone = inner.some(({ path, failed }) => failed && `${one.path}_`.startsWith(`${path}_`));
      if (!isUndone) move(one.from, one.to, one.value);
    }
  }
  return balance > 0n ? balance : 0n;
}

/** Many plain payments, fewer token payments, one failed, one very large, one with inner moves. */
export function busyWorld(): World {
  const payments = Array.from({ length: PAYMENTS }, (_, n) =>
    transaction({
      hash: hashOf(`payment ${n}`),
      block: 100 + n * 15,
      from: n % 3 === 0 ? PEER : ME,
      to: n % 3 === 0 ? ME : PEER,
      // The first one pays for all that follow.
      value: n === 0 ? 10n ** 26n : BigInt(n) * 10n ** 15n,
    }),
  );
  const tokens = Array.from({ length: TOKEN_PAYMENTS }, (_, n) =>
    transaction({
      hash: hashOf(`token ${n}`),
      block: 150 + n * 300,
      position: 1,
      to: TOKEN,
      input: TRANSFER_INPUT,
      logs: [transferLog(3, ME, PEER, BigInt(n + 1) * 1_000_000n)],
    }),
  );
  const others = [
    transaction({ hash: FAILED, block: 39_500, to: TOKEN, value: 5n * 10n ** 18n, failed: true }),
    transaction({ hash: LARGE, block: 39_501, value: LARGE_AMOUNT }),
    transaction({
      hash: hashOf('inner'),
      block: 39_502,
      from: PEER,
      to: TOKEN,
      value: 9n,
      inner: [
        { path: '0', from: TOKEN, to: ME, value: 4n, failed: false },
        { path: '1', from: TOKEN, to: PEER, value: 5n, failed: true },
        { path: '1_0', from: PEER, to: ME, value: 5n, failed: false },
      ],
    }),
  ];
  const mixed = [
    transaction({ hash: hashOf('mixed 1'), block: 39_600, to: MIXED, value: 3n * 10n ** 17n }),
    transaction({ hash: hashOf('mixed 2'), block: 39_601, from: MIXED, to: PEER, value: 2n, failed: true }),
    transaction({
      hash: hashOf('mixed 3'),
      block: 39_602,
      from: PEER,
      to: TOKEN,
      // Two equal moves in one transaction, then a deed.
      logs: [transferLog(0, PEER, MIXED, 5n), transferLog(1, PEER, MIXED, 5n), deedLog(2, PEER, MIXED, 77n)],
      inner: [{ path: '0_1', from: TOKEN, to: MIXED, value: 8n, failed: false }],
    }),
  ];
  return {
    head: 40_000,
    transactions: [...payments, ...tokens, ...others, ...mixed].sort(
      (a, b) => a.block - b.block || a.position - b.position,
    ),
    tokens: { [TOKEN]: { symbol: 'FAB', decimals: 6 }, [DEED]: { symbol: 'DEED', decimals: 0 } },
  };
}
