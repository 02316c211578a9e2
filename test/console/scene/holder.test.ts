import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { EMPTY_SCENE } from '../../../src/domain/scene/empty-scene.ts';
import type { Scene } from '../../../src/domain/scene/scene.ts';
import { at } from './scenes.ts';

// Only a browser has the worker that arranges the picture.
vi.mock('../../../console/canvas-session/layout-client.ts', () => ({ arrangeScene: async () => new Map() }));
for (const name of ['localStorage', 'sessionStorage'])
  vi.stubGlobal(name, { getItem: () => null, setItem: () => undefined, removeItem: () => undefined });
vi.stubGlobal('navigator', { language: 'en' });
vi.stubGlobal('document', { documentElement: { lang: '' } });
afterAll(() => vi.unstubAllGlobals());

/** What the test uses of a canvas. By its name alone: the types of a browser are not those of the tests. */
interface CanvasSession {
  stage: { value: { scene: Scene } };
  shown: { value: { nodes: { keys: string[]; x: number; y: number }[] } };
  busy: { value: boolean };
  edit: (edit: (scene: Scene) => Scene) => void;
  undo: () => void;
  notice: { value: string };
  room: () => { width: number; height: number };
}
const CONSOLE = '../../../console';
let openCanvasSession: (scene: Scene) => CanvasSession;
let drawHolder: (session: CanvasSession, id: string, signal: AbortSignal) => Promise<void>;
let regroup: (session: CanvasSession, edit: (scene: Scene) => Scene) => Promise<void>;
beforeAll(async () => {
  const words: { showFirstLanguage: () => Promise<void> } = await import(`${CONSOLE}/browser/words.ts`);
  await words.showFirstLanguage();
  ({ openCanvasSession } = await import(`${CONSOLE}/canvas-session/canvas-session.ts`));
  ({ drawHolder } = await import(`${CONSOLE}/canvas-session/holder.ts`));
  ({ regroup } = await import(`${CONSOLE}/canvas-session/asks.ts`));
});

const MEMBERS = Array.from({ length: 30 }, (_, n) => `m${String(n).padStart(2, '0')}`);
const signal = new AbortController().signal;
const json = (status: number, body: unknown) => new Response(JSON.stringify(body), { status });

/** Each member got from a payer of its own and paid the next member and a shop. */
function counterpartiesOf(address: string) {
  const n = MEMBERS.indexOf(address);
  const totals = (usd: number) => ({ usd, tx_count: 1, first_at: at(1), last_at: at(1), tx_hash: `0x${usd}` });
  const party = (far: string, sent: number | null, received: number | null) => ({
    ...{ address: far, label: null, category: 'unknown', read: false, state: 'unread' },
    ...{ sent: sent === null ? null : totals(sent), received: received === null ? null : totals(received) },
  });
  const parties = [
    party('shop', 10 + n, null),
    party(`payer${n % 3}`, null, 50 + n),
    ...(n + 1 < MEMBERS.length ? [party(MEMBERS[n + 1]!, 5, null)] : []),
    ...(n > 0 ? [party(MEMBERS[n - 1]!, null, 5)] : []),
  ];
  const facts = { address, chain: 'bitcoin', label: null, category: 'unknown', read: true, state: 'whole' };
  return { ...facts, counterparties: parties, total: parties.length, limit: 50, truncated: false };
}

/** A service that answers so many questions about counterparties before it refuses. */
function serve(allowed: { left: number }) {
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (url: string, request: RequestInit) => {
    const { pathname } = new URL(url, 'http://console');
    const name = pathname.split('/').at(-1)!;
    if (pathname.includes('/graph/entities/')) {
      const members = MEMBERS.map((address) => ({ chain: 'bitcoin', address, label: null, category: 'unknown' }));
      return json(200, {
        id: 'bitcoin:m00',
        name: 'Harbour',
        members,
        total: MEMBERS.length,
        received: null,
        sent: null,
      });
    }
    if (pathname.includes('/graph/counterparties/')) {
      if (allowed.left-- <= 0) return json(429, { detail: 'Rate limit' });
      asked.push(name);
      return json(200, counterpartiesOf(name));
    }
    const { pairs } = JSON.parse(String(request.body)) as { pairs: { from: string; to: string; chain: string }[] };
    return json(200, { pairs: pairs.map((pair) => ({ ...pair, transfers: [], total: 0 })), addresses: [] });
  });
  return asked;
}

function openCanvas() {
  const session = openCanvasSession(EMPTY_SCENE);
  session.room = () => ({ width: 900, height: 600 });
  return session;
}

function drawn(session: ReturnType<typeof openCanvas>) {
  const { nodes, flows, groups } = session.stage.value.scene;
  return {
    nodes: nodes.map(({ key, group }) => `${key} ${group}`).sort(),
    flows: flows.map(({ id, usd }) => `${id} ${usd}`).sort(),
    groups,
  };
}

describe('a holder that is drawn', () => {
  it('is the same picture after refusals as in one go, each time goes on with what is left, and stays one card', async () => {
    serve({ left: Number.POSITIVE_INFINITY });
    const whole = openCanvas();
    await drawHolder(whole, 'bitcoin:m00', signal);

    const session = openCanvas();
    const allowed = { left: 0 };
    const asked = serve(allowed);
    const counts: number[] = [];
    for (let round = 0; round < 3; round++) {
      allowed.left = 11;
      await expect(drawHolder(session, 'bitcoin:m00', signal)).rejects.toMatchObject({ status: 429 });
      const { nodes } = session.stage.value.scene;
      counts.push(nodes.filter(({ group }) => group === 'entity:bitcoin:m00').length);
      expect(session.shown.value.nodes.filter(({ keys }) => keys.includes('bitcoin:m00'))).toHaveLength(1);
    }
    expect(counts).toEqual([11, 22, 30]);
    expect(new Set(asked.slice(0, 30)).size).toBe(30);
    expect(drawn(session)).toEqual(drawn(whole));
  });

  it('covers no address with another once it is unfolded, before the picture is arranged and where it is not', async () => {
    serve({ left: Number.POSITIVE_INFINITY });
    const session = openCanvas();
    await drawHolder(session, 'bitcoin:m00', signal);
    const group = 'entity:bitcoin:m00';
    // As arranging leaves them.
    session.edit((scene) => ({
      ...scene,
      nodes: scene.nodes.map((node) => (node.group === group ? { ...node, x: 10, y: 20, pinned: true } : node)),
    }));
    const places = () => session.shown.value.nodes.map(({ x, y }) => `${x} ${y}`);
    const folded = places();
    session.busy.value = true;
    await regroup(session, (scene) => ({
      ...scene,
      groups: scene.groups.map((one) => ({ ...one, collapsed: false })),
    }));
    expect(places()).toHaveLength(folded.length + MEMBERS.length - 1);
    expect(new Set(places()).size).toBe(places().length);
    session.undo();
    expect(places()).toEqual(folded);
  });
});
