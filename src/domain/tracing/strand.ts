/** One priced transfer as the tracing sees it: `near` is the end towards the address asked about, `far` the other. */
export interface TracedTransfer {
  id: string;
  near: string;
  far: string;
  usd: number;
  txHash: string;
  /** Place in the transaction, as `Transfer.index`. */
  index: string;
  /** Epoch ms. */
  at: number;
  block: number | null;
  position: number | null;
  seq: number;
  asset: string;
  amount: string;
}

/** What the graph holds on the traced side of one address. */
export interface Side {
  /** Priced transfers with others; none of a hub. */
  transfers: TracedTransfer[];
  hub: boolean;
  unpriced: boolean;
  /** False where only scans of others have brought transfers of it. */
  scanned: boolean;
}

/** The money of a strand that came over one transfer. */
export interface Part {
  transfer: TracedTransfer;
  usd: number;
  /** The part nearer to the subject into which most of it went. */
  onto: Part | null;
}

/** A share of the subject's money on one way of addresses outwards. */
export interface Strand {
  near: string;
  far: string;
  hops: number;
  /** The way up to `near`. */
  before: Strand | null;
  usd: number;
  parts: Part[];
}

/**
 * True when `a` comes before `b`: by time, inside one transaction by place, else by block and, inside one block,
 * position. Transfers of two transactions in the same place are neither earlier nor later.
 */
export function isEarlier(a: TracedTransfer, b: TracedTransfer): boolean {
  if (a.at !== b.at) return a.at < b.at;
  if (a.txHash === b.txHash) return a.seq < b.seq;
  if (a.block === null || b.block === null) return false;
  if (a.block !== b.block) return a.block < b.block;
  return a.position !== null && b.position !== null && a.position < b.position;
}

/**
 * Splits a strand over what its far end had received before (`received`; otherwise paid out after), in proportion.
 * What nothing can be found for is left. Costs the transfers of the side once, however many parts the strand has.
 */
export function split(strand: Strand, side: Side, received: boolean): { strands: Strand[]; leftUsd: number } {
  const time = ({ at }: TracedTransfer) => (received ? at : -at);
  const reachable = (from: TracedTransfer, to: TracedTransfer) =>
    received ? isEarlier(from, to) : isEarlier(to, from);
  const transfers = [...side.transfers].sort((a, b) => time(a) - time(b));
  const sums = [0];
  for (const [i, { usd }] of transfers.entries()) sums.push((sums[i] as number) + usd);

  // Each part reaches all transfers before `end`, and some at the very same time.
  let leftUsd = 0;
  const wholes: { end: number; rate: number; part: Part }[] = [];
  const shares = transfers.map(() => 0);
  const ontos: { rate: number; part: Part | null }[] = transfers.map(() => ({ rate: 0, part: null }));
  const give = (i: number, rate: number, part: Part) => {
    const best = ontos[i] as { rate: number; part: Part | null };
    if (rate > best.rate) ontos[i] = { rate, part };
  };
  for (const part of strand.parts) {
    const end = lowerBound(transfers, time(part.transfer), time);
    const ties: number[] = [];
    for (let i = end; i < transfers.length; i++) {
      const transfer = transfers[i] as TracedTransfer;
      if (time(transfer) !== time(part.transfer)) break;
      if (reachable(transfer, part.transfer)) ties.push(i);
    }
    const sum = ties.reduce((total, i) => total + (transfers[i] as TracedTransfer).usd, sums[end] as number);
    if (sum <= 0) {
      leftUsd += part.usd;
      continue;
    }
    const rate = part.usd / sum;
    wholes.push({ end, rate, part });
    for (const i of ties) {
      shares[i] = (shares[i] as number) + rate;
      give(i, rate, part);
    }
  }

  wholes.sort((a, b) => b.end - a.end);
  let next = 0;
  let rate = 0;
  let best: { rate: number; part: Part | null } = { rate: 0, part: null };
  for (let i = transfers.length - 1; i >= 0; i--) {
    for (; next < wholes.length && (wholes[next] as (typeof wholes)[number]).end > i; next++) {
      const whole = wholes[next] as (typeof wholes)[number];
      rate += whole.rate;
      if (whole.rate > best.rate) best = whole;
    }
    shares[i] = (shares[i] as number) + rate;
    if (best.part !== null) give(i, best.rate, best.part);
  }

  const byFar = new Map<string, Strand>();
  for (const [i, transfer] of transfers.entries()) {
    const usd = transfer.usd * (shares[i] as number);
    if (usd <= 0) continue;
    const { near, far } = transfer;
    const onward = byFar.get(far) ?? { near, far, hops: strand.hops + 1, before: strand, usd: 0, parts: [] };
    onward.usd += usd;
    onward.parts.push({ transfer, usd, onto: ontos[i]?.part ?? null });
    byFar.set(far, onward);
  }
  return { strands: [...byFar.values()], leftUsd };
}

/** Index of the first transfer at or after the time. */
function lowerBound(transfers: TracedTransfer[], at: number, time: (transfer: TracedTransfer) => number): number {
  let [low, high] = [0, transfers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (time(transfers[middle] as TracedTransfer) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The most that can have passed along all these ways together: no way carries more than the transfers between two
 * of its addresses, ways with a common beginning share it, and no more arrives than the last transfers hold.
 */
export function capacityUsd(ways: readonly Strand[]): number {
  const distinct = new Map(ways.flatMap(({ parts }) => parts.map(({ transfer }) => [transfer.id, transfer.usd])));
  const arriving = [...distinct.values()].reduce((sum, usd) => sum + usd, 0);

  let level = new Map<Strand, number>();
  let leaving = 0;
  for (let hops = Math.max(0, ...ways.map((way) => way.hops)); hops > 0; hops--) {
    for (const way of ways) if (way.hops === hops) level.set(way, Number.POSITIVE_INFINITY);
    const nearer = new Map<Strand, number>();
    for (const [strand, usd] of level) {
      const held = strand.parts.reduce((sum, { transfer }) => sum + transfer.usd, 0);
      const passing = Math.min(usd, held);
      if (strand.before === null) leaving += passing;
      else nearer.set(strand.before, (nearer.get(strand.before) ?? 0) + passing);
    }
    level = nearer;
  }
  return Math.min(arriving, leaving);
}
