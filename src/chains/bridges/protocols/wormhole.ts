import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import { PROTOCOLS } from '../../../domain/bridges/protocols.ts';
import type { Chain } from '../../../domain/chain.ts';
import { isNullAddress } from '../../../domain/tracing/asset-id.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { addressInWord, addressWord, topicOf } from '../decoding/address.ts';
import { eventOf } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, contractOf, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arrivingBy, leavingBy, ofOneAsset, rawOf } from '../decoding/moved.ts';
import { endOn, routeEnd } from '../decoding/route.ts';
import { nowhere, type OtherSideSearch, type ProtocolReader } from './port.ts';

const protocol = 'wormhole';
const PUBLISHED = eventOf(
  'LogMessagePublished(address indexed sender, uint64 sequence, uint32 nonce, bytes payload, uint8 consistencyLevel)',
);
const REDEEMED = eventOf(
  'TransferRedeemed(uint16 indexed emitterChainId, bytes32 indexed emitterAddress, uint64 indexed sequence)',
);
/** Messages carry at most eight decimals. */
const DECIMALS_MAX = 8;

/** Wormhole's token bridge: chain, contract and sequence of the message are the id. */
export const wormhole: ProtocolReader = {
  recognise: (facts) => [
    ...bridgeEvents(facts, protocol, 'core', PUBLISHED).flatMap((one) => published(facts, one)),
    ...bridgeEvents(facts, protocol, 'token_bridge', REDEEMED).flatMap((one) => redeemed(facts, one)),
  ],
  lookUp(message, registry) {
    const { from, to } = message.route;
    const [, emitter = '', sequence = '0'] = message.id!.split('/');
    if (message.side === 'destination') {
      const core = contractOf(registry, protocol, from!.chain, 'core');
      if (core === null || message.sender === null) return nowhere(from!.chain);
      // The sequence is not indexed: the history of the sender names the transaction.
      return [{ by: 'history', chain: from!.chain!, address: message.sender }];
    }
    const contract = contractOf(registry, protocol, to.chain, 'token_bridge');
    if (contract === null || message.recipient === null) return nowhere(to.chain);
    const topics = [topicOf(BigInt(from!.raw)), topicOf(emitter), topicOf(BigInt(sequence))];
    const byLog: OtherSideSearch = { by: 'logs', chain: to.chain!, contract, events: [REDEEMED.topic], topics };
    return [byLog, { by: 'history', chain: to.chain!, address: message.recipient }];
  },
};

/** Kind, amount, token, chain of the token, recipient, chain of the recipient, then a fee or the sender. */
const TRANSFER = /^0([13])([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{4})([0-9a-f]{64})([0-9a-f]{4})([0-9a-f]{64})/;

interface Payload {
  amount: bigint;
  /** The token on its own chain, 32 bytes. */
  token: string;
  tokenChain: bigint;
  recipient: string;
  to: bigint;
  /** The fee that a relayer may keep; nothing for messages with a payload. */
  fee: bigint;
}

function payloadOf(hex: string): Payload | null {
  const parts = TRANSFER.exec(hex);
  if (!parts) return null;
  const [, kind, amount, token, tokenChain, recipient, to, last] = parts as unknown as [string, ...string[]] & string[];
  return {
    amount: BigInt(`0x${amount}`),
    token: token!,
    tokenChain: BigInt(`0x${tokenChain}`),
    recipient: recipient!,
    to: BigInt(`0x${to}`),
    fee: kind === '1' ? BigInt(`0x${last}`) : 0n,
  };
}

function agreedOf({ amount, token, tokenChain, recipient, fee }: Payload): Record<string, string> {
  return { amount: String(amount), token, token_chain: String(tokenChain), recipient, fee: String(fee) };
}

function published(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  const bridge = contractOf(facts.registry, protocol, facts.chain, 'token_bridge');
  const payload = payloadOf(values.payload as string);
  if (bridge === null || values.sender !== bridge || !payload) return [];
  const from = endOn(protocol, facts.chain);
  const to = routeEnd(protocol, payload.to);
  const fits = (one: Transfer) => isOf(facts.chain, payload, one, one.to, bridge) && isAmount(one, payload.amount);
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: `${from.raw}/${addressWord(bridge)}/${values.sequence}`,
      route: { from, to },
      sender: null,
      recipient: addressInWord(to.chain, payload.recipient),
      agreed: agreedOf(payload),
    },
    leavingBy(facts, log.index, ofOneAsset(facts, fits)),
  );
}

/** The log names the message alone; its content stands in the input of the transaction, behind the same three values. */
function redeemed(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const from = routeEnd(protocol, values.emitterChainId as bigint);
  const bridge = contractOf(facts.registry, protocol, from.chain, 'token_bridge');
  const word = values.emitterAddress as string;
  if (bridge === null || word !== addressWord(bridge)) return [];
  const sequence = values.sequence as bigint;
  const header = `${hex(values.emitterChainId as bigint, 4)}${word}${hex(sequence, 16)}`;
  const input = facts.evidence.call?.input ?? '';
  const place = input.indexOf(header);
  // One byte of finality stands between header and payload.
  const payload = place === -1 ? null : payloadOf(input.slice(place + header.length + 2));
  const recipient = payload && addressInWord(facts.chain, payload.recipient);
  if (!recipient) return [];
  const fits = (one: Transfer) =>
    isOf(facts.chain, payload, one, one.from, emitter.address) &&
    (isAmount(one, payload.amount) || isAmount(one, payload.amount - payload.fee));
  return destinationMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: `${from.raw}/${word}/${sequence}`,
      route: { from, to: routeEnd(protocol, payload.to) },
      sender: null,
      recipient,
      agreed: agreedOf(payload),
    },
    arrivingBy(
      facts,
      log.index,
      recipient,
      ofOneAsset(facts, (one) => one.to === recipient && fits(one)),
    ),
  );
}

/** The token itself on its own chain; elsewhere any token that the bridge mints or burns. */
function isOf(chain: Chain, { token, tokenChain }: Payload, one: Transfer, otherEnd: string, bridge: string): boolean {
  const isBridged = otherEnd === bridge || isNullAddress(`${chain}:${otherEnd}`);
  const isHome = String(tokenChain) === String(PROTOCOLS[protocol].numbers[chain]);
  return isBridged && (!isHome || one.token === null || addressWord(one.token) === token);
}

function isAmount(one: Transfer, amount: bigint): boolean {
  const decimals = one.decimals ?? 0;
  return rawOf(one) / 10n ** BigInt(Math.max(0, decimals - DECIMALS_MAX)) === amount && amount > 0n;
}

function hex(value: bigint, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
