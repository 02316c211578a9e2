import { type Chain, chainName } from '../../src/domain/chain.ts';
import { shownIds } from '../../src/domain/scene/shown.ts';
import { chainsOfHash } from '../../src/domain/tx-hash.ts';
import { words } from '../browser/words.ts';
import { shortened } from '../parts/shortened.ts';
import type { ActivityAnswer, Boards, Cases, LabelSearch, ScamSearch, Scans } from '../service/answers.ts';
import { ApiError, apiPath, call } from '../service/api.ts';
import { locateTransaction } from '../service/locate.ts';
import { drawPlaces } from './asks.ts';
import type { Desk } from './desk.ts';

/** Something that the search box found. */
export interface Hit {
  id: string;
  title: string;
  about: string;
  /** A page of the console, by name and parts. */
  link?: [page: string, parts: string[]];
  /** An address to draw beside what is drawn; the link opens it alone. */
  place?: { chain: Chain; address: string };
  /** True for an address that is in use on none of the chains on which it can be. */
  isUnused?: boolean;
  /** A node of the picture. */
  node?: string;
  /** A transaction to draw, which costs a scan for each side. */
  transaction?: { chain: Chain; hash: string };
}

const EACH_MAX = 6;
const PASTED_MAX = 50;
const NAME_LENGTH_MIN = 2;
/** The service looks labels up by words of three characters and more. */
const LABEL_WORD = /\S{3}/u;
/** The shortest address of any chain. */
const ADDRESS_LENGTH_MIN = 24;

/** Everything that a text may mean; without one, what was looked at last. */
export async function searchAll(desk: Desk, text: string, signal: AbortSignal): Promise<Hit[]> {
  if (text === '') return recent(signal);
  if (text.length < NAME_LENGTH_MIN) return [];
  const drawn = onCanvas(desk, text);
  if (chainsOfHash(text).length > 0) return [...drawn, ...(await byHash(text, signal))];
  const [addresses, named] = await Promise.all([
    text.length >= ADDRESS_LENGTH_MIN ? byAddress(text, signal) : [],
    byName(text.toLowerCase(), signal),
  ]);
  return [...drawn, ...addresses, ...named];
}

/** The chains that know the transaction; where none does, one line that says which were asked. */
async function byHash(text: string, signal: AbortSignal): Promise<Hit[]> {
  const texts = words().canvas;
  const { hash, chains, asked } = await locateTransaction(text, signal);
  if (chains.length === 0) return [{ id: 'transaction', title: words().parts.transactionUnknown, about: asked }];
  return chains.map((chain) => ({
    id: `transaction ${chain}`,
    title: texts.transactionOn(chainName(chain)),
    about: texts.scans(2),
    transaction: { chain, hash },
  }));
}

/** Draws the addresses of a text that was pasted, as one step, and says what of it was left. Costs nothing. */
export async function drawPasted(desk: Desk, text: string, signal: AbortSignal): Promise<void> {
  const { places, others } = await placesIn(text, signal);
  if (places.length > 0) await drawPlaces(desk, places, signal);
  if (places.length > 0 || others.length > 0) desk.notice.value = words().canvas.pasted(places.length, others.length);
}

