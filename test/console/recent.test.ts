import { afterAll, afterEach, expect, it, vi } from 'vitest';

const answers = new Map<string, { status: number; body: unknown }>();
vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {}, clear: () => {} });
vi.stubGlobal('navigator', { language: 'en' });
vi.stubGlobal('document', { documentElement: { lang: '' } });
vi.stubGlobal(
  'BroadcastChannel',
  class {
    postMessage() {}
  },
);
vi.stubGlobal('fetch', async (path: string) => {
  const { status, body } = answers.get(path.replace(/\?.*/, ''))!;
  return Response.json(body, { status });
});
afterEach(() => answers.clear());
afterAll(() => vi.unstubAllGlobals());

// By their names alone: the types of a browser are not those of the tests.
const { showFirstLanguage } = await vi.importActual<{ showFirstLanguage: () => Promise<void> }>(
  '../../console/browser/words.ts',
);
const { search } = await vi.importActual<{
  search: (text: string, signal: AbortSignal) => Promise<{ title: string; holder?: string }[]>;
}>('../../console/service/search.ts');
await showFirstLanguage();

const minute = (n: number) => new Date(Date.UTC(2026, 10, 20, 10, n)).toISOString();
const scan = (address: string, n: number) => ({
  ...{ chain: 'ethereum', address, risk_level: 'LOW', created_at: minute(n) },
});
const board = (title: string, n: number) => ({ id: title, title, saved_at: minute(n) });
const answer = (path: string, body: unknown, status = 200) => answers.set(`/api/v1${path}`, { status, body });
const recent = async () => (await search('', new AbortController().signal)).map(({ title }) => title);

it('lists what was looked at last by time, each address at its newest scan', async () => {
  const others = ['B', 'C', 'D', 'E', 'F', 'G', 'H'].map((address, i) => scan(address, 50 - 2 * i));
  answer('/public/scans', { scans: [scan('A', 59), ...others, scan('A', 1)] });
  answer('/boards', { boards: [board('Newest', 60), board('Between', 49), board('Old', 2)] });
  expect(await recent()).toEqual(['Newest', 'A', 'B', 'Between', 'C', 'D', 'E', 'F', 'Old']);
});

it('lists those of one kind where the service refuses the other, and fails where it refuses both', async () => {
  answer('/public/scans', { scans: [scan('A', 1)] });
  answer('/boards', { detail: 'Not for this key' }, 403);
  expect(await recent()).toEqual(['A']);
  answer('/boards', { boards: [board('Board', 1)] });
  answer('/public/scans', { detail: 'Not for this key' }, 403);
  expect(await recent()).toEqual(['Board']);
  answer('/boards', { detail: 'Not for this key' }, 403);
  await expect(recent()).rejects.toThrow('Not for this key');
});

it('finds holders by name first, each once, also where no list names the owner of the address', async () => {
  for (const kind of ['cases', 'boards']) answer(`/${kind}`, { [kind]: [] });
  answer('/scamdb/search', { results: [] });
  const label = (address: string, owner: string | null) => ({
    ...{ address, chains: ['bitcoin'], label: `Harbour: ${address}`, category: 'exchange', entity: owner },
  });
  const found = [label('hot', null), label('cold', null), label('alone', null), label('listed', 'Harbour')];
  answer('/graph/labels', { results: found });
  const entity = (id: string, name: string | null) => ({ id, name, size: 18, overgrown: false });
  for (const hot of ['hot', 'cold']) answer(`/graph/entity-of/${hot}`, { entity: entity('a', 'Harbour') });
  answer('/graph/entity-of/alone', { entity: null });
  answer('/graph/entity-of/listed', { entity: entity('b', null) });
  const hits = await search('harbour', new AbortController().signal);
  expect(hits.map(({ title }) => title)).toEqual(['Harbour', 'Harbour', ...found.map((one) => one.label)]);
  expect(hits.flatMap(({ holder }) => holder ?? [])).toEqual(['a', 'b']);
});
