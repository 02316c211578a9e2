import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import type { AbiValue } from '../../../domain/calldata/abi.ts';
import { addressInBytes } from '../decoding/address.ts';
import { eventOf } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, leaving } from '../decoding/moved.ts';
import { endOn, routeEnd } from '../decoding/route.ts';
import { inHistory, otherChain, type ProtocolReader } from './port.ts';

const protocol = 'debridge';
const ORDER = '(uint64,bytes,uint256,bytes,uint256,uint256,bytes,uint256,bytes,bytes,bytes,bytes,bytes,bytes) order';
const CREATED = eventOf(
  `CreatedOrder(${ORDER}, bytes32 orderId, bytes affiliateFee, uint256 nativeFixFee, uint256 percentFee, uint32 referralCode, bytes metadata)`,
);
const FULFILLED = [
  eventOf(`FulfilledOrder(${ORDER}, bytes32 orderId, address sender, address unlockAuthority)`),
  eventOf(`FulfilledOrder(${ORDER}, bytes32 orderId, uint256 filled, address sender, address unlockAuthority)`),
];

/** Orders that solvers fill, often in another asset: the order's hash is the id. */
export const debridge: ProtocolReader = {
  recognise: (facts) => [
    ...bridgeEvents(facts, protocol, 'source', CREATED).flatMap((one) => created(facts, one)),
    ...FULFILLED.flatMap((shape) => bridgeEvents(facts, protocol, 'destination', shape)).flatMap((one) =>
      fulfilled(facts, one),
    ),
  ],
  lookUp: (message) => inHistory(otherChain(message), message.side === 'source' ? message.recipient : message.sender),
};

/** The order as both sides repeat it; addresses are bytes in the form of their chain. */
function orderOf(value: AbiValue) {
  const [nonce, maker, giveChain, giveToken, giveAmount, takeChain, takeToken, takeAmount, receiver] = value as [
    bigint,
    string,
    bigint,
    string,
    bigint,
    bigint,
    string,
    bigint,
    string,
  ];
  const agreed = {
    nonce: String(nonce),
    maker: maker.slice(0, 64),
    give_amount: String(giveAmount),
    take_token: takeToken.slice(0, 64),
    take_amount: String(takeAmount),
    receiver: receiver.slice(0, 64),
  };
  return { maker, giveChain, giveToken, giveAmount, takeChain, takeToken, takeAmount, receiver, agreed };
}

function created(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const order = orderOf(values.order!);
  const from = routeEnd(protocol, order.giveChain);
  const to = routeEnd(protocol, order.takeChain);
  if (from.chain !== facts.chain) return [];
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: values.orderId as string,
      route: { from, to },
      sender: addressInBytes(facts.chain, order.maker),
      recipient: addressInBytes(to.chain, order.receiver),
      agreed: order.agreed,
    },
    // The protocol's fee comes off before the order is written: more than the order names is paid in.
    leaving(
      facts,
      { token: addressInBytes(facts.chain, order.giveToken), raw: order.giveAmount, position: log.index },
      [emitter.address],
    ),
  );
}

function fulfilled(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  const order = orderOf(values.order!);
  const recipient = addressInBytes(facts.chain, order.receiver);
  const from = routeEnd(protocol, order.giveChain);
  if (recipient === null || routeEnd(protocol, order.takeChain).chain !== facts.chain) return [];
  const token = addressInBytes(facts.chain, order.takeToken);
  const raw = (values.filled as bigint | undefined) ?? order.takeAmount;
  return destinationMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: values.orderId as string,
      route: { from, to: endOn(protocol, facts.chain) },
      sender: addressInBytes(from.chain, order.maker),
      recipient,
      agreed: order.agreed,
    },
    arriving(facts, { token, raw, position: log.index }, recipient),
  );
}