/** Finds the addresses in a text, each on the chains where it is in use; and the words that are none, or of which it is unclear. */
async function placesIn(text: string, signal: AbortSignal) {
  const wanted = [...new Set(text.split(/[\s,;"']+/).filter((word) => word.length >= ADDRESS_LENGTH_MIN))];
  const places: { chain: Chain; address: string }[] = [];
  const others: string[] = [];
  for (const word of wanted.slice(0, PASTED_MAX)) {
    const hits = chainsOfHash(word).length > 0 ? [] : await byAddress(word, signal);
    const inUse = hits.filter(({ isUnused }) => !isUnused);
    const certain = inUse.length > 0 ? inUse : hits.length === 1 ? hits : [];
    if (certain.length === 0) others.push(word);
    for (const { place } of certain) if (place) places.push(place);
  }
  return { places, others: [...others, ...wanted.slice(PASTED_MAX)] };
}

function onCanvas({ stage }: Desk, text: string): Hit[] {
  const { scene } = stage.value;
  const wanted = text.toLowerCase();
  const ids = shownIds(scene);
  return scene.nodes
    .filter(({ address, label, entity, note }) =>
      [address, label, entity, note].some((one) => one?.toLowerCase().includes(wanted)),
    )
    .flatMap(({ key, label, address, chain }) => {
      const id = ids.get(key);
      return id === undefined
        ? []
        : [
            {
              id: `node ${key}`,
              title: label ?? address,
              about: `${words().canvas.onCanvas} · ${chainName(chain)}`,
              node: id,
            },
          ];
    })
    .slice(0, EACH_MAX);
}

/** The chains on which an address is in use; all on which it can be, where it is in use on none. */
async function byAddress(text: string, signal: AbortSignal): Promise<Hit[]> {
  const found = await call<ActivityAnswer>(apiPath`/graph/activity/${text}`, { signal }).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 400) return null;
    throw error;
  });
  if (!found) return [];
  const { address, active_on: active } = found;
  const chains = active.length > 0 ? active : found.chains.map(({ chain }) => chain);
  return chains.map((chain) => ({
    id: `address ${chain}`,
    title: address,
    about: `${chainName(chain)}${active.length > 0 ? '' : ` · ${words().canvas.inactive}`}`,
    isUnused: active.length === 0,
    ...placed(chain, address),
  }));
}

/** Boards and cases by title, labelled addresses by name, and what the scam database lists: by domain, method or a part of the address. */
async function byName(wanted: string, signal: AbortSignal): Promise<Hit[]> {
  const [{ cases }, { boards }, labels, { results }] = await Promise.all([
    call<Cases>('/cases', { query: { limit: 200 }, signal }),
    call<Boards>('/boards', { query: { limit: 200 }, signal }),
    LABEL_WORD.test(wanted.normalize('NFKC')) ? byLabel(wanted, signal) : [],
    call<ScamSearch>('/scamdb/search', { query: { q: wanted, limit: EACH_MAX }, signal }),
  ]);
  const texts = words().canvas;
  const isNamed = ({ title }: { title: string }) => title.toLowerCase().includes(wanted);
  return [
    ...boards
      .filter(isNamed)
      .slice(0, EACH_MAX)
      .map((board) => boardHit(board, texts.board)),
    ...cases
      .filter(isNamed)
      .slice(0, EACH_MAX)
      .map(
        ({ id, title }): Hit => ({
          id: `case ${id}`,
          title,
          about: words().investigate.case,
          link: ['cases', [id]],
        }),
      ),
    ...labels,
    ...results.flatMap(({ id, address, chains: [chain], type, domains }): Hit[] => {
      if (!chain || labels.some((one) => one.id === `label ${address}`)) return [];
      const title = domains.find((domain) => domain.includes(wanted)) ?? address;
      return [
        {
          id: `scam ${id}`,
          title,
          about: `${chainName(chain)} · ${words().scamdb.types[type]}`,
          ...placed(chain, address),
        },
      ];
    }),
  ];
}

/** Addresses whose label, entity or list holds the words. */
async function byLabel(wanted: string, signal: AbortSignal): Promise<Hit[]> {
  const query = { q: wanted, limit: 2 * EACH_MAX };
  const { results } = await call<LabelSearch>('/graph/labels', { query, signal });
  return results.flatMap(({ address, chains: [chain], label, category }): Hit[] => {
    if (!chain) return [];
    const about = `${words().parts.categories[category]} · ${chainName(chain)} · ${shortened(address)}`;
    return [{ id: `label ${address}`, title: label, about, ...placed(chain, address) }];
  });
}

/** The last boards and scans. */
async function recent(signal: AbortSignal): Promise<Hit[]> {
  const [{ boards }, { scans }] = await Promise.all([
    call<Boards>('/boards', { query: { limit: EACH_MAX }, signal }),
    call<Scans>('/public/scans', { query: { limit: 20 }, signal }),
  ]);
  const seen = new Map(scans.map((scan) => [`${scan.chain} ${scan.address}`, scan]));
  return [
    ...boards.map((board) => boardHit(board, words().canvas.board)),
    ...[...seen].slice(0, EACH_MAX).map(
      ([id, { chain, address, risk_level }]): Hit => ({
        id,
        title: address,
        about: `${chainName(chain)} · ${risk_level}`,
        ...placed(chain, address),
      }),
    ),
  ];
}

function placed(chain: Chain, address: string) {
  const link: Hit['link'] = ['investigate', [chain, address]];
  return { place: { chain, address }, link };
}

function boardHit({ id, title }: { id: string; title: string }, about: string): Hit {
  return { id: `board ${id}`, title, about, link: ['investigate', ['board', id]] };
}
