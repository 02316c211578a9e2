import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import { eventOf } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, leaving } from '../decoding/moved.ts';
import { endOn, routeEnd } from '../decoding/route.ts';
import { inHistory, otherChain, type ProtocolReader } from './port.ts';

const protocol = 'celer';
const SEND = eventOf(
  'Send(bytes32 transferId, address sender, address receiver, address token, uint256 amount, uint64 dstChainId, uint64 nonce, uint32 maxSlippage)',
);
const RELAY = eventOf(
  'Relay(bytes32 transferId, address sender, address receiver, address token, uint256 amount, uint64 srcChainId, bytes32 srcTransferId)',
);

/** Celer's pools: the destination repeats the transfer id of the source. Neither event has indexed arguments. */
export const celer: ProtocolReader = {
  recognise: (facts) => [
    ...bridgeEvents(facts, protocol, 'pool', SEND).flatMap((one) => sent(facts, one)),
    ...bridgeEvents(facts, protocol, 'pool', RELAY).flatMap((one) => relayed(facts, one)),
  ],
  lookUp(message) {
    const { side, recipient, agreed } = message;
    return inHistory(otherChain(message), side === 'source' ? recipient : (agreed.sender ?? null));
  },
};

function sent(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: values.transferId as string,
      route: { from: endOn(protocol, facts.chain), to: routeEnd(protocol, values.dstChainId as bigint) },
      sender: values.sender as string,
      recipient: values.receiver as string,
      agreed: { sender: values.sender as string, recipient: values.receiver as string },
    },
    leaving(facts, { token: values.token as string, raw: values.amount as bigint, position: log.index }, [
      emitter.address,
    ]),
  );
}

function relayed(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  const recipient = values.receiver as string;
  return destinationMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: values.srcTransferId as string,
      route: { from: routeEnd(protocol, values.srcChainId as bigint), to: endOn(protocol, facts.chain) },
      sender: values.sender as string,
      recipient,
      agreed: { sender: values.sender as string, recipient },
    },
    arriving(facts, { token: values.token as string, raw: values.amount as bigint, position: log.index }, recipient),
  );
}
