import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { bareNode, EMPTY_SCENE } from '../../src/domain/scene/empty-scene.ts';
import { type Scene, SceneSchema } from '../../src/domain/scene/scene.ts';
import { boardGraphml } from '../../src/exports/graphml.ts';
import { boardCanvas } from '../../src/exports/json-canvas.ts';

const A = { chain: 'ethereum', address: `0x${'a1'.repeat(20)}` } as const;
const B = { chain: 'ethereum', address: `0x${'b2'.repeat(20)}` } as const;
const C = { chain: 'bitcoin', address: '1BoatSLRHtKNngkdXEeobR76b53LETtpyT' } as const;
const HOSTILE = '</data><node id="x"/> & "q" \'s\' ]]> <!-- --> ![p](http://x/p.png) [[l]] <img src=x>';

const flow: Scene['flows'][number] = {
  id: 'a "b" <c>',
  from: `ethereum:${A.address}`,
  to: `ethereum:${B.address}`,
  usd: 12.5,
  assets: { ETH: '0.000000000000000001', 'E<V>IL': '3' },
  tx_count: 2,
  first_at: '2026-01-02T03:04:05.000Z',
  last_at: '2026-01-03T03:04:05.000Z',
  tx_hash: `0x${'cc'.repeat(32)}`,
  transfers: [],
  share: 0.25,
  bridge: null,
};
const scene: Scene = {
  ...EMPTY_SCENE,
  nodes: [
    { ...bareNode(A), label: HOSTILE, note: 'one\ntwo', group: 'g', colour: 'purple', x: 10.5, y: 20 },
    { ...bareNode(B), group: 'g', x: 400, y: 20 },
    { ...bareNode(C), hidden: true },
  ],
  flows: [flow, { ...flow, id: 'hidden', to: `bitcoin:${C.address}` }],
  groups: [{ id: 'g', name: HOSTILE, collapsed: false }],
  texts: [{ id: 't', x: 0, y: 0, text: HOSTILE }],
};

/** Names, attributes and texts of the elements, in order; throws for what is not well-formed. */
function elementsOf(xml: string): { name: string; attributes: Record<string, string>; text: string }[] {
  const found: ReturnType<typeof elementsOf> = [];
  const open: ReturnType<typeof elementsOf> = [];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '' };
    found.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const last = open.at(-1);
    if (last) last.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(xml).close();
  return found;
}

it('an opened transaction stands as such in a board as GraphML or JSON Canvas, not as an address', () => {
  const opened = { ...bareNode({ chain: 'ethereum', address: `0x${'cc'.repeat(32)}` }), read: true };
  const transaction = { status: 'success' as const, at: flow.first_at, fee: '0.001', method: 'swap' };
  const board: Scene = {
    ...scene,
    nodes: [...scene.nodes, { ...opened, transaction }],
    flows: [
      { ...flow, to: opened.key, part: 'gave' },
      { ...flow, id: 'back', from: opened.key, to: flow.from, part: 'own' },
    ],
  };
  expect(SceneSchema.safeParse(board).error).toBeUndefined();
  const elements = elementsOf(boardGraphml('b', board));
  const start = elements.findIndex(({ attributes }) => attributes.id === opened.key);
  const rest = elements.slice(start + 1);
  const facts = rest.slice(
    0,
    rest.findIndex(({ name }) => name !== 'data'),
  );
  const values = Object.fromEntries(
    facts.map(({ attributes, text }) => [attributes.key!.replace(/^node\./, ''), text]),
  );
  expect(values).toMatchObject({ kind: 'transaction', tx_hash: opened.address, fee: '0.001', method: 'swap' });
  expect(values.address).toBeUndefined();
  const { nodes, edges } = JSON.parse(boardCanvas(board));
  expect(nodes.find(({ id }: { id: string }) => id === opened.key).text).toContain('**Transaction**');
  expect(edges.map(({ label }: { label: string }) => label.split(' · ')[1] ?? null)).toEqual([null, 'own']);
});

it('a board as GraphML keeps every name as it is, and amounts exactly', () => {
  expect(SceneSchema.safeParse(scene).error).toBeUndefined();
  const elements = elementsOf(boardGraphml(HOSTILE, scene));
  const named = (name: string) => elements.filter((one) => one.name === name);
  expect(named('node').map(({ attributes }) => attributes.id)).toEqual([
    `ethereum:${A.address}`,
    `ethereum:${B.address}`,
    `bitcoin:${C.address}`,
    'text:t',
  ]);
  expect(named('edge').map(({ attributes }) => attributes.id)).toEqual([flow.id, 'hidden']);
  const values = (key: string) =>
    named('data').flatMap(({ attributes, text }) => (attributes.key === key ? [text] : []));
  expect(values('title')).toEqual([HOSTILE]);
  expect(values('node.label')).toEqual([HOSTILE]);
  expect(values('node.group')).toEqual([HOSTILE, HOSTILE]);
  expect(values('node.note')).toEqual(['one\ntwo', HOSTILE]);
  expect(values('edge.amounts')[0]).toBe('0.000000000000000001 ETH; 3 E<V>IL');
  const declared = new Set(named('key').map(({ attributes }) => attributes.id));
  expect(named('data').filter(({ attributes }) => !declared.has(attributes.key!))).toEqual([]);
});

it('leaves out what no XML document holds', () => {
  const elements = elementsOf(boardGraphml('a\u0000b\u000Bc\uFFFEd\uD800e😀', EMPTY_SCENE));
  expect(elements.find(({ attributes }) => attributes.key === 'title')?.text).toBe('abcde😀');
});

it('a board as JSON Canvas shows what the board shows, and no name is Markdown', () => {
  const canvas = JSON.parse(boardCanvas(scene)) as {
    nodes: Record<string, unknown>[];
    edges: Record<string, unknown>[];
  };
  expect(canvas.nodes.map(({ id, type }) => [id, type])).toEqual([
    ['group:g', 'group'],
    [`ethereum:${A.address}`, 'text'],
    [`ethereum:${B.address}`, 'text'],
    ['text:t', 'text'],
  ]);
  for (const { x, y, width, height } of canvas.nodes)
    for (const number of [x, y, width, height]) expect(number).toSatisfy(Number.isInteger);
  expect(canvas.nodes[1]).toMatchObject({ color: '6' });
  expect(canvas.edges).toEqual([
    expect.objectContaining({ fromNode: flow.from, toNode: flow.to, label: '0.000000000000000001 ETH; 3 E<V>IL' }),
  ]);
  const texts = canvas.nodes.map(({ text }) => String(text ?? ''));
  expect(texts.join('\n')).not.toMatch(/(?<!\\)(?:\[|<|!\[)/);
  expect(texts[1]).toContain('\\!\\[p\\]\\(http\\:\\/\\/x\\/p\\.png\\)');
});
