import { addressKey } from '../../src/domain/address/address-key.ts';
import type { BridgeFacts } from '../../src/domain/bridges/bridge-facts.ts';
import { protocolName } from '../../src/domain/bridges/protocols.ts';
import { chainName } from '../../src/domain/chain.ts';
import { compare } from '../../src/domain/compare.ts';
import { chainReached } from '../../src/domain/tracing/funds-row.ts';
import type { CaseMoney } from '../../src/questions/cases/report/case-money.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { grouped } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';
import { routeOf } from '../sections/describe-bridge.ts';
import type { Parties } from './parties.ts';
import { mainPayers, otherPayers, SHARE_MIN } from './steps.ts';

/** A box of the picture. */
export interface WayNode {
  id: string;
  kind: 'payer' | 'subject' | 'wallet' | 'service' | 'held' | 'bridge' | 'more';
  title: string;
  /** The chain, or the chains of a bridge. */
  place: string;
  usd: number;
  column: number;
}

export interface WayEdge {
  from: string;
  to: string;
  usd: number;
}

export interface MoneyWay {
  /** In order from top to bottom. */
  columns: WayNode[][];
  edges: WayEdge[];
}

const PAYERS_MAX = 3;
export const ROWS = { one: 6, two: 4, many: 3, few: 2 } as const;
/** Columns beside each other on a page. */
export const COLUMNS_MAX = 6;

/** The whole flow of funds as columns of boxes: what a column has beyond its largest is one box. `rowsMost`: boxes of a column. */
export function wayOf(input: CaseReportInput, parties: Parties, rowsMost: number = ROWS.one): MoneyWay {
  const { nodes, edges } = graphOf(input, parties);
  place(nodes, edges);
  repeatEnds(nodes, edges);
  const count = Math.max(0, ...[...nodes.values()].map(({ column }) => column + 1));
  const rowsFit = count <= COLUMNS_MAX ? ROWS.one : count <= 2 * (COLUMNS_MAX - 1) ? ROWS.two : ROWS.many;
  const rowsMax = Math.min(rowsFit, rowsMost);
  const merged = new Map<string, string>();
  const columns = Array.from({ length: count }, (_, column) => {
    const all = [...nodes.values()]
      .filter((node) => node.column === column)
      .sort((a, b) => b.usd - a.usd || compare(a.id, b.id));
    if (all.length <= rowsMax) return all;
    const rest = all.slice(rowsMax - 1);
    const more = moreNode(rest.length, column, input.language);
    for (const node of rest) {
      merged.set(node.id, more.id);
      more.usd += node.usd;
    }
    return [...all.slice(0, rowsMax - 1), more];
  });
  const joined = joinEdges(edges, merged);
  return {
    columns: columns.filter(({ length }) => length > 0).map((column) => inOrder(column, joined, columns)),
    edges: joined,
  };
}

function graphOf({ money, language }: CaseReportInput, parties: Parties) {
  const nodes = new Map<string, WayNode>();
  const edges: WayEdge[] = [];
  const heldKeys = new Set<string>(
    (money?.sent.rows ?? []).flatMap(({ kind, chain, address }) =>
      kind === 'held' && chain && address ? [addressKey(chain, address)] : [],
    ),
  );
  const add = (chain: string, address: string): WayNode => {
    const party = parties.find(chain, address);
    const id = party?.key ?? `${chain}:${address}`;
    const known = nodes.get(id);
    if (known) return known;
    const kind =
      party?.role === 'subject'
        ? 'subject'
        : party?.role === 'payer'
          ? 'payer'
          : party?.category
            ? 'service'
            : heldKeys.has(id)
              ? 'held'
              : 'wallet';
    const node: WayNode = {
      id,
      kind,
      title: parties.nameOf(chain, address),
      place: chainName(chain),
      usd: 0,
      column: -1,
    };
    nodes.set(id, node);
    return node;
  };
  const subjects = parties.all
    .filter(({ role }) => role === 'subject')
    .map(({ chain, address }) => add(chain, address));
  if (money) addPayers(money, { nodes, edges, add, language });
  for (const flow of money?.sent.flows ?? []) {
    const from = add(flow.chain, flow.from);
    if (flow.bridge?.reason) {
      if (from.kind === 'subject') from.usd += flow.usd;
      const bridge = addEnded(nodes, flow.bridge, language);
      bridge.usd += flow.usd;
      edges.push({ from: from.id, to: bridge.id, usd: flow.usd });
      continue;
    }
    const to = add(chainReached(flow), flow.to);
    if (to.kind !== 'subject') to.usd += flow.arrived?.usd ?? flow.usd;
    if (from.kind === 'subject') from.usd += flow.usd;
    if (!flow.bridge) {
      edges.push({ from: from.id, to: to.id, usd: flow.usd });
      continue;
    }
    const { protocol, destination } = flow.bridge;
    const id = `bridge ${protocol} ${from.id} ${to.id}`;
    const chains = [flow.chain, destination.chain ?? ''].map(chainName).join(' → ');
    nodes.set(id, { id, kind: 'bridge', title: protocolName(protocol), place: chains, usd: flow.usd, column: -1 });
    const arrivedUsd = flow.arrived?.usd ?? flow.usd;
    edges.push({ from: from.id, to: id, usd: flow.usd }, { from: id, to: to.id, usd: arrivedUsd });
  }
  // Below the Pro plan the ways are unknown, and the ends stand beside the subjects.
  if (money && money.sent.flows.length === 0 && subjects[0]) {
    for (const row of money.sent.rows) {
      if (!row.chain || !row.address || row.usd <= 0) continue;
      const node = add(row.chain, row.address);
      if (node.kind === 'subject') continue;
      node.usd += row.usd;
      edges.push({ from: subjects[0].id, to: node.id, usd: row.usd });
    }
    for (const subject of subjects) subject.usd ||= money.sent.total_usd / subjects.length;
  }
  return { nodes, edges };
}

