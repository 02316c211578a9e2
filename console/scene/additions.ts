import { parseAddressKey } from '../../src/domain/address/address-key.ts';
import { addAmounts } from '../../src/domain/amount.ts';
import { NATIVE_COIN } from '../../src/domain/chain.ts';
import type { SceneAddress, SceneFlow, SceneNode } from '../../src/domain/scene/scene.ts';
import { sumOfAll } from '../../src/domain/scene/sums.ts';
import type { HopAnswer, Unread } from '../service/answers.ts';
import type {
  AddressFunds,
  Exposures,
  GraphCounterparties,
  OpenedTransaction,
  PairTransfers,
  Terminals,
  TraceResults,
} from '../service/tracing-answers.ts';

/** Facts about an address; one that the answer does not state is missing. */
export interface NodeFacts
  extends Pick<SceneNode, 'key'>,
    Partial<Pick<SceneNode, 'label' | 'named' | 'category' | 'entity' | 'read' | 'transaction'>> {
  state?: GraphCounterparties['state'];
}

/** The part of a scene that an answer of the API adds. */
export interface Additions {
  nodes: NodeFacts[];
  flows: SceneFlow[];
}

export function nodeKey(chain: string, address: string): string {
  return `${chain}:${address}`;
}

/** The address that a key stands for. */
export function placeOf(key: string): SceneAddress {
  return parseAddressKey(key);
}

/** An address, its counterparties and the sums of what they paid each other. */
export function ofCounterparties(answer: GraphCounterparties): Additions {
  const { chain, label, category, read, state } = answer;
  const key = nodeKey(chain, answer.address);
  const nodes: NodeFacts[] = [{ key, label, category, read, state }];
  const flows: SceneFlow[] = [];
  for (const { sent, received, address, ...facts } of answer.counterparties) {
    const far = nodeKey(chain, address);
    nodes.push({ key: far, label: facts.label, category: facts.category, read: facts.read, state: facts.state });
    if (sent) flows.push(summed(key, far, sent));
    if (received) flows.push(summed(far, key, received));
  }
  return { nodes, flows };
}

/** The account of the money: all its flows with their share, and the names of its ends. */
export function ofFunds({ flows, rows, coverage }: Pick<AddressFunds, 'flows' | 'rows' | 'coverage'>): Additions {
  const nodes: NodeFacts[] = rows.flatMap(({ chain, address, label, category, entity }) =>
    chain && address ? [{ key: nodeKey(chain, address), label, category: category ?? 'unknown', entity }] : [],
  );
  return {
    nodes: [...nodes, ...ofFrontier(coverage.frontier).nodes],
    flows: flows.map(({ from, to, chain, bridge, transfers, ...facts }) => {
      const crossing = bridge && bridge.reason === null ? crossingOf(bridge) : null;
      return {
        ...ends(nodeKey(chain, from), nodeKey(crossing?.arrival.chain ?? chain, to), crossing),
        usd: facts.usd,
        assets: facts.assets,
        tx_count: facts.tx_count,
        first_at: facts.first_at,
        last_at: facts.last_at,
        tx_hash: largest(transfers)?.tx_hash ?? '',
        // A scene keeps the followed part alone.
        transfers: transfers.map(({ moved_amount: _, ...transfer }) => transfer),
        share: facts.share,
      };
    }),
  };
}

/** The paths to labelled parties. */
export function ofParties({ direct, indirect }: Exposures): Additions {
  const parties = [...direct, ...indirect].flatMap(({ category, top }) => top.map((one) => ({ ...one, category })));
  return together(parties.map(ofParty));
}

export function ofTerminals({ terminals }: Terminals): Additions {
  return together(terminals.map(ofParty));
}

function ofParty(party: {
  chain: string;
  address: string;
  label: string | null;
  category: SceneNode['category'];
  path: HopAnswer[];
}): Additions {
  const { nodes, flows } = ofPath(party.path);
  const named = { key: nodeKey(party.chain, party.address), label: party.label, category: party.category };
  return { nodes: [...nodes, named], flows };
}

export function ofPath(path: HopAnswer[]): Additions {
  return {
    nodes: [],
    flows: path.map(({ from, to, chain, usd, at, tx_hash, asset, amount, destination_tag, source_tag, bridge }) => {
      const crossing = bridge && bridge.reason === null ? crossingOf(bridge) : null;
      return {
        ...ends(nodeKey(chain, from), nodeKey(crossing?.arrival.chain ?? chain, to), crossing),
        usd,
        assets: { [asset]: amount },
        tx_count: 1,
        first_at: at,
        last_at: at,
        tx_hash,
        transfers: [{ tx_hash, at, asset, amount, usd, destination_tag, source_tag }],
        share: null,
      };
    }),
  };
}

