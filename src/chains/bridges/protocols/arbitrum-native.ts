import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import { type Chain, EVM_CHAIN_IDS } from '../../../domain/chain.ts';
import { isNullAddress } from '../../../domain/tracing/asset-id.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { encodeRlp, rlpQuantity } from '../../evm/format/rlp.ts';
import { topicOf } from '../decoding/address.ts';
import { eventOf, keccak } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, contractOf, type Registry, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, leaving, leavingBy, ofOneAsset, rawOf } from '../decoding/moved.ts';
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
const FINALIZED = eventOf(
  'WithdrawalFinalized(address token, address indexed sender, address indexed recipient, uint256 indexed exit, uint256 amount)',
);
/** A call of `finalizeInboundTransfer`: token, sender, recipient, amount. */
const TOKEN_EXIT = /^2e567b36[0-9a-f]{64}0{24}([0-9a-f]{40})0{24}([0-9a-f]{40})([0-9a-f]{64})/;
/** The kind of message that deposits the coin. */
const COIN_DEPOSIT = 12n;
const DEPOSIT_TYPE = '64';
const DOWN = { from: endOn(protocol, 'ethereum'), to: endOn(protocol, 'arbitrum') };
const UP = { from: DOWN.to, to: DOWN.from };

/**
 * The coin over Arbitrum's own bridge, and tokens out of it. Down, the hash of the deposit's transaction on Arbitrum follows
 * from the message and is the id; up, the position of the exit is, for tokens too, which a pair of gateways burns and pays.
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
    const topics = [topicOf(agreed.gateway ?? recipient), topicOf(agreed.caller!)];
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
    rlpQuantity(BigInt(EVM_CHAIN_IDS.arbitrum)),
    (values.messageNum as bigint).toString(16).padStart(64, '0'),
    sender.slice(2),
    to,
    rlpQuantity(value),
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
  const stated = { protocol, position: log.index, id: String(values.position), route: UP } as const;
  const token = TOKEN_EXIT.exec(values.data as string);
  if (token && areGateways(facts.registry, caller, recipient)) {
    const [from, to, amount] = [`0x${token[1]}`, `0x${token[2]}`, BigInt(`0x${token[3]}`)];
    const agreed = { caller, gateway: recipient, recipient: to, amount: String(amount) };
    const isBurned = (one: Transfer) =>
      one.from === from && isNullAddress(`arbitrum:${one.to}`) && rawOf(one) === amount;
    const burned = leavingBy(facts, log.index, ofOneAsset(facts, isBurned));
    return sourceMessage(facts, { ...stated, sender: from, recipient: to, agreed }, burned);
  }
  return sourceMessage(
    facts,
    { ...stated, sender: caller, recipient, agreed: { caller, recipient } },
    leaving(facts, { token: null, raw, position: log.index }, [emitter.address]),
  );
}

/** The amount stands in no log: it is what the bridge paid the recipient. */
function executed(facts: TransactionFacts, event: BridgeEvent): BridgeMessage[] {
  const { log, values } = event;
  const bridge = contractOf(facts.registry, protocol, facts.chain, 'bridge');
  const recipient = values.to as string;
  const caller = values.l2Sender as string;
  if (areGateways(facts.registry, caller, recipient)) return paidOut(facts, event, { gateway: recipient, caller });
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

/** True for the two ends of one gateway: only what they call on each other moves tokens. */
function areGateways(registry: Registry, onArbitrum: string, onEthereum: string): boolean {
  const find = (chain: Chain, address: string) =>
    registry.of(protocol, chain, 'gateway').find((one) => one.address === address);
  const [from, to] = [find('arbitrum', onArbitrum), find('ethereum', onEthereum)];
  return from !== undefined && from.family === to?.family;
}

/** The gateway states what it pays after the outbox called it, before the outbox calls the next contract. */
function paidOut(
  facts: TransactionFacts,
  { log, values }: BridgeEvent,
  { gateway, caller }: { gateway: string; caller: string },
): BridgeMessage[] {
  const next = bridgeEvents(facts, protocol, 'outbox', EXECUTED).find((one) => one.log.index > log.index);
  const until = next?.log.index ?? Number.POSITIVE_INFINITY;
  const paid = bridgeEvents(facts, protocol, 'gateway', FINALIZED).find(
    (one) => one.emitter.address === gateway && one.log.index > log.index && one.log.index < until,
  );
  if (!paid) return [];
  const { token, sender, recipient, amount } = paid.values as Record<string, string>;
  const agreed = { caller, gateway, recipient: recipient!, amount: String(amount) };
  const stated = { protocol, position: log.index, id: String(values.transactionIndex), route: UP } as const;
  return destinationMessage(
    facts,
    { ...stated, sender: sender!, recipient: recipient!, agreed },
    arriving(facts, { token: token!, raw: BigInt(amount!), position: paid.log.index }, recipient!),
  );
}