/** The bridge at which money ended, one box for each route. */
function addEnded(nodes: Map<string, WayNode>, bridge: BridgeFacts, language: Language): WayNode {
  const { protocol, from, to } = routeOf(bridge, language);
  const id = `ended ${protocol} ${from} ${to} ${bridge.reason}`;
  const known = nodes.get(id);
  if (known) return known;
  const node: WayNode = { id, kind: 'bridge', title: protocol, place: `${from} → ${to}`, usd: 0, column: -1 };
  nodes.set(id, node);
  return node;
}

interface Drawn {
  nodes: Map<string, WayNode>;
  edges: WayEdge[];
  add: (chain: string, address: string) => WayNode;
  language: Language;
}

/** Adds who paid the subjects, in the first column: those that are named, and the others as one box. */
function addPayers(money: CaseMoney, { nodes, edges, add, language }: Drawn): void {
  const shown = mainPayers(money, PAYERS_MAX).slice(0, PAYERS_MAX);
  for (const payer of shown) {
    const node = add(payer.chain, payer.address);
    if (node.kind !== 'payer') continue;
    node.usd += payer.usd;
    node.column = 0;
    for (const { to, usd } of payer.paid) edges.push({ from: node.id, to, usd });
  }
  const { count, usd } = otherPayers(money, shown);
  if (count === 0 || usd < SHARE_MIN * money.paidUsd) return;
  const more = moreNode(count, 0, language);
  const title =
    shown.length > 0 ? more.title : fill(WORDS[language].story.senders, { count: grouped(count, language) });
  const node: WayNode = { ...more, title, id: 'more payers', usd };
  nodes.set(node.id, node);
  const others = money.payers.filter((payer) => !shown.includes(payer));
  const paid = [
    ...new Set((others.length > 0 ? others : money.payers).flatMap((payer) => payer.paid.map(({ to }) => to))),
  ];
  for (const to of paid) edges.push({ from: node.id, to, usd: usd / paid.length });
}

/** The box for what a column has beyond those shown. */
function moreNode(count: number, column: number, language: Language): WayNode {
  const title = fill(WORDS[language].report.andMore, { count: grouped(count, language) });
  return { id: `more ${column}`, kind: 'more', title, place: '', usd: 0, column };
}

/** Gives each box the column of its distance from the subjects. */
function place(nodes: ReadonlyMap<string, WayNode>, edges: readonly WayEdge[]): void {
  const hasPayers = [...nodes.values()].some(({ column }) => column === 0);
  let front: WayNode[] = [...nodes.values()].filter(({ kind }) => kind === 'subject');
  for (let column = hasPayers ? 1 : 0; front.length > 0; column++) {
    for (const node of front) node.column = column;
    const next = new Set<WayNode>();
    const ids = new Set(front.map(({ id }) => id));
    for (const { from, to } of edges) {
      const node = nodes.get(to);
      if (ids.has(from) && node && node.column === -1) next.add(node);
    }
    front = [...next];
  }
}

/** Shows an end beside each column that it was reached from: a line across the whole picture says less. */
function repeatEnds(nodes: Map<string, WayNode>, edges: WayEdge[]): void {
  const left = new Set(edges.map(({ from }) => from));
  for (const edge of edges) {
    const [from, end] = [nodes.get(edge.from), nodes.get(edge.to)];
    if (!from || !end || left.has(end.id) || end.kind === 'subject' || end.column === from.column + 1) continue;
    const id = `${end.id} ${from.column + 1}`;
    const again = nodes.get(id) ?? { ...end, id, usd: 0, column: from.column + 1 };
    nodes.set(id, again);
    again.usd += edge.usd;
    end.usd -= edge.usd;
    edge.to = id;
  }
}

function joinEdges(edges: readonly WayEdge[], merged: ReadonlyMap<string, string>): WayEdge[] {
  const joined = new Map<string, WayEdge>();
  for (const edge of edges) {
    const [from, to] = [merged.get(edge.from) ?? edge.from, merged.get(edge.to) ?? edge.to];
    if (from === to) continue;
    const known = joined.get(`${from} ${to}`);
    if (known) known.usd += edge.usd;
    else joined.set(`${from} ${to}`, { from, to, usd: edge.usd });
  }
  return [...joined.values()];
}

/** Beside what they come from, so that few lines cross; what is summed stays last. */
function inOrder(column: readonly WayNode[], edges: readonly WayEdge[], columns: readonly WayNode[][]): WayNode[] {
  const rows = new Map(columns.flatMap((nodes) => nodes.map(({ id }, row) => [id, row] as const)));
  const height = ({ id, kind }: WayNode) => {
    if (kind === 'more') return Number.POSITIVE_INFINITY;
    const sources = edges.filter(({ to }) => to === id).map(({ from }) => rows.get(from) ?? 0);
    return sources.length === 0 ? 0 : sources.reduce((sum, row) => sum + row, 0) / sources.length;
  };
  return [...column].sort((a, b) => (height(a) === height(b) ? b.usd - a.usd : height(a) - height(b)));
}
