import { feePart } from '../../../domain/bridges/bridge-facts.ts';
import {
  type Direction,
  type EndedMoney,
  type FlowPortion,
  type HowReturned,
  nearEnd,
  type Returned,
  returnedPart,
  scaled,
} from '../../../domain/tracing/flow-portion.ts';
import type { AccountSide } from '../accounts.ts';
import type { Replay } from '../replay.ts';

/** How the money of one transfer divides; the three parts add up to it. */
export interface Split {
  /** The transfer with the money that goes on at its far end. */
  onward: FlowPortion;
  /** Money that its near end got back, or gave away before: it goes on there. */
  returned: readonly Returned[];
  ended: readonly EndedMoney[];
}

/** Ends a part of an own transfer, 0-1, that is a side of a round of trades of the subject itself. */
export function splitLooped(portion: FlowPortion, address: string, part: number): Split {
  const onward = { ...portion, ...scaled(portion, 1 - part) };
  return { onward, returned: [], ended: [ownMoney(portion, address, part)] };
}

/** Ends at the payer what a bridge kept on the way: the rest of the money is what arrived. Null where it kept nothing. */
export function splitBridgeFee(portion: FlowPortion, direction: Direction): Split | null {
  const { usd, fraction, transfer } = portion;
  if (direction !== 'sent' || transfer.bridge?.end !== null) return null;
  const part = feePart(transfer.bridge.crossing);
  if (part <= 0 || usd <= 0) return null;
  const quantities = new Map([[transfer.asset, Number(transfer.amount) * fraction * part]]);
  const address = nearEnd(transfer, direction);
  const fee: EndedMoney = { address, reason: 'fees', usd: usd * part, arrived: [portion], quantities };
  const onward = { ...portion, ...scaled(portion, 1 - part), fraction, bridgeFee: part };
  return { onward, returned: [], ended: [fee] };
}

export interface OwnMoney {
  /** The far end of the transfer. */
  address: string;
  /** The transfers by which the near end got the money back, or had given it away. */
  sides: readonly AccountSide[];
  how: HowReturned;
  /** Replay of the near end; undefined: it is the subject, or not open. */
  replay?: Replay | undefined;
}

/**
 * Takes out what is the near end's own: what came back from a contract, or from who had taken it. It goes on at the near end, or ends
 * where that is the subject.
 */
export function splitOwn(portion: FlowPortion, direction: Direction, { address, sides, how, replay }: OwnMoney): Split {
  const { onto } = portion;
  const { isAccount } = how;
  const known = onto === null ? sides : sides.filter(({ transfer }) => replay?.places.has(transfer.id));
  const returned = known.map((side): Returned => {
    const onward = onto === null ? null : backAt({ ...portion, onto }, direction, side, how);
    return { part: side.part, isAccount: isAccount && !side.isLent, onward };
  });
  const onward = { ...portion, ...scaled(portion, 1 - returnedPart({ returned })), returned };
  const ended = onto === null ? sides.map(({ part }) => ownMoney(portion, address, part)) : [];
  return { onward, returned, ended };
}

/** The money of a portion on the transfer by which it came back, or had gone away. */
function backAt(
  portion: FlowPortion & { onto: FlowPortion },
  direction: Direction,
  { transfer, part, otherPart }: AccountSide,
  how: HowReturned,
): FlowPortion {
  const { hops, onto, conversions, fraction, transfer: near } = portion;
  const [given, got] = direction === 'received' ? [transfer, near] : [near, transfer];
  const isConverted = how.isAccount || given.assetId !== got.assetId;
  const conversion = { txHash: got.txHash, from: given.asset, to: got.asset, ...how };
  const money = { ...scaled(portion, part), fraction: fraction * otherPart };
  return { transfer, hops, ...money, onto, conversions: isConverted ? [...conversions, conversion] : conversions };
}

function ownMoney(portion: FlowPortion, address: string, part: number): EndedMoney {
  const own = { ...portion, ...scaled(portion, part) };
  return { address, reason: 'own_money', usd: own.usd, arrived: [own], quantities: null };
}
