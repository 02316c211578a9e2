import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import { addressInWord, addressWord, topicOf } from '../decoding/address.ts';
import { eventOf } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, contractOf, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, leaving } from '../decoding/moved.ts';
import { endOn, routeEnd } from '../decoding/route.ts';
import { nowhere, otherChain, type ProtocolReader } from './port.ts';

const protocol = 'cctp_v1';
const DEPOSIT = eventOf(
  'DepositForBurn(uint64 indexed nonce, address indexed burnToken, uint256 amount, address indexed depositor, bytes32 mintRecipient, uint32 destinationDomain, bytes32 destinationTokenMessenger, bytes32 destinationCaller)',
);
const RECEIVED = eventOf(
  'MessageReceived(address indexed caller, uint32 sourceDomain, uint64 indexed nonce, bytes32 sender, bytes messageBody)',
);
const MINT = eventOf('MintAndWithdraw(address indexed mintRecipient, uint256 amount, address indexed mintToken)');

/** Circle's burn and mint of USDC, version 1: the nonce of the source domain is the id. */
export const cctpV1: ProtocolReader = {
  recognise: (facts) => [
    ...bridgeEvents(facts, protocol, 'token_messenger', DEPOSIT).flatMap((one) => burned(facts, one)),
    ...bridgeEvents(facts, protocol, 'message_transmitter', RECEIVED).flatMap((one) => minted(facts, one)),
  ],
  lookUp(message, registry) {
    const isSource = message.side === 'source';
    const chain = otherChain(message);
    const contract = contractOf(registry, protocol, chain, isSource ? 'message_transmitter' : 'token_messenger');
    if (contract === null) return nowhere(chain);
    const nonce = topicOf(BigInt(message.id!));
    const event = isSource ? RECEIVED : DEPOSIT;
    return [{ by: 'logs', chain: chain!, contract, events: [event.topic], topics: isSource ? [null, nonce] : [nonce] }];
  },
};

function burned(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  const to = routeEnd(protocol, values.destinationDomain as bigint);
  const raw = values.amount as bigint;
  const depositor = values.depositor as string;
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: String(values.nonce),
      route: { from: endOn(protocol, facts.chain), to },
      sender: depositor,
      recipient: addressInWord(to.chain, values.mintRecipient as string),
      agreed: {
        amount: String(raw),
        burn_token: addressWord(values.burnToken as string),
        recipient: values.mintRecipient as string,
        depositor: addressWord(depositor),
      },
    },
    leaving(facts, { token: values.burnToken as string, raw, position: log.index }),
  );
}

/** Version, burned token, recipient, amount, depositor. */
const BODY = /^[0-9a-f]{8}([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{64})$/;

function minted(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  const from = routeEnd(protocol, values.sourceDomain as bigint);
  const body = BODY.exec(values.messageBody as string);
  const messenger = contractOf(facts.registry, protocol, from.chain, 'token_messenger');
  if (!body || messenger === null || values.sender !== addressWord(messenger)) return [];
  const [burnToken, mintRecipient, amount, depositor] = body.slice(1) as [string, string, string, string];
  const raw = BigInt(`0x${amount}`);
  const recipient = addressInWord(facts.chain, mintRecipient);
  const token = recipient && mintedToken(facts, log.index, recipient, raw);
  if (!recipient || !token) return [];
  return destinationMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: String(values.nonce),
      route: { from, to: endOn(protocol, facts.chain) },
      sender: addressInWord(from.chain, depositor),
      recipient,
      agreed: { amount: String(raw), burn_token: burnToken, recipient: mintRecipient, depositor },
    },
    arriving(facts, { token, raw, position: log.index }, recipient),
  );
}

/** The token of the mint that the message caused: the last one before it. */
function mintedToken(facts: TransactionFacts, before: number, recipient: string, raw: bigint): string | null {
  const mints = bridgeEvents(facts, protocol, 'token_messenger', MINT).filter(
    ({ log, values }) => log.index < before && values.mintRecipient === recipient && values.amount === raw,
  );
  return (mints.at(-1)?.values.mintToken as string | undefined) ?? null;
}
