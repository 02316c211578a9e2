import type { Category } from '../../src/domain/label.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';
import type { NodeLabel } from '../../src/graph/ingest/apply-labels.ts';

/** A seeded graph whose degrees have the same heavy tail at any size: growing it adds neighbourhoods, not neighbours. */
export interface GraphWorld {
  addresses: number;
  edges: number;
  /** By number of the edge: the numbers of its ends. */
  senders: Int32Array;
  receivers: Int32Array;
  addressOf(nth: number): string;
  /** One transfer per edge, in no order of addresses. */
  transfers(): Generator<Transfer>;
  /** By graph key; busy addresses are services, some others are crime. */
  labels: Map<string, NodeLabel>;
  /** Addresses of ordinary degree that sent and received, to ask about. */
  starts(count: number): string[];
  /** Ends of ways of three to six payments, each later than the one before, over addresses without a label. */
  routes(count: number): { from: string; to: string }[];
}

/** The graph's key of an address of this world. */
export function keyOf(address: string): string {
  return `ethereum:${address}`;
}

const START_AT = 1_700_000_000_000;
const YEAR_MS = 365 * DAY_MS;
const EDGES_PER_ADDRESS = 20 / 3;
/** Most edges drawn for one side of one address. */
const DEGREE_MAX = 10_000;
const TAIL = 1.35;
const CRIME: Category[] = ['scam', 'mixer', 'sanctioned', 'darknet', 'drainer', 'gambling', 'bridge'];

export function graphWorld(edges: number, seed = 7): GraphWorld {
  const addresses = Math.round(edges / EDGES_PER_ADDRESS);
  const random = mulberry(seed);
  const senders = stubs(addresses, edges, random);
  const receivers = stubs(addresses, edges, random);
  const degree = new Int32Array(addresses);
  const sent = new Int32Array(addresses);
  const received = new Int32Array(addresses);
  for (let i = 0; i < edges; i++) {
    if (receivers[i] === senders[i]) receivers[i] = (receivers[i]! + 1) % addresses;
    sent[senders[i]!]! += 1;
    received[receivers[i]!]! += 1;
  }
  for (let i = 0; i < addresses; i++) degree[i] = sent[i]! + received[i]!;
  const labels = labelsOf(degree, random);
  function* transfers() {
    const draw = mulberry(seed + 1);
    for (let i = 0; i < edges; i++) yield transferOf(i, senders[i]!, receivers[i]!, draw);
  }
  function drawStarts(count: number): number[] {
    const draw = mulberry(seed + 2);
    const found = new Set<number>();
    while (found.size < count) {
      const nth = Math.floor(draw() * addresses);
      if (sent[nth]! >= 3 && received[nth]! >= 3 && degree[nth]! <= 100) found.add(nth);
    }
    return [...found];
  }
  return {
    addresses,
    edges,
    senders,
    receivers,
    addressOf,
    labels,
    transfers,
    starts: (count) => drawStarts(count).map(addressOf),
    routes(count) {
      const draw = mulberry(seed + 3);
      const at = Float64Array.from(transfers(), (transfer) => transfer.at);
      const paidBy = edgesBySender(senders, addresses);
      const ends = drawStarts(5 * count).flatMap((from) => {
        const way = walk(from, 3 + Math.floor(draw() * 4));
        return way.length > 3 ? [{ from: addressOf(from), to: addressOf(way.at(-1)!) }] : [];
      });
      return ends.slice(0, count);

      function walk(from: number, hops: number): number[] {
        const way = [from];
        for (let [last, since] = [from, 0]; way.length <= hops; ) {
          const onward = paidBy(last).filter((edge) => {
            const to = receivers[edge]!;
            return at[edge]! > since && !way.includes(to) && !labels.has(keyOf(addressOf(to)));
          });
          if (onward.length === 0) break;
          const edge = onward[Math.floor(draw() * onward.length)]!;
          [last, since] = [receivers[edge]!, at[edge]!];
          way.push(last);
        }
        return way;
      }
    },
  };
}

function edgesBySender(senders: Int32Array, addresses: number): (sender: number) => number[] {
  const end = new Int32Array(addresses + 1);
  for (const sender of senders) end[sender + 1]! += 1;
  for (let i = 1; i <= addresses; i++) end[i]! += end[i - 1]!;
  const next = end.slice();
  const edges = new Int32Array(senders.length);
  for (const [edge, sender] of senders.entries()) edges[next[sender]!++] = edge;
  return (sender) => [...edges.subarray(end[sender], end[sender + 1])];
}

/** Looks random, is not: 40 digits that no two numbers share. */
function addressOf(nth: number): string {
  const low = Math.imul(nth + 1, 0x9e3779b1) >>> 0;
  const word = (salt: number) => (Math.imul(low ^ salt, 0x85ebca6b) >>> 0).toString(16).padStart(8, '0');
  return `0x${word(0)}${word(1)}${word(2)}${word(3)}${word(4)}`;
}

/** One entry per edge: each address as often as its degree, which has a Pareto tail, in random order. */
function stubs(addresses: number, edges: number, random: () => number): Int32Array {
  const weights = Float64Array.from({ length: addresses }, () => Math.min(DEGREE_MAX, (1 - random()) ** (-1 / TAIL)));
  const scale = edges / weights.reduce((sum, weight) => sum + weight, 0);
  const drawn = new Int32Array(edges);
  let [nth, reached] = [0, weights[0]! * scale];
  for (let i = 0; i < edges; i++) {
    while (i >= reached && nth < addresses - 1) reached += weights[++nth]! * scale;
    drawn[i] = nth;
  }
  for (let i = edges - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [drawn[i], drawn[j]] = [drawn[j]!, drawn[i]!];
  }
  return drawn;
}

function labelsOf(degree: Int32Array, random: () => number): Map<string, NodeLabel> {
  const labels = new Map<string, NodeLabel>();
  for (let nth = 0; nth < degree.length; nth++) {
    const draw = random();
    const category =
      degree[nth]! > 1_000 ? 'exchange' : draw < 0.01 ? CRIME[Math.floor(draw * 100 * CRIME.length)]! : null;
    if (category === null) continue;
    const label = { category, label: `${category} ${nth}`, label_source: 'bench', entity_id: null };
    labels.set(keyOf(addressOf(nth)), label);
  }
  return labels;
}

function transferOf(nth: number, from: number, to: number, random: () => number): Transfer {
  const txHash = `0x${(nth + 1).toString(16).padStart(64, '0')}`;
  const milli = Math.floor(10 ** (2 + 5 * random()));
  const at = START_AT + Math.floor((random() * YEAR_MS) / 1_000) * 1_000;
  return createTransfer({
    chain: 'ethereum',
    txHash,
    index: 'native',
    block: Math.floor((at - START_AT) / 12_000) + 18_000_000,
    position: nth % 200,
    at,
    from: addressOf(from),
    to: addressOf(to),
    asset: 'ETH',
    amount: `${Math.floor(milli / 1_000)}.${String(milli % 1_000).padStart(3, '0')}`,
    amountRaw: `${milli}000000000000000`,
    decimals: 18,
    usd: milli * 2.5,
    kind: 'native',
  });
}

/** Uniform in [0, 1), the same from the same seed. */
function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
