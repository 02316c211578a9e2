import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import { EVM_CHAIN_IDS } from '../../../domain/chain.ts';
import { encodeRlp } from '../../evm/format/rlp.ts';
import { topicOf } from '../decoding/address.ts';
import { eventOf, keccak } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, contractOf, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, leaving } from '../decoding/moved.ts';
import { endOn } from '../decoding/route.ts';
import { inHistory, nowhere, type ProtocolReader } from './port.ts';

const protocol = 'arbitrum_native';
const DELIVERED = eventOf(
  'MessageDelivered(uint256 indexed messageIndex, bytes32 indexed beforeInboxAcc, address inbox, uint8 kind, address sender, bytes32 messageDataHash, uint256 baseFeeL1, uint64 timestamp)',
);
const INBOX = eventOf('InboxMessageDelivered(uint256 indexed messageNum, bytes data)');
const EXIT = eventOf(
  'L2ToL1Tx(address caller, address indexed destination, uint256 indexed hash, uint256 indexed position, uint256 arbBlockNum, uint256 ethBlockNum, uint256 timestamp, uint256 callvalue, bytes data)',
);
const EXECUTED = eventOf(
  'OutBoxTransactionExecuted(address indexed to, address indexed l2Sender, uint256 indexed zero, uint256 transactionIndex)',
);
/** The kind of message that deposits the coin. */
const COIN_DEPOSIT = 12n;
const DEPOSIT_TYPE = '64';
const DOWN = { from: endOn(protocol, 'ethereum'), to: endOn(protocol, 'arbitrum') };
const UP = { from: DOWN.to, to: DOWN.from };

/**
 * The coin over Arbitrum's own bridge. Down, the hash of the deposit's transaction on Arbitrum follows from the message and
 * is the id; up, the position of the exit is.
 */
export const arbitrumNative: ProtocolReader = {
  recognise: (facts) => [
    ...bridgeEvents(facts, protocol, 'inbox', INBOX).flatMap((one) => deposited(facts, one)),
    ...credited(facts),
    ...bridgeEvents(facts, protocol, 'arbsys', EXIT).flatMap((one) => exited(facts, one)),
    ...bridgeEvents(facts, protocol, 'outbox', EXECUTED).flatMap((one) => executed(facts, one)),
  ],
  lookUp({ side, chain, id, route, recipient, sender, agreed }, registry) {
    const isSource = side === 'source';
    if (chain === 'ethereum' && isSource) return [{ by: 'transaction', chains: ['arbitrum'], hash: id! }];
    if (!isSource) return inHistory(route.from!.chain, chain === 'arbitrum' ? recipient : sender);
    const contract = contractOf(registry, protocol, 'ethereum', 'outbox');
    if (contract === null || recipient === null) return nowhere('ethereum');
    const topics = [topicOf(recipient), topicOf(agreed.caller!)];
    return [{ by: 'logs', chain: 'ethereum', contract, events: [EXECUTED.topic], topics }];
  },
};

/** Recipient and value of a deposit. */
const DEPOSIT = /^([0-9a-f]{40})([0-9a-f]{64})$/;

function deposited(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const delivered = bridgeEvents(facts, protocol, 'bridge', DELIVERED).find(
    (one) => one.values.messageIndex === values.messageNum && one.values.inbox === emitter.address,
  );
  const parts = DEPOSIT.exec(values.data as string);
  if (!delivered || delivered.values.kind !== COIN_DEPOSIT || !parts) return [];
  const [, to, amount] = parts as unknown as [string, string, string];
  const value = BigInt(`0x${amount}`);
  const sender = delivered.values.sender as string;
  const fields = [
    quantity(BigInt(EVM_CHAIN_IDS.arbitrum)),
    (values.messageNum as bigint).toString(16).padStart(64, '0'),
    sender.slice(2),
    to,
    quantity(value),
  ];
  const id = keccak(Buffer.from(`${DEPOSIT_TYPE}${encodeRlp(fields)}`, 'hex'));
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id,
      route: DOWN,
      sender: facts.evidence.call?.from ?? null,
      recipient: `0x${to}`,
      agreed: { amount: String(value), recipient: `0x${to}` },
    },
    leaving(facts, { token: null, raw: value, position: log.index }, [emitter.address]),
  );
}

/** Only the chain itself writes transactions of this type. */
function credited(facts: TransactionFacts): BridgeMessage[] {
  const { transaction, call } = facts.evidence;
  if (facts.chain !== 'arbitrum' || transaction.type !== 'arbitrum_deposit' || !call?.to) return [];
  return destinationMessage(
    facts,
    {
      protocol,
      position: 0,
      id: facts.hash,
      route: DOWN,
      sender: null,
      recipient: call.to,
      agreed: { amount: String(call.value), recipient: call.to },
    },
    arriving(facts, { token: null, raw: call.value, position: 0 }, call.to),
  );
}

function exited(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const raw = values.callvalue as bigint;
  const caller = values.caller as string;
  const recipient = values.destination as string;
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: String(values.position),
      route: UP,
      sender: caller,
      recipient,
      agreed: { caller, recipient },
    },
    leaving(facts, { token: null, raw, position: log.index }, [emitter.address]),
  );
}

/** The amount stands in no log: it is what the bridge paid the recipient. */
function executed(facts: TransactionFacts, { log, values }: BridgeEvent): BridgeMessage[] {
  const bridge = contractOf(facts.registry, protocol, facts.chain, 'bridge');
  const recipient = values.to as string;
  const caller = values.l2Sender as string;
  const paid = facts.evidence.transaction.transfers.find(
    (one) => one.token === null && one.from === bridge && one.to === recipient && !facts.claimed.has(one.id),
  );
  if (!paid?.amountRaw) return [];
  return destinationMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: String(values.transactionIndex),
      route: UP,
      sender: caller,
      recipient,
      agreed: { caller, recipient },
    },
    arriving(facts, { token: null, raw: BigInt(paid.amountRaw), position: log.index }, recipient),
  );
}

function quantity(value: bigint): string {
  const hex = value === 0n ? '' : value.toString(16);
  return hex.length % 2 === 0 ? hex : `0${hex}`;
}
