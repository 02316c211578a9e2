import type { BridgeMessage } from '../../../domain/bridges/message.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import { topicOf } from '../decoding/address.ts';
import { eventOf } from '../decoding/event.ts';
import { type BridgeEvent, bridgeEvents, type TransactionFacts } from '../decoding/facts.ts';
import { destinationMessage, sourceMessage } from '../decoding/message.ts';
import { arriving, arrivingBy, idOf, leavingBy, rawOf } from '../decoding/moved.ts';
import { endOn, routeEnd } from '../decoding/route.ts';
import { nowhere, type OtherSideSearch, type ProtocolReader } from './port.ts';

const protocol = 'hop';
const SENT = eventOf(
  'TransferSent(bytes32 indexed transferId, uint256 indexed chainId, address indexed recipient, uint256 amount, bytes32 transferNonce, uint256 bonderFee, uint256 index, uint256 amountOutMin, uint256 deadline)',
);
const BONDED = eventOf('WithdrawalBonded(bytes32 indexed transferId, uint256 amount)');
const WITHDREW = eventOf(
  'Withdrew(bytes32 indexed transferId, address indexed recipient, uint256 amount, bytes32 transferNonce)',
);

/** Hop from a rollup: the transfer id. A bonder pays out its own money; pools exchange the token on rollups. */
export const hop: ProtocolReader = {
  recognise: (facts) => [
    ...bridgeEvents(facts, protocol, 'bridge', SENT).flatMap((one) => sent(facts, one)),
    ...bridgeEvents(facts, protocol, 'bridge', BONDED).flatMap((one) => bonded(facts, one)),
    ...bridgeEvents(facts, protocol, 'bridge', WITHDREW).flatMap((one) => withdrawn(facts, one)),
  ],
  lookUp(message, registry) {
    const { side, route, id, agreed } = message;
    const family = (chain: BridgeMessage['chain']) =>
      registry.of(protocol, chain, 'bridge').filter((one) => one.family === agreed.family);
    const search = (chain: BridgeMessage['chain'], events: string[]) =>
      family(chain).map(
        ({ address }): OtherSideSearch => ({ by: 'logs', chain, contract: address, events, topics: [topicOf(id!)] }),
      );
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
  return paidOut(facts, { emitter, log, values }, `0x${recipient.slice(24)}`, rest);
}

function withdrawn(facts: TransactionFacts, event: BridgeEvent): BridgeMessage[] {
  return paidOut(facts, event, event.values.recipient as string, event.values.amount as bigint);
}

function paidOut(
  facts: TransactionFacts,
  { emitter, log, values }: BridgeEvent,
  recipient: string,
  rest: bigint,
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
      id: values.transferId as string,
      route: { from: null, to: endOn(protocol, facts.chain) },
      sender: null,
      recipient,
      agreed: { amount: String(named), family: emitter.family ?? emitter.address },
    },
    arrivingBy(facts, log.index, recipient, fits) ??
      (emitter.token === null ? arriving(facts, { token: null, raw: rest, position: log.index }, recipient) : null),
  );
}
