import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import { type AbiValue, argumentTypes, readArguments } from '../../../domain/calldata/abi.ts';
import type { Chain } from '../../../domain/chain.ts';
import { COINBASE } from '../../../domain/null-addresses.ts';
import { encodeRlp, rlpQuantity } from '../../evm/format/rlp.ts';
import { addressWord, topicOf } from '../decoding/address.ts';
import { eventOf, keccak } from '../decoding/event.ts';
import {
  type BridgeEvent,
  bridgeEvents,
  contractOf,
  type Emitter,
  type Registry,
  type TransactionFacts,
} from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, leaving } from '../decoding/moved.ts';
import { endOn } from '../decoding/route.ts';
import { inHistory, nowhere, type OtherSideSearch, otherChain, type ProtocolReader } from './port.ts';

const protocol = 'optimism_native';
const SENT = eventOf(
  'SentMessage(address indexed target, address sender, bytes message, uint256 messageNonce, uint256 gasLimit)',
);
const SENT_VALUE = eventOf('SentMessageExtension1(address indexed sender, uint256 value)');
const RELAYED = eventOf('RelayedMessage(bytes32 indexed msgHash)');
const COIN_FINAL = eventOf(
  'ETHBridgeFinalized(address indexed from, address indexed to, uint256 amount, bytes extraData)',
);
const TOKEN_FINAL = eventOf(
  'ERC20BridgeFinalized(address indexed localToken, address indexed remoteToken, address indexed from, address to, uint256 amount, bytes extraData)',
);
/** Names of the same events before 2023, by whether the first token is the local one. */
const OLD_FINAL = [
  eventOf(
    'ERC20WithdrawalFinalized(address indexed localToken, address indexed remoteToken, address indexed from, address to, uint256 amount, bytes extraData)',
  ),
  eventOf(
    'DepositFinalized(address indexed remoteToken, address indexed localToken, address indexed from, address to, uint256 amount, bytes extraData)',
  ),
];
const OLD_COIN_FINAL = eventOf(
  'ETHWithdrawalFinalized(address indexed from, address indexed to, uint256 amount, bytes extraData)',
);

/** Payouts that the standard bridge of one chain asks of the other's, by selector. */
const PAYOUTS: Record<string, { names: string[]; types: string }> = {
  '1635f5fd': { names: ['from', 'to', 'amount'], types: '(address,address,uint256,bytes)' },
  '1532ec34': { names: ['from', 'to', 'amount'], types: '(address,address,uint256,bytes)' },
  '0166a07a': {
    names: ['there', 'here', 'from', 'to', 'amount'],
    types: '(address,address,address,address,uint256,bytes)',
  },
  a9f9e675: {
    names: ['there', 'here', 'from', 'to', 'amount'],
    types: '(address,address,address,address,uint256,bytes)',
  },
  '662a633a': {
    names: ['here', 'there', 'from', 'to', 'amount'],
    types: '(address,address,address,address,uint256,bytes)',
  },
};
/** How Optimism's old bridge wrote the coin as a token. */
const OLD_COIN = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000';

