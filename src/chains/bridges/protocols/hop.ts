import type { BridgeMessage, RouteEnd } from '../../../domain/bridges/message.ts';
import type { Chain } from '../../../domain/chain.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { addressWord, topicOf } from '../decoding/address.ts';
import { eventOf } from '../decoding/event.ts';
import {
  type BridgeEvent,
  bridgeEvents,
  type Emitter,
  type Registry,
  type TransactionFacts,
} from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, arrivingBy, idOf, leaving, leavingBy, rawOf } from '../decoding/moved.ts';
import { endOn, routeEnd } from '../decoding/route.ts';
import { inRelays, relayedAround, sentMessages } from './optimism-native.ts';
import { nowhere, type OtherSideSearch, type ProtocolReader } from './port.ts';

const protocol = 'hop';
const SENT = eventOf(
  'TransferSent(bytes32 indexed transferId, uint256 indexed chainId, address indexed recipient, uint256 amount, bytes32 transferNonce, uint256 bonderFee, uint256 index, uint256 amountOutMin, uint256 deadline)',
);
const BONDED = eventOf('WithdrawalBonded(bytes32 indexed transferId, uint256 amount)');
const WITHDREW = eventOf(
  'Withdrew(bytes32 indexed transferId, address indexed recipient, uint256 amount, bytes32 transferNonce)',
);
const SENT_TO_L2 = eventOf(
  'TransferSentToL2(uint256 indexed chainId, address indexed recipient, uint256 amount, uint256 amountOutMin, uint256 deadline, address indexed relayer, uint256 relayerFee)',
);
const FROM_L1 = eventOf(
  'TransferFromL1Completed(address indexed recipient, uint256 amount, uint256 amountOutMin, uint256 deadline, address indexed relayer, uint256 relayerFee)',
);
/** The call that is relayed from Ethereum, `distribute(recipient, amount, …)`. */
const DISTRIBUTE = 'cc29a306';

/**
 * Hop from a rollup: the transfer id. A bonder pays out its own money; pools exchange the token on rollups. From Ethereum to
 * Optimism and Base: the id of the native messenger's message that carries the order.
 */
export const hop: ProtocolReader = {
  recognise: (facts) => [
    ...bridgeEvents(facts, protocol, 'bridge', SENT).flatMap((one) => sent(facts, one)),
    ...bridgeEvents(facts, protocol, 'bridge', BONDED).flatMap((one) => bonded(facts, one)),
    ...bridgeEvents(facts, protocol, 'bridge', WITHDREW).flatMap((one) => withdrawn(facts, one)),
    ...bridgeEvents(facts, protocol, 'bridge', SENT_TO_L2).flatMap((one) => sentToRollup(facts, one)),
    ...bridgeEvents(facts, protocol, 'bridge', FROM_L1).flatMap((one) => relayedFromEthereum(facts, one)),
  ],
  lookUp(message, registry) {
    const { side, route, id, agreed } = message;
    const search = (chain: Chain, events: string[], topics = [topicOf(id!)]) =>
      bridgesOf(registry, chain, agreed.family).map(
        ({ address }): OtherSideSearch => ({ by: 'logs', chain, contract: address, events, topics }),
      );
    if (route.from?.chain === 'ethereum') {
      if (side === 'source') return inRelays(route.to.chain, 'ethereum', id!, registry);
      const named = [topicOf(BigInt(endOn(protocol, message.chain).raw)), topicOf(message.recipient!)];
      return search('ethereum', [SENT_TO_L2.topic], named);
    }
    if (side === 'source') {
      const { chain } = route.to;
      const found = chain ? search(chain, [BONDED.topic, WITHDREW.topic]) : [];
      return found.length > 0 ? found : nowhere(chain);
    }
    // The payout does not name the chain that the money came from.
    const rollups = (['arbitrum', 'optimism', 'base', 'polygon'] as const).filter((chain) => chain !== message.chain);
    return rollups.flatMap((chain) => search(chain, [SENT.topic]));
  },
};

/** The contracts of one asset. */
function bridgesOf(registry: Registry, chain: Chain, family: string | undefined): Emitter[] {
  return registry.of(protocol, chain, 'bridge').filter((one) => one.family === family);
}

