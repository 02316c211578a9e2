import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import { addressInWord, addressWord, topicOf } from '../decoding/address.ts';
import { eventOf, keccak } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, contractOf, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, leaving } from '../decoding/moved.ts';
import { endOn, routeEnd } from '../decoding/route.ts';
import { nowhere, otherChain, type ProtocolReader } from './port.ts';

const protocol = 'cctp_v2';
const DEPOSIT = eventOf(
  'DepositForBurn(address indexed burnToken, uint256 amount, address indexed depositor, bytes32 mintRecipient, uint32 destinationDomain, bytes32 destinationTokenMessenger, bytes32 destinationCaller, uint256 maxFee, uint32 indexed minFinalityThreshold, bytes hookData)',
);
const RECEIVED = eventOf(
  'MessageReceived(address indexed caller, uint32 sourceDomain, bytes32 indexed nonce, bytes32 sender, uint32 indexed finalityThresholdExecuted, bytes messageBody)',
);
const MINT = eventOf(
  'MintAndWithdraw(address indexed mintRecipient, uint256 amount, address indexed mintToken, uint256 feeCollected)',
);

/** The fields of a burn that both sides repeat. Its hash is the id: the nonce is set off the chain after the burn. */
interface Content {
  burn_token: string;
  recipient: string;
  amount: string;
  depositor: string;
  max_fee: string;
  hook: string;
}

/** Circle's burn and mint of USDC, version 2: twins of the same content share an id. */
export const cctpV2: ProtocolReader = {
  sharesIds: true,
  recognise: (facts) => [
    ...bridgeEvents(facts, protocol, 'token_messenger', DEPOSIT).flatMap((one) => burned(facts, one)),
    ...bridgeEvents(facts, protocol, 'message_transmitter', RECEIVED).flatMap((one) => minted(facts, one)),
  ],
  lookUp(message, registry) {
    const isSource = message.side === 'source';
    const chain = otherChain(message);
    const contract = contractOf(registry, protocol, chain, 'token_messenger');
    const { recipient = '', burn_token = '', depositor = '' } = message.agreed;
    if (contract === null || message.recipient === null) return nowhere(chain);
    const topics = isSource ? [topicOf(recipient)] : [topicOf(burn_token), topicOf(depositor)];
    return [{ by: 'logs', chain: chain!, contract, events: [(isSource ? MINT : DEPOSIT).topic], topics }];
  },
};

function idOf(from: string, to: string, { burn_token, recipient, amount, depositor, max_fee, hook }: Content): string {
  const parts = [from, to, burn_token, recipient, amount, depositor, max_fee, hook];
  return keccak(Buffer.from(parts.join(':'), 'latin1'));
}

function burned(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  const from = endOn(protocol, facts.chain);
  const to = routeEnd(protocol, values.destinationDomain as bigint);
  const content: Content = {
    burn_token: addressWord(values.burnToken as string),
    recipient: values.mintRecipient as string,
    amount: String(values.amount),
    depositor: addressWord(values.depositor as string),
    max_fee: String(values.maxFee),
    hook: values.hookData as string,
  };
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: idOf(from.raw, to.raw, content),
      route: { from, to },
      sender: values.depositor as string,
      recipient: addressInWord(to.chain, content.recipient),
      agreed: agreedOf(content),
    },
    leaving(facts, { token: values.burnToken as string, raw: values.amount as bigint, position: log.index }),
  );
}

/** Version, burned token, recipient, amount, depositor, highest fee, fee, last block, hook. */
const BODY =
  /^[0-9a-f]{8}([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{64})([0-9a-f]{64})[0-9a-f]{64}([0-9a-f]*)$/;

function minted(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  const from = routeEnd(protocol, values.sourceDomain as bigint);
  const to = endOn(protocol, facts.chain);
  const body = BODY.exec(values.messageBody as string);
  const messenger = contractOf(facts.registry, protocol, from.chain, 'token_messenger');
  if (!body || messenger === null || values.sender !== addressWord(messenger)) return [];
  const [burn_token, recipientWord, amount, depositor, maxFee, fee, hook] = body.slice(1) as string[];
  const content: Content = {
    burn_token: burn_token!,
    recipient: recipientWord!,
    amount: String(BigInt(`0x${amount}`)),
    depositor: depositor!,
    max_fee: String(BigInt(`0x${maxFee}`)),
    hook: hook!,
  };
  const raw = BigInt(`0x${amount}`) - BigInt(`0x${fee}`);
  const recipient = addressInWord(facts.chain, recipientWord!);
  const mint = bridgeEvents(facts, protocol, 'token_messenger', MINT).findLast(
    (one) => one.log.index < log.index && one.values.mintRecipient === recipient && one.values.amount === raw,
  );
  if (recipient === null || !mint) return [];
  return destinationMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: idOf(from.raw, to.raw, content),
      route: { from, to },
      sender: addressInWord(from.chain, depositor!),
      recipient,
      agreed: agreedOf(content),
    },
    arriving(facts, { token: mint.values.mintToken as string, raw, position: log.index }, recipient),
  );
}

/** The hook can be long; the id covers it. */
function agreedOf({ hook: _, ...rest }: Content): Record<string, string> {
  return rest;
}
