import { addAmounts, formatUnits, fractionDigits, parseUnits } from '../../domain/amount.ts';
import {
  type BridgeEnd,
  type Crossing,
  type CrossingPolicy,
  crossingEnd,
  decided,
  isGuess,
  madeBy,
} from '../../domain/bridges/crossing.ts';
import type { BridgeMessage } from '../../domain/bridges/message.ts';
import type { AddressTransfers, TracedTransfer } from '../../domain/tracing/traced-transfer.ts';

// Money that crosses a bridge is two sets of transfers on two chains: the sender pays a contract, and a pool, a solver or
// a mint pays the recipient. In the replays of both, one transfer from sender to recipient stands for them. It has one id
// and on each side that side's asset and quantity, so a share of what was sent is the same share of what arrived.

/** The transfers of one address, and those of them that a crossing replaced. */
export interface CrossedHistory extends AddressTransfers {
  /** Ids of transfers that are not in the lists: they paid out what somebody else had sent. */
  replaced: ReadonlySet<string>;
}

/**
 * The history of an address with its crossings in place of the transfers that they explain. Where the policy ends the
 * trace at a crossing, those transfers stay, marked with it; where it leaves out what anybody can state, they lead to who paid, or
 * took, inside the transaction.
 */
export function withCrossings(
  key: string,
  { received, sent }: AddressTransfers,
  crossings: readonly Crossing[],
  policy: CrossingPolicy,
): CrossedHistory {
  const replaced = new Set<string>();
  const seen = crossings.map((crossing) => decided(crossing, policy));
  const sideOf = (name: 'from' | 'to', side: 'source' | 'destination') =>
    seen.flatMap((crossing) => {
      const message = crossing[side];
      return message && crossing[name] === key ? [{ crossing, message }] : [];
    });
  return {
    received: replaceSide(received, sideOf('to', 'destination'), { policy, replaced }),
    sent: replaceSide(sent, sideOf('from', 'source'), { policy, replaced }),
    replaced,
  };
}

interface Side {
  crossing: Crossing;
  message: BridgeMessage;
}

interface Explained extends Side {
  transfers: TracedTransfer[];
}

function replaceSide(
  transfers: readonly TracedTransfer[],
  sides: readonly Side[],
  { policy, replaced }: { policy: CrossingPolicy; replaced: Set<string> },
): readonly TracedTransfer[] {
  if (sides.length === 0) return transfers;
  const byId = new Map(transfers.map((transfer) => [transfer.id, transfer]));
  const marked = new Map<string, TracedTransfer>();
  const followed: Explained[] = [];
  for (const { crossing, message } of sides) {
    const end = crossingEnd(crossing, policy);
    const explained = explainedBy(message, byId);
    if (end === null) followed.push({ crossing, message, transfers: explained });
    else {
      const goesBehind = isLeftOut({ crossing, message }, policy);
      for (const [i, transfer] of explained.entries()) {
        const isFirst = i === 0 && goesBehind;
        const bridge = { crossing, end, ...(goesBehind && { goesBehind }) };
        marked.set(transfer.id, isFirst ? behindBridge({ crossing, message }, transfer, end) : { ...transfer, bridge });
      }
    }
  }
  for (const { transfers: gone } of followed) for (const { id } of gone) replaced.add(id);
  const kept = transfers.filter(({ id }) => !replaced.has(id)).map((transfer) => marked.get(transfer.id) ?? transfer);
  return [...kept, ...standIns(followed)];
}

/**
 * Leaves out what anybody can state: the transfer leads to who brought the money into the transaction, or took it there, and
 * has the id of that party's own transfer. Without such a party it stays as it is listed.
 */
function behindBridge({ crossing, message }: Side, transfer: TracedTransfer, end: BridgeEnd): TracedTransfer {
  const { side, chain, behind } = message;
  const { id, usd, from, to } = transfer;
  const party = behind && `${chain}:${behind.party}`;
  const bridge = { crossing, end, goesBehind: true as const };
  if (!party || party === from || party === to) return { ...transfer, bridge };
  const ends = side === 'source' ? { to: party } : { from: party };
  return { ...transfer, ...ends, id: behind.transfer ?? id, bridge: { ...bridge, replaces: [{ id, usd }] } };
}