function sent(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const to = routeEnd(protocol, values.chainId as bigint);
  const entries = [
    emitter.address,
    ...facts.registry
      .of(protocol, facts.chain, 'wrapper')
      .filter(({ family }) => family === emitter.family)
      .map(({ address }) => address),
  ];
  const own = idOf(facts, emitter.token ?? null);
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: values.transferId as string,
      route: { from: endOn(protocol, facts.chain), to },
      sender: facts.evidence.call?.from ?? null,
      recipient: values.recipient as string,
      agreed: { amount: String(values.amount), family: emitter.family ?? emitter.address },
    },
    // What the pool takes differs from what it gives; the message names the latter.
    leavingBy(facts, log.index, (one) => idOf(facts, one.token) === own && entries.includes(one.to)),
  );
}

/** Arguments of the call that pays out: recipient, amount, nonce, the bonder's fee. */
const CALLS = ['0x23c452cd', '0x3d12a85a'];

function bonded(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const { input = '', to } = facts.evidence.call ?? {};
  const [recipient = '', amount = '0', , fee = '0'] = input.slice(10).match(/.{64}/g) ?? [];
  const isCall = to === emitter.address && CALLS.includes(input.slice(0, 10));
  if (!isCall || !/^0{24}/.test(recipient) || BigInt(`0x${amount}`) !== values.amount) return [];
  const rest = BigInt(`0x${amount}`) - BigInt(`0x${fee}`);
  const stated = { id: values.transferId as string, from: null, recipient: `0x${recipient.slice(24)}`, rest };
  return paidOut(facts, { emitter, log, values }, stated);
}

function sentToRollup(facts: TransactionFacts, { emitter, log, values }: BridgeEvent): BridgeMessage[] {
  const [recipient, amount] = [values.recipient as string, values.amount as bigint];
  const to = routeEnd(protocol, values.chainId as bigint);
  const targets = to.chain ? bridgesOf(facts.registry, to.chain, emitter.family).map(({ address }) => address) : [];
  const order = `${DISTRIBUTE}${addressWord(recipient)}${topicOf(amount).slice(2)}`;
  const relayed = sentMessages(facts).findLast(
    ({ position, peer, call }) =>
      position < log.index && peer === to.chain && targets.includes(call.target) && call.message.startsWith(order),
  );
  if (!relayed) return [];
  return sourceMessage(
    facts,
    {
      protocol,
      position: log.index,
      id: relayed.id,
      route: { from: endOn(protocol, facts.chain), to },
      sender: facts.evidence.call?.from ?? null,
      recipient,
      agreed: { amount: String(amount), family: emitter.family ?? emitter.address },
    },
    leaving(facts, { token: emitter.token ?? null, raw: amount, position: log.index }, [emitter.address]),
  );
}

function relayedFromEthereum(facts: TransactionFacts, event: BridgeEvent): BridgeMessage[] {
  const id = relayedAround(facts, event.log.index);
  const { recipient, amount } = event.values;
  if (id === null) return [];
  const stated = { id, from: endOn(protocol, 'ethereum'), recipient: recipient as string, rest: amount as bigint };
  return paidOut(facts, event, stated);
}

function withdrawn(facts: TransactionFacts, event: BridgeEvent): BridgeMessage[] {
  const { transferId, recipient, amount } = event.values;
  const stated = { id: transferId as string, from: null, recipient: recipient as string, rest: amount as bigint };
  return paidOut(facts, event, stated);
}

function paidOut(
  facts: TransactionFacts,
  { emitter, log, values }: BridgeEvent,
  { id, from, recipient, rest }: { id: string; from: RouteEnd | null; recipient: string; rest: bigint },
): BridgeMessage[] {
  const own = idOf(facts, emitter.token ?? null);
  const named = values.amount as bigint;
  // The bonder keeps a fee; a pool of the rollup may pay a little more than it takes.
  const fits = (one: Transfer) => idOf(facts, one.token) === own && rawOf(one) <= named + named / 100n;
  return destinationMessage(
    facts,
    {
      protocol,
      position: log.index,
      id,
      route: { from, to: endOn(protocol, facts.chain) },
      sender: null,
      recipient,
      agreed: { amount: String(named), family: emitter.family ?? emitter.address },
    },
    arrivingBy(facts, log.index, recipient, fits) ??
      (emitter.token === null ? arriving(facts, { token: null, raw: rest, position: log.index }, recipient) : null),
  );
}