const DEPOSITED = eventOf(
  'TransactionDeposited(address indexed from, address indexed to, uint256 indexed version, bytes opaqueData)',
);
/** Coin that is minted, coin that is paid on, gas, whether a contract is created, call data. */
const OPAQUE = /^([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{16})(0[01])((?:[0-9a-f]{2})*)$/;
/** A contract of Ethereum sends on the other chain from its address plus this. */
const ALIAS_OFFSET = BigInt('0x1111000000000000000000000000000000001111');
const ADDRESSES = 2n ** 160n;
const DEPOSIT_TYPE = '7e';

/**
 * The native bridges of Optimism and Base: the hash of the relayed call is the id, or of the transaction that mints coin which
 * was sent through the portal itself.
 */
export const optimismNative: ProtocolReader = {
  recognise: (facts) => [
    ...sentMessages(facts).flatMap((one) => sent(facts, one)),
    ...bridgeEvents(facts, protocol, 'messenger', RELAYED).flatMap((one) => relayed(facts, one)),
    ...portalMessages(facts),
  ],
  lookUp(message, registry) {
    const throughPortal = portalLookUp(message, registry);
    if (throughPortal) return throughPortal;
    const { side, route, id, sender } = message;
    const chain = otherChain(message);
    if (side === 'destination') return inHistory(chain, sender);
    return inRelays(chain, route.from!.chain, id!, registry);
  },
};

/** The search for the transaction that relayed a message, by its id. */
export function inRelays(chain: Chain | null, from: Chain | null, id: string, registry: Registry): OtherSideSearch[] {
  const messenger = chain && registry.of(protocol, chain, 'messenger').find((one) => isPeer(one, from));
  if (!messenger) return nowhere(chain);
  return [{ by: 'logs', chain: chain!, contract: messenger.address, events: [RELAYED.topic], topics: [topicOf(id)] }];
}

/** A message that a native messenger took in, whatever it carries; the id is the hash of the relayed call. */
interface SentMessage {
  emitter: Emitter;
  peer: Chain;
  /** Index of the log. */
  position: number;
  call: Call;
  /** Amount of the coin in wei. */
  value: bigint;
  id: string;
}

export function sentMessages(facts: TransactionFacts): SentMessage[] {
  return bridgeEvents(facts, protocol, 'messenger', SENT).flatMap(({ emitter, log, values }) => {
    const { peer } = emitter;
    if (!peer) return [];
    const value = carriedValue(facts, emitter, log.index);
    const call = values as unknown as Call;
    return [{ emitter, peer, position: log.index, call, value, id: hashOf(call, value) }];
  });
}

/** The id of the message whose relay caused a log; null where none did. */
export function relayedAround(facts: TransactionFacts, position: number): string | null {
  const relayed = bridgeEvents(facts, protocol, 'messenger', RELAYED).find(({ log }) => log.index > position);
  return relayed ? (relayed.values.msgHash as string) : null;
}

/** A messenger on Ethereum serves one rollup; that of a rollup serves Ethereum. */
function isPeer({ peer }: Emitter, chain: Chain | null): boolean {
  return peer === chain;
}

function sent(facts: TransactionFacts, { emitter, peer, position, call, value, id }: SentMessage): BridgeMessage[] {
  const payout = payoutOf(facts, peer, call) ?? { to: call.target, amount: value, here: null, from: call.sender };
  if (payout.here === null && payout.amount === 0n) return [];
  return sourceMessage(
    facts,
    {
      protocol,
      position,
      id,
      route: { from: endOn(protocol, facts.chain), to: endOn(protocol, peer) },
      sender: payout.from,
      recipient: payout.to,
      agreed: { amount: String(payout.amount), recipient: payout.to },
    },
    leaving(facts, { token: payout.here, raw: payout.amount, position }, bridgesOf(facts, emitter)),
  );
}

/** The coin that the message carries, in the log behind its own. */
function carriedValue(facts: TransactionFacts, { address }: Emitter, after: number): bigint {
  const [next] = bridgeEvents(facts, protocol, 'messenger', SENT_VALUE).filter(
    ({ log }) => log.address === address && log.index > after,
  );
  const other = bridgeEvents(facts, protocol, 'messenger', SENT).find(
    ({ log }) => log.index > after && log.index < (next?.log.index ?? 0),
  );
  return next && !other ? (next.values.value as bigint) : 0n;
}

function bridgesOf(facts: TransactionFacts, { address, chain }: Emitter): string[] {
  return [address, ...facts.registry.of(protocol, chain, 'bridge').map((one) => one.address)];
}

/** The payout that the standard bridge asks for; null for messages between other contracts. */
function payoutOf(facts: TransactionFacts, peer: Chain, call: { target: string; sender: string; message: string }) {
  const isBridge = (chain: Chain, address: string, other: Chain) =>
    facts.registry.of(protocol, chain, 'bridge').some((one) => one.address === address && one.peer === other);
  if (!isBridge(facts.chain, call.sender, peer) || !isBridge(peer, call.target, facts.chain)) return null;
  const shape = PAYOUTS[call.message.slice(0, 8)];
  if (!shape) return null;
  const { values, faults } = readArguments(argumentTypes(shape.types), call.message.slice(8), { items: 10 });
  if (faults.length > 0) return null;
  const read = Object.fromEntries(shape.names.map((name, i) => [name, values[i] as AbiValue]));
  const here = (read.here as string | undefined) ?? null;
  return {
    here: here === OLD_COIN ? null : here,
    from: read.from as string,
    to: read.to as string,
    amount: read.amount as bigint,
  };
}

interface Call {
  target: string;
  sender: string;
  message: string;
  messageNonce: bigint;
  gasLimit: bigint;
}

/** The hash of the call that relays the message; its form depends on the version in the nonce. */
function hashOf({ target, sender, message, messageNonce, gasLimit }: Call, value: bigint): string {
  const word = (number: bigint) => number.toString(16).padStart(64, '0');
  const bytes = word(BigInt(message.length / 2)) + message.padEnd(Math.ceil(message.length / 64) * 64, '0');
  const call =
    messageNonce >> 240n === 0n
      ? `cbd4ece9${addressWord(target)}${addressWord(sender)}${word(128n)}${word(messageNonce)}${bytes}`
      : `d764ad0b${word(messageNonce)}${addressWord(sender)}${addressWord(target)}${word(value)}${word(gasLimit)}${word(192n)}${bytes}`;
  return keccak(Buffer.from(call, 'hex')).slice(2);
}

/** The log names the hash alone; what was paid out stands in the log of the bridge before it. */
function relayed(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const { peer } = emitter;
  const id = values.msgHash as string;
  const bridge = contractOf(facts.registry, protocol, facts.chain, 'bridge');
  if (!peer || bridge === null) return [];
  const earlier = bridgeEvents(facts, protocol, 'messenger', RELAYED).findLast((one) => one.log.index < log.index);
  const paid = [COIN_FINAL, OLD_COIN_FINAL, TOKEN_FINAL, ...OLD_FINAL]
    .flatMap((shape) => bridgeEvents(facts, protocol, 'bridge', shape))
    .filter((one) => one.emitter.peer === peer && one.log.index < log.index)
    .filter((one) => one.log.index > (earlier?.log.index ?? -1))
    .sort((a, b) => b.log.index - a.log.index)[0];
  if (!paid) return [];
  const { from, to, amount, localToken = null } = paid.values as Record<string, AbiValue>;
  const token = localToken === OLD_COIN ? null : (localToken as string | null);
  return destinationMessage(
    facts,
    {
      protocol,
      position: log.index,
      id,
      route: { from: endOn(protocol, peer), to: endOn(protocol, facts.chain) },
      sender: from as string,
      recipient: to as string,
      agreed: { amount: String(amount), recipient: to as string },
    },
    arriving(facts, { token, raw: amount as bigint, position: paid.log.index }, to as string),
  );
}

/**
 * Coin that a party sends through the portal itself, without the messenger: the rollup mints it in a transaction of a type that
 * only the chain writes. The hash of that transaction follows from the deposit and is the id.
 */
function portalMessages(facts: TransactionFacts): BridgeMessage[] {
  return [
    ...bridgeEvents(facts, protocol, 'portal', DEPOSITED).flatMap((one) => deposited(facts, one)),
    ...minted(facts),
  ];
}

/** Null for messages that did not go through the portal itself. */
function portalLookUp({ side, chain, route, id, agreed }: BridgeMessage, registry: Registry): OtherSideSearch[] | null {
  if (agreed.depositor === undefined) return null;
  if (side === 'source') {
    const to = route.to.chain;
    if (to === null || id === null) return nowhere(to);
    return [{ by: 'transaction', chains: [to], hash: id }];
  }
  const portal = registry.of(protocol, 'ethereum', 'portal').find(({ peer }) => peer === chain);
  if (!portal) return nowhere('ethereum');
  const topics = [topicOf(agreed.depositor), topicOf(agreed.recipient!)];
  return [{ by: 'logs', chain: 'ethereum', contract: portal.address, events: [DEPOSITED.topic], topics }];
}

function deposited(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const { peer } = emitter;
  const [depositor, to] = [values.from as string, values.to as string];
  const parts = OPAQUE.exec(values.opaqueData as string);
  if (!peer || !parts || values.version !== 0n || isMessenger(facts, depositor, peer)) return [];
  const [mint, value, gas] = [parts[1], parts[2], parts[3]].map((word) => BigInt(`0x${word}`)) as [
    bigint,
    bigint,
    bigint,
  ];
  const isCreation = parts[4] === '01';
  const { recipient, amount } = paidOut({ depositor, to: isCreation ? null : to, mint, value });
  const blockHash = facts.evidence.transaction.transfers[0]?.blockHash ?? null;
  const target = isCreation ? '' : to.slice(2);
  const fields = [depositor.slice(2), target, rlpQuantity(mint), rlpQuantity(value), rlpQuantity(gas), '', parts[5]!];
  const id = blockHash && depositId(blockHash, log.index, fields);
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id,
      route: { from: endOn(protocol, facts.chain), to: endOn(protocol, peer) },
      sender: facts.evidence.call?.from ?? null,
      recipient,
      agreed: { amount: String(amount), depositor, recipient },
    },
    leaving(facts, { token: null, raw: mint, position: log.index }, [emitter.address]),
  );
}

