import type { Scene, SceneFlow, SceneNode } from '../domain/scene/scene.ts';
import { type XmlElement, xmlDocument } from './xml.ts';

type Value = string | number | boolean | null;
/** A field of a node or arrow: its type in GraphML, and what stands in it; nothing for null. */
type Fields<Thing> = Record<string, ['string' | 'double' | 'int' | 'boolean', (thing: Thing) => Value]>;

/** An address, an opened transaction, or a text of the canvas, which is a node too. */
type DrawnNode = Partial<SceneNode> &
  Pick<SceneNode, 'note' | 'x' | 'y'> & { kind: 'address' | 'transaction' | 'text' };

const NODE_FIELDS: Fields<DrawnNode> = {
  kind: ['string', ({ kind }) => kind],
  chain: ['string', ({ chain }) => chain ?? null],
  address: ['string', ({ kind, address }) => (kind === 'address' ? (address ?? null) : null)],
  tx_hash: ['string', ({ kind, address }) => (kind === 'transaction' ? (address ?? null) : null)],
  fee: ['string', ({ transaction }) => transaction?.fee ?? null],
  method: ['string', ({ transaction }) => transaction?.method ?? null],
  label: ['string', ({ label }) => label ?? null],
  category: ['string', ({ category }) => category ?? null],
  entity: ['string', ({ entity }) => entity ?? null],
  note: ['string', ({ note }) => note],
  group: ['string', ({ group }) => group ?? null],
  colour: ['string', ({ colour }) => colour ?? null],
  hidden: ['boolean', ({ hidden }) => hidden ?? null],
  x: ['double', ({ x }) => x],
  y: ['double', ({ y }) => y],
};

const EDGE_FIELDS: Fields<SceneFlow> = {
  usd: ['double', ({ usd }) => usd],
  // Exact decimals, as in `1.5 ETH; 20 USDT`.
  amounts: ['string', ({ assets }) => assets && amountsText(assets)],
  tx_count: ['int', ({ tx_count }) => tx_count],
  first_at: ['string', ({ first_at }) => first_at],
  last_at: ['string', ({ last_at }) => last_at],
  tx_hash: ['string', ({ tx_hash }) => tx_hash],
  share: ['double', ({ share }) => share],
  bridge: ['string', ({ bridge }) => bridge?.protocol ?? null],
  part: ['string', ({ part }) => part ?? null],
};

export function amountsText(assets: Readonly<Record<string, string>>): string {
  return Object.entries(assets)
    .map(([asset, amount]) => `${amount} ${asset}`)
    .join('; ');
}

/** A board as GraphML: one directed graph, an edge for each flow, with what is hidden and folded. */
export function boardGraphml(title: string, { nodes, flows, groups, texts }: Scene): string {
  const nameOfGroup = new Map(groups.map(({ id, name }) => [id, name]));
  const drawn = nodes.map((node) =>
    element('node', { id: node.key }, NODE_FIELDS, {
      ...node,
      kind: node.transaction ? 'transaction' : 'address',
      group: node.group === null ? null : nameOfGroup.get(node.group)!,
    }),
  );
  const written = texts.map(({ id, x, y, text }) =>
    element('node', { id: `text:${id}` }, NODE_FIELDS, { kind: 'text', x, y, note: text }),
  );
  const edges = flows.map((flow) =>
    element('edge', { id: flow.id, source: flow.from, target: flow.to }, EDGE_FIELDS, flow),
  );
  return xmlDocument({
    name: 'graphml',
    attributes: {
      xmlns: 'http://graphml.graphdrawing.org/xmlns',
      'xmlns:xsi': 'http://www.w3.org/2001/XMLSchema-instance',
      'xsi:schemaLocation':
        'http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd',
    },
    content: [
      { name: 'key', attributes: { id: 'title', for: 'graph', 'attr.name': 'title', 'attr.type': 'string' } },
      ...keys('node', NODE_FIELDS),
      ...keys('edge', EDGE_FIELDS),
      {
        name: 'graph',
        attributes: { id: 'board', edgedefault: 'directed' },
        content: [{ name: 'data', attributes: { key: 'title' }, content: title }, ...drawn, ...written, ...edges],
      },
    ],
  });
}

function keys(of: 'node' | 'edge', fields: Fields<never>): XmlElement[] {
  return Object.entries(fields).map(([name, [type]]) => {
    return { name: 'key', attributes: { id: `${of}.${name}`, for: of, 'attr.name': name, 'attr.type': type } };
  });
}

function element<Thing>(
  of: 'node' | 'edge',
  attributes: Record<string, string>,
  fields: Fields<Thing>,
  thing: Thing,
): XmlElement {
  const content = Object.entries(fields).flatMap(([name, [, read]]) => {
    const value = read(thing);
    return value === null ? [] : [{ name: 'data', attributes: { key: `${of}.${name}` }, content: String(value) }];
  });
  return { name: of, attributes, content };
}
