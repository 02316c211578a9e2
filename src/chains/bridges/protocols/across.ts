import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import type { AbiValue } from '../../../domain/calldata/abi.ts';
import { addressInWord, addressWord, topicOf } from '../decoding/address.ts';
import { eventOf } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, contractOf, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, leaving } from '../decoding/moved.ts';
import { endOn, routeEnd } from '../decoding/route.ts';
import { nowhere, otherChain, type ProtocolReader } from './port.ts';

const protocol = 'across';
const DEPOSITS = [
  eventOf(
    'FundsDeposited(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint256 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 indexed depositor, bytes32 recipient, bytes32 exclusiveRelayer, bytes message)',
  ),
  eventOf(
    'V3FundsDeposited(address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 indexed destinationChainId, uint32 indexed depositId, uint32 quoteTimestamp, uint32 fillDeadline, uint32 exclusivityDeadline, address indexed depositor, address recipient, address exclusiveRelayer, bytes message)',
  ),
];
const FILLS = [
  eventOf(
    'FilledRelay(bytes32 inputToken, bytes32 outputToken, uint256 inputAmount, uint256 outputAmount, uint256 repaymentChainId, uint256 indexed originChainId, uint256 indexed depositId, uint32 fillDeadline, uint32 exclusivityDeadline, bytes32 exclusiveRelayer, bytes32 indexed relayer, bytes32 depositor, bytes32 recipient, bytes32 messageHash, (bytes32,bytes32,uint256,uint8) relayExecutionInfo)',
  ),
  eventOf(
    'FilledV3Relay(address inputToken, address outputToken, uint256 inputAmount, uint256 outputAmount, uint256 repaymentChainId, uint256 indexed originChainId, uint32 indexed depositId, uint32 fillDeadline, uint32 exclusivityDeadline, address exclusiveRelayer, address indexed relayer, address depositor, address recipient, bytes message, (address,bytes,uint256,uint8) relayExecutionInfo)',
  ),
];

/** Deposits that relayers fill from their own money: the deposit's number and its chain are the id. */
export const across: ProtocolReader = {
  recognise: (facts) => [
    ...DEPOSITS.flatMap((shape) => bridgeEvents(facts, protocol, 'spoke_pool', shape)).flatMap((one) =>
      deposited(facts, one),
    ),
    ...FILLS.flatMap((shape) => bridgeEvents(facts, protocol, 'spoke_pool', shape)).flatMap((one) =>
      filled(facts, one),
    ),
  ],
  lookUp(message, registry) {
    const isSource = message.side === 'source';
    const { from, to } = message.route;
    const chain = otherChain(message);
    const contract = contractOf(registry, protocol, chain, 'spoke_pool');
    if (contract === null) return nowhere(chain);
    const shapes = isSource ? FILLS : DEPOSITS;
    const topics = [topicOf(BigInt((isSource ? from! : to).raw)), topicOf(BigInt(message.id!))];
    return [{ by: 'logs', chain: chain!, contract, events: shapes.map(({ topic }) => topic), topics }];
  },
};

/** The older events hold addresses where the newer ones hold 32 bytes. */
function word(value: AbiValue): string {
  const text = value as string;
  return text.startsWith('0x') ? addressWord(text) : text;
}

function agreedOf(values: BridgeEvent['values']): Record<string, string> {
  const outputToken = word(values.outputToken!);
  return {
    depositor: word(values.depositor!),
    recipient: word(values.recipient!),
    input_token: word(values.inputToken!),
    input_amount: String(values.inputAmount),
    output_amount: String(values.outputAmount),
    fill_deadline: String(values.fillDeadline),
    // An empty one leaves the choice to the protocol.
    ...(/^0+$/.test(outputToken) ? {} : { output_token: outputToken }),
  };
}

function deposited(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const to = routeEnd(protocol, values.destinationChainId as bigint);
  const token = addressInWord(facts.chain, word(values.inputToken!));
  if (token === null) return [];
  const depositor = addressInWord(facts.chain, word(values.depositor!));
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: String(values.depositId),
      route: { from: endOn(protocol, facts.chain), to },
      // Whoever pays may name anybody as the depositor: without transfers that show who paid, only the signer is sure.
      sender: depositor === facts.evidence.call?.from ? depositor : null,
      recipient: addressInWord(to.chain, word(values.recipient!)),
      agreed: agreedOf(values),
      expiresAt: Number(values.fillDeadline) * 1_000,
    },
    leaving(facts, { token, raw: values.inputAmount as bigint, position: log.index }, [emitter.address]),
  );
}

/** The depositor can still change recipient and amount before the fill: what was executed counts. */
function filled(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  const from = routeEnd(protocol, values.originChainId as bigint);
  const [updatedRecipient, , updatedAmount] = values.relayExecutionInfo as [AbiValue, AbiValue, bigint, bigint];
  const token = addressInWord(facts.chain, word(values.outputToken!));
  const recipient = addressInWord(facts.chain, word(updatedRecipient));
  if (token === null || recipient === null) return [];
  return destinationMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: String(values.depositId),
      route: { from, to: endOn(protocol, facts.chain) },
      sender: addressInWord(from.chain, word(values.depositor!)),
      recipient,
      agreed: agreedOf(values),
    },
    arriving(facts, { token, raw: updatedAmount, position: log.index }, recipient),
  );
}
