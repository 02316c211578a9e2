import { formatUnits } from '../../../domain/amount.ts';
import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import { isNullAddress } from '../../../domain/tracing/asset-id.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { addressInWord, topicOf } from '../decoding/address.ts';
import { eventOf } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, contractOf, type Emitter, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, arrivingBy, leaving, leavingBy, ofOneAsset, rawOf } from '../decoding/moved.ts';
import { endOn, routeEnd } from '../decoding/route.ts';
import { nowhere, type OtherSideSearch, otherChain, type ProtocolReader } from './port.ts';

const protocol = 'layerzero';
const SENT = eventOf(
  'OFTSent(bytes32 indexed guid, uint32 dstEid, address indexed fromAddress, uint256 amountSentLD, uint256 amountReceivedLD)',
);
const RECEIVED = eventOf(
  'OFTReceived(bytes32 indexed guid, uint32 srcEid, address indexed toAddress, uint256 amountReceivedLD)',
);
const PACKET = eventOf('PacketSent(bytes encodedPayload, bytes options, address sendLibrary)');
const RODE = eventOf('BusRode(uint32 dstEid, uint72 ticketId, uint80 fare, bytes passenger)');
const DRIVEN = eventOf('BusDriven(uint32 dstEid, uint72 startTicketId, uint8 numPassengers, bytes32 guid)');
const NO_GUID = '0'.repeat(64);

/**
 * Tokens of the OFT standard and Stargate's pools over LayerZero, by the guid of the packet. A transfer that waits for
 * Stargate's bus has no guid until the bus leaves.
 */
export const layerzero: ProtocolReader = {
  recognise: (facts) => [
    ...bridgeEvents(facts, protocol, 'oft', SENT).flatMap((one) => sent(facts, one)),
    ...bridgeEvents(facts, protocol, 'oft', RECEIVED).flatMap((one) => received(facts, one)),
  ],
  lookUp(message, registry) {
    const isSource = message.side === 'source';
    const chain = otherChain(message);
    if (chain === null || message.id === null) return nowhere(chain);
    const event = isSource ? RECEIVED : SENT;
    const family = registry.of(protocol, chain, 'oft').filter((one) => one.family === message.agreed.family);
    const topics = [topicOf(message.id)];
    const lookUps = family.map(
      ({ address }): OtherSideSearch => ({ by: 'logs', chain, contract: address, events: [event.topic], topics }),
    );
    return lookUps.length > 0 ? lookUps : nowhere(chain);
  },
  completion: {
    lookUp(message, registry) {
      const contract = contractOf(registry, protocol, message.chain, 'token_messaging');
      if (contract === null) return nowhere(message.chain)[0]!;
      return { by: 'logs', chain: message.chain, contract, events: [DRIVEN.topic], topics: [] };
    },
    idIn(message, facts) {
      const ticket = BigInt(message.agreed.ticket ?? -1);
      const bus = bridgeEvents(facts, protocol, 'token_messaging', DRIVEN).find(({ values }) => {
        const start = values.startTicketId as bigint;
        const isAboard = ticket >= start && ticket < start + (values.numPassengers as bigint);
        return isAboard && String(values.dstEid) === message.route.to.raw;
      });
      return (bus?.values.guid as string | undefined) ?? null;
    },
  },
};

function sent(facts: TransactionFacts, event: BridgeEvent): BridgeMessage[] {
  const { emitter, log, values } = event;
  const guid = values.guid as string;
  const ride = guid === NO_GUID ? rideOf(facts, event) : null;
  const to = routeEnd(protocol, values.dstEid as bigint);
  const word = ride?.receiver ?? receiverOf(facts, guid);
  if (word === null || (guid === NO_GUID && !ride)) return [];
  const raw = values.amountSentLD as bigint;
  const moved =
    emitter.token === null
      ? leaving(facts, { token: null, raw, position: log.index }, [emitter.address])
      : leavingBy(
          facts,
          log.index,
          ofOneAsset(facts, (one) => rawOf(one) === raw && belongsTo(emitter, one, one.to)),
        );
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: ride ? null : guid,
      route: { from: endOn(protocol, facts.chain), to },
      sender: values.fromAddress as string,
      recipient: addressInWord(to.chain, word),
      agreed: {
        amount: formatUnits(values.amountReceivedLD as bigint, moved?.decimals ?? 0),
        family: emitter.family ?? emitter.address,
        ...(ride && { ticket: String(ride.ticket) }),
      },
    },
    moved,
  );
}

function received(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const raw = values.amountReceivedLD as bigint;
  const recipient = values.toAddress as string;
  const moved =
    emitter.token === null
      ? arriving(facts, { token: null, raw, position: log.index }, recipient)
      : arrivingBy(
          facts,
          log.index,
          recipient,
          ofOneAsset(facts, (one) => one.to === recipient && rawOf(one) === raw && belongsTo(emitter, one, one.from)),
        );
  return destinationMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: values.guid as string,
      route: { from: routeEnd(protocol, values.srcEid as bigint), to: endOn(protocol, facts.chain) },
      sender: null,
      recipient,
      agreed: { amount: formatUnits(raw, moved?.decimals ?? 0), family: emitter.family ?? emitter.address },
    },
    moved,
  );
}

/** The contract is the token, holds it, or burns and mints it. */
function belongsTo({ chain, address }: Emitter, { token }: Transfer, otherEnd: string): boolean {
  return token !== null && (token === address || otherEnd === address || isNullAddress(`${chain}:${otherEnd}`));
}

/** Version, nonce, source, sender, destination, receiving contract, guid, then the message. */
const PACKET_HEADER = /^01[0-9a-f]{16}[0-9a-f]{8}([0-9a-f]{64})[0-9a-f]{8}[0-9a-f]{64}([0-9a-f]{64})([0-9a-f]*)$/;
/** Stargate's taxi: kind, asset, receiver, amount. */
const TAXI = /^01[0-9a-f]{4}([0-9a-f]{64})[0-9a-f]{16}/;
/** Receiver, amount. */
const OFT = /^([0-9a-f]{64})[0-9a-f]{16}/;

/** The receiver (32 bytes) in the packet of the guid, as LayerZero's endpoint logged it. */
function receiverOf(facts: TransactionFacts, guid: string): string | null {
  for (const { values } of bridgeEvents(facts, protocol, 'endpoint', PACKET)) {
    const packet = PACKET_HEADER.exec(values.encodedPayload as string);
    if (packet?.[2] !== guid) continue;
    const sender = addressInWord(facts.chain, packet[1]!) ?? '';
    const isTaxi = facts.registry.at(facts.chain, sender).some(({ role }) => role === 'token_messaging');
    return (isTaxi ? TAXI : OFT).exec(packet[3]!)?.[1] ?? null;
  }
  return null;
}

/** Asset, receiver, amount, flag. */
const PASSENGER = /^[0-9a-f]{4}([0-9a-f]{64})[0-9a-f]{16}[0-9a-f]{2}$/;

/** The seat that the event before took: the last one to the same chain. */
function rideOf(facts: TransactionFacts, { log, values }: BridgeEvent): { ticket: bigint; receiver: string } | null {
  const ride = bridgeEvents(facts, protocol, 'token_messaging', RODE).findLast(
    (one) => one.log.index < log.index && one.values.dstEid === values.dstEid,
  );
  const receiver = PASSENGER.exec((ride?.values.passenger as string | undefined) ?? '')?.[1];
  return ride && receiver ? { ticket: ride.values.ticketId as bigint, receiver } : null;
}