/** Returns the party that is paid with the minted coin, and how much; what pays no other party stays with the depositor. */
function paidOut({
  depositor,
  to,
  mint,
  value,
}: {
  depositor: string;
  to: string | null;
  mint: bigint;
  value: bigint;
}) {
  if (to === null || value === 0n) return { recipient: depositor, amount: mint };
  return { recipient: to, amount: value < mint ? value : mint };
}

/** The messenger's deposits are read from its own messages. */
function isMessenger({ registry }: TransactionFacts, depositor: string, peer: string): boolean {
  const sender = (BigInt(depositor) - ALIAS_OFFSET + ADDRESSES) % ADDRESSES;
  return registry
    .of(protocol, 'ethereum', 'messenger')
    .some((one) => one.peer === peer && BigInt(one.address) === sender);
}

function depositId(blockHash: string, logIndex: number, fields: string[]): string {
  const bytesOf = (hex: string) => Buffer.from(hex.replace(/^0x/, ''), 'hex');
  const place = keccak(bytesOf(blockHash.slice(2) + logIndex.toString(16).padStart(64, '0')));
  const sourceHash = keccak(bytesOf('0'.repeat(64) + place.slice(2)));
  return keccak(bytesOf(`${DEPOSIT_TYPE}${encodeRlp([sourceHash.slice(2), ...fields])}`));
}

function minted(facts: TransactionFacts): BridgeMessage[] {
  const { transaction, call } = facts.evidence;
  const isRollup = facts.registry.of(protocol, 'ethereum', 'portal').some(({ peer }) => peer === facts.chain);
  if (!isRollup || transaction.type !== 'deposit' || !call || isMessenger(facts, call.from, facts.chain)) return [];
  const given = transaction.transfers.filter(({ from, token }) => from === COINBASE && token === null);
  const mint = given.reduce((sum, { amountRaw }) => sum + BigInt(amountRaw ?? 0), 0n);
  if (mint === 0n) return [];
  const { recipient, amount } = paidOut({ depositor: call.from, to: call.to, mint, value: call.value });
  return destinationMessage(
    facts,
    {
      protocol,
      position: 0,
      id: facts.hash,
      route: { from: endOn(protocol, 'ethereum'), to: endOn(protocol, facts.chain) },
      sender: null,
      recipient,
      agreed: { amount: String(amount), depositor: call.from, recipient },
    },
    arriving(facts, { token: null, raw: amount, position: 0 }, recipient),
  );
}
