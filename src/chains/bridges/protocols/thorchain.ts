import { canonicalAddress } from '../../../domain/address/address.ts';
import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import { PROTOCOLS } from '../../../domain/bridges/protocols.ts';
import { type Chain, isEvmChain } from '../../../domain/chain.ts';
import { groupBy } from '../../../domain/group-by.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { eventOf, utf8Text } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, leaving, rawOf, together, unexplained } from '../decoding/moved.ts';
import { endOn, routeEnd } from '../decoding/route.ts';
import { inHistory, type ProtocolReader } from './port.ts';

const protocol = 'thorchain';
const DEPOSIT = eventOf('Deposit(address indexed to, address indexed asset, uint256 amount, string memo)');
const OUT = eventOf(
  'TransferOut(address indexed vault, address indexed to, address asset, uint256 amount, string memo)',
);
const SERVED = Object.keys(PROTOCOLS[protocol].numbers) as Chain[];
/** Short forms of the coins in memos. */
const SHORT: Record<string, string> = {
  ...{ b: 'BTC', e: 'ETH', f: 'BASE', s: 'BSC', a: 'AVAX', x: 'XRP', tr: 'TRON' },
  ...{ c: 'BCH', d: 'DOGE', g: 'GAIA', l: 'LTC', r: 'THOR' },
};
const COINS = new Set(Object.values(SHORT));
/** A swap at once or at a price. */
const SWAPS = ['=', 's', 'swap', '=<'];
const ETHER = `0x${'0'.repeat(40)}`;

/** Swaps by memo: the payout repeats the hash of the transaction that paid in. Amounts are of different assets. */
export const thorchain: ProtocolReader = {
  recognise: (facts) => [
    ...bridgeEvents(facts, protocol, 'router', DEPOSIT).flatMap((one) => routed(facts, one)),
    ...bridgeEvents(facts, protocol, 'router', OUT).flatMap((one) => paidByRouter(facts, one)),
    ...memoOf(facts).flatMap((memo) => [...sentWithMemo(facts, memo), ...paidWithMemo(facts, memo)]),
  ],
  lookUp({ side, id, chain, route, recipient }) {
    if (side === 'source') return inHistory(route.to.chain, recipient);
    // The memo names the hash alone. Those of other chains cannot be asked for in this form.
    const chains = SERVED.filter((one) => one !== chain);
    const evm = { by: 'transaction', chains: chains.filter(isEvmChain), hash: `0x${id!.toLowerCase()}` } as const;
    const others = chains.filter((one) => !isEvmChain(one));
    return [{ by: 'transaction', chains: others, hash: id!.toLowerCase() }, evm];
  },
};

interface Swap {
  to: BridgeMessage['route']['to'];
  recipient: string | null;
}

/**
 * `=:ASSET:RECIPIENT:…`, where the name of a chain alone is its coin: null for every other memo, and for assets that stay on
 * THORChain.
 */
function swapOf(memo: string): Swap | null {
  const [kind = '', asset = '', paid = ''] = memo.split(':');
  if (!SWAPS.includes(kind.toLowerCase())) return null;
  const [, named = '', token] = /^([A-Za-z]{1,5})(\.[\w-]{1,100})?$/.exec(asset) ?? [];
  const code = SHORT[asset.toLowerCase()] ?? named.toUpperCase();
  if (token === undefined ? !COINS.has(code) : code.length < 2) return null;
  const to = routeEnd(protocol, code);
  const address = paid.split('/')[0] ?? '';
  return { to, recipient: to.chain && (canonicalAddress(to.chain, address)?.address ?? null) };
}

/** The hash in `OUT:<hash>`. Refunds are receipts of the sender and not a delivery. */
function paidFor(memo: string): string | null {
  return /^OUT:([0-9A-Fa-f]{64})$/.exec(memo)?.[1]?.toUpperCase() ?? null;
}

function hashId({ hash }: TransactionFacts): string {
  return hash.replace(/^0x/, '').toUpperCase();
}

function routed(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const swap = swapOf(utf8Text(values.memo as string) ?? '');
  if (!swap) return [];
  const asset = values.asset as string;
  const claim = { token: asset === ETHER ? null : asset, raw: values.amount as bigint, position: log.index };
  return sourceMessage(
    facts,
    {
      ...stated(facts, swap, { position: log.index, sender: facts.evidence.call?.from ?? null }),
      behind: values.to as string,
    },
    leaving(facts, claim, [emitter.address, values.to as string]),
  );
}

function paidByRouter(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  const id = paidFor(utf8Text(values.memo as string) ?? '');
  if (!id) return [];
  const asset = values.asset as string;
  const recipient = values.to as string;
  const claim = { token: asset === ETHER ? null : asset, raw: values.amount as bigint, position: log.index };
  const named = { ...delivered(facts, id, recipient, log.index), behind: values.vault as string };
  return destinationMessage(facts, named, arriving(facts, claim, recipient));
}

/** Returns the memo of a payment to a vault, on EVM chains in place of a call, past the router. Vaults rotate: only the payout confirms it. */
function memoOf({ chain, evidence: { memos, call, logs } }: TransactionFacts): string[] {
  if (!SERVED.includes(chain)) return [];
  if (!isEvmChain(chain)) return memos.slice(0, 1);
  const text = call !== null && call.value > 0n && logs.length === 0 ? utf8Text(call.input.slice(2)) : null;
  return text === null ? [] : [text];
}

function sentWithMemo(facts: TransactionFacts, memo: string): BridgeMessage[] {
  const swap = swapOf(memo);
  const paid = swap && largestPayment(facts);
  if (!swap || !paid) return [];
  return sourceMessage(facts, stated(facts, swap, { position: 0, sender: null }), together(facts, paid));
}

function paidWithMemo(facts: TransactionFacts, memo: string): BridgeMessage[] {
  const id = paidFor(memo);
  const paid = id && largestPayment(facts);
  if (!id || !paid) return [];
  return destinationMessage(facts, delivered(facts, id, paid[0]!.to, 0), together(facts, paid));
}

/** Returns what the transaction paid to the one that got most of it, its senders aside; inputs may share an output. */
function largestPayment(facts: TransactionFacts): Transfer[] | null {
  const own = unexplained(facts);
  const senders = new Set(own.map(({ from }) => from));
  const groups = [...groupBy(own, ({ to, token }) => `${to} ${token}`).values()].filter(
    ([one]) => !senders.has(one!.to),
  );
  const sum = (group: readonly Transfer[]) => group.reduce((total, one) => total + rawOf(one), 0n);
  return groups.toSorted((a, b) => (sum(a) < sum(b) ? 1 : -1))[0] ?? null;
}

function stated(facts: TransactionFacts, { to, recipient }: Swap, own: { position: number; sender: string | null }) {
  return { protocol, id: hashId(facts), route: { from: endOn(protocol, facts.chain), to }, recipient, ...own } as const;
}

function delivered(facts: TransactionFacts, id: string, recipient: string, position: number) {
  const to = endOn(protocol, facts.chain);
  return { protocol, id, route: { from: null, to }, sender: null, recipient, position } as const;
}