/** An opened transaction with everybody in it: who gave and who got what, and who was called. `now` stands for the time of a pending one. */
export function ofTransaction(answer: OpenedTransaction, now: string): Additions {
  const { chain, tx_hash, timestamp, status, fee, call, addresses } = answer;
  const key = nodeKey(chain, tx_hash);
  const method = call?.method ?? null;
  const opened = { key, read: true, transaction: { status, at: timestamp, fee: fee?.amount ?? null, method } };
  const flows = new Map<string, SceneFlow>();
  const at = timestamp ?? now;
  const flowOf = (address: string, part: NonNullable<SceneFlow['part']>): SceneFlow => {
    const party = nodeKey(chain, address);
    const line = part === 'gave' ? ends(party, key, null) : ends(key, party, null);
    const known = flows.get(line.id);
    const facts = {
      usd: null,
      assets: {},
      tx_count: 1,
      first_at: at,
      last_at: at,
      tx_hash,
      transfers: [],
      share: null,
    };
    const flow: SceneFlow = known ?? { ...line, ...facts, part };
    flows.set(line.id, flow);
    return flow;
  };
  for (const { address, part, asset, amount, usd } of partsOf(answer)) {
    if (address === null) continue;
    const { transfers } = flowOf(address, part);
    const value = amount === '0' ? 0 : usd;
    const known = transfers.find((one) => one.asset === asset);
    if (!known) transfers.push({ tx_hash, at, asset, amount, usd: value });
    else Object.assign(known, { amount: addAmounts(known.amount, amount), usd: sumOfAll([known.usd, value]) });
  }
  for (const flow of flows.values()) {
    flow.assets = Object.fromEntries(flow.transfers.map(({ asset, amount }) => [asset, amount]));
    flow.usd = sumOfAll(flow.transfers.map(({ usd }) => usd));
  }
  const isCalledAlone =
    call?.to && ![...flows.values()].some(({ from, to }) => [from, to].includes(nodeKey(chain, call.to!)));
  if (isCalledAlone) flowOf(call.to!, 'called');
  const nodes = addresses.map(({ address, ...facts }) => ({ ...facts, key: nodeKey(chain, address) }));
  return { nodes: [opened, ...nodes], flows: [...flows.values()] };
}

/** Lists what each address gave or got, one a coin or transfer. */
function partsOf({ chain, inputs, outputs, transfers }: OpenedTransaction) {
  const asset = NATIVE_COIN[chain].symbol;
  return [
    ...(inputs ?? []).map((coin) => ({ ...coin, asset, part: 'gave' as const })),
    ...(outputs ?? []).map((coin) => ({
      ...coin,
      asset,
      part: coin.part === 'payment' ? ('paid' as const) : coin.part,
    })),
    ...(transfers ?? []).flatMap(({ from, to, ...moved }) => [
      { ...moved, address: from, part: 'gave' as const },
      { ...moved, address: to, part: 'paid' as const },
    ]),
  ];
}

/** The addresses where a trace ended. One whose history is old or too long to know all of it was read all the same. */
function ofFrontier(frontier: Unread[]): Additions {
  const nodes = frontier.map(({ chain, address, reason }) => ({
    key: nodeKey(chain, address),
    ...(reason === 'not_read' ? { read: false } : {}),
  }));
  return { nodes, flows: [] };
}

interface OpenedAddresses {
  chain: string;
  addresses: TraceResults['addresses'];
}

/** Returns the addresses that a trace has opened. */
export function ofOpened({ chain, addresses }: OpenedAddresses): NodeFacts[] {
  const opened = addresses.filter(({ complete, transfers }) => complete || transfers > 0);
  return opened.map((one) => ({ key: nodeKey(one.chain ?? chain, one.address), read: true }));
}

/** The transfers behind sums that are drawn, and the names of their ends. */
export function ofTransfers({ addresses }: PairTransfers): NodeFacts[] {
  return addresses.map(({ chain, address, ...facts }) => ({ key: nodeKey(chain, address), ...facts }));
}

/** True where a trace may go on once the address where it ended is read. */
export function readingHelps(reason: string): boolean {
  return ['not_read', 'partial_history', 'not_read_since'].includes(reason);
}

function together(all: Additions[]): Additions {
  return { nodes: all.flatMap(({ nodes }) => nodes), flows: all.flatMap(({ flows }) => flows) };
}

type Bridge = NonNullable<HopAnswer['bridge']>;

function crossingOf({ crossing_id, protocol, message_id, match, ambiguous, destination }: Bridge): SceneFlow['bridge'] {
  return {
    crossing_id,
    protocol,
    message_id,
    match,
    ambiguous: ambiguous ?? false,
    arrival: { ...destination, chain: destination.chain as SceneNode['chain'] },
  };
}

/** Each crossing is a flow of its own: its evidence is a pair of transactions. */
function ends(from: string, to: string, bridge: SceneFlow['bridge']) {
  return { id: bridge ? `${from}>${to}>${bridge.crossing_id}` : `${from}>${to}`, from, to, bridge };
}

type Totals = NonNullable<GraphCounterparties['counterparties'][number]['sent']>;

function summed(from: string, to: string, totals: Totals): SceneFlow {
  return { ...ends(from, to, null), ...totals, assets: null, transfers: [], share: null };
}

function largest<T extends { usd: number | null }>(transfers: readonly T[]): T | undefined {
  return transfers.toSorted((a, b) => (b.usd ?? 0) - (a.usd ?? 0))[0];
}