/** True where the policy leaves out what the side states, because anybody can state it. */
function isLeftOut({ crossing, message }: Side, { followsOpen }: CrossingPolicy): boolean {
  if (followsOpen !== false) return false;
  return madeBy(message.protocol, message.side) === 'open' || (message.side === 'destination' && isGuess(crossing));
}

/** The address's own part of what a message explains, in one asset: a fee in another asset stays a payment. */
function explainedBy(message: BridgeMessage, byId: ReadonlyMap<string, TracedTransfer>): TracedTransfer[] {
  const all = message.explains.flatMap((id) => byId.get(id) ?? []);
  const [largest] = all.toSorted((a, b) => b.usd - a.usd);
  const asset = all.some(({ assetId }) => assetId === message.assetId) ? message.assetId : largest?.assetId;
  return all.filter(({ assetId }) => assetId === asset);
}

/** One transfer for each crossing. Those that share a transfer split it in the proportion of their amounts. */
function standIns(followed: readonly Explained[]): TracedTransfer[] {
  const decimals = Math.max(0, ...followed.map(({ message }) => fractionDigits(message.amount)));
  const claimOf = ({ message }: Explained) => parseUnits(message.amount, decimals);
  const claimed = new Map<string, bigint>();
  for (const one of followed) {
    for (const { id } of one.transfers) claimed.set(id, (claimed.get(id) ?? 0n) + claimOf(one));
  }
  return followed.map((one) => standIn(one, (id) => ({ claim: claimOf(one), claimed: claimed.get(id) ?? 0n })));
}

/** Digits that a part of an amount has beyond those of the amount. */
const PART_DIGITS = 18;

function standIn(
  { crossing, message, transfers }: Explained,
  partOf: (id: string) => { claim: bigint; claimed: bigint },
): TracedTransfer {
  const [first] = transfers;
  const stated = transfers.some(({ priced }) => priced) ? null : statedUsd(crossing, message);
  let amount = '0';
  const parts = transfers.map((transfer) => {
    const { claim, claimed } = partOf(transfer.id);
    const isWhole = claim === claimed;
    const part = isWhole ? transfer.amount : shareOf(transfer.amount, claim, claimed);
    amount = addAmounts(amount, part);
    return { id: transfer.id, part, usd: isWhole ? transfer.usd : (transfer.usd * Number(claim)) / Number(claimed) };
  });
  const replaces = parts.map(({ id, part, usd }) => ({
    id,
    usd: stated === null ? usd : (stated * Number(part)) / Number(amount) || 0,
  }));
  return {
    id: crossing.id,
    from: crossing.from,
    to: crossing.to,
    txHash: message.tx,
    index: first?.index ?? `bridge:${message.position}`,
    seq: first?.seq ?? message.position,
    at: first?.at ?? message.at,
    block: first?.block ?? null,
    position: first?.position ?? null,
    asset: first?.asset ?? message.asset,
    assetId: first?.assetId ?? message.assetId,
    amount: first ? amount : message.amount,
    usd: stated ?? replaces.reduce((sum, { usd }) => sum + usd, 0),
    priced: stated !== null || (transfers.length > 0 && transfers.every(({ priced }) => priced)),
    bridge: { crossing, end: null, replaces },
  };
}

/**
 * US dollars of a side whose own transfers are missing or have no price: the crossing's, of the arrival the part that was
 * delivered of what was sent, where both sides state one asset. Null where neither side has a price.
 */
function statedUsd({ source, destination, usd }: Crossing, { side }: BridgeMessage): number | null {
  if (usd === null || side === 'source' || !source || source.asset !== destination?.asset) return usd;
  const [sent, arrived] = [Number(source.amount), Number(destination.amount)];
  return arrived < sent ? (usd * arrived) / sent : usd;
}

/** Rounded down: the parts together are never more than the amount. */
function shareOf(amount: string, claim: bigint, claimed: bigint): string {
  const decimals = fractionDigits(amount) + PART_DIGITS;
  return formatUnits((parseUnits(amount, decimals) * claim) / claimed, decimals);
}
