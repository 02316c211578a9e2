import { type Chain, type ChainAddress, chainName } from '../../src/domain/chain.ts';
import { chainsOfHash } from '../../src/domain/tx-hash.ts';
import { shortened } from '../browser/shortened.ts';
import { words } from '../browser/words.ts';
import type { ActivityAnswer, Boards, Cases, LabelSearch, ScamSearch, Scans } from './answers.ts';
import { ApiError, apiPath, call } from './api.ts';
import { lastScanned } from './last-scanned.ts';
import { locateTransaction } from './locate.ts';
import type { EntityOfAnswer } from './tracing-answers.ts';

/** Something that the search box found. */
export interface Hit {
  id: string;
  title: string;
  about: string;
  /** A page of the console, by name and parts. */
  link?: [page: string, parts: string[]];
  /** An address to draw beside what is drawn; the link opens it alone. */
  place?: ChainAddress;
  /** A holder to draw as one card, by its id; the link opens its page. */
  holder?: string;
  /** True for an address that is in use on none of the chains on which it can be. */
  isUnused?: boolean;
  /** A node of the picture. */
  node?: string;
  /** A transaction to draw with what it moved. */
  transaction?: { chain: Chain; hash: string };
}

/** Hits of one kind at most. */
const EACH_MAX = 6;
/** Found addresses whose holder is asked for at most. */
const ASKED_MAX = 4;
const NAME_LENGTH_MIN = 2;
/** The service looks labels up by words of three characters and more. */
const LABEL_WORD = /\S{3}/u;
/** The shortest address of any chain. */
export const ADDRESS_LENGTH_MIN = 24;

/** Everything that a text may mean; without one, what was looked at last. */
export async function search(text: string, signal: AbortSignal): Promise<Hit[]> {
  if (text === '') return recent(signal);
  if (text.length < NAME_LENGTH_MIN) return [];
  if (chainsOfHash(text).length > 0) return byHash(text, signal);
  const [addresses, named] = await Promise.all([
    text.length >= ADDRESS_LENGTH_MIN ? byAddress(text, signal) : [],
    byName(text.toLowerCase(), signal),
  ]);
  return [...addresses, ...named];
}

/** The chains that know the transaction; where none does, one line that says which were asked. */
async function byHash(text: string, signal: AbortSignal): Promise<Hit[]> {
  const texts = words().canvas;
  const { hash, chains, asked } = await locateTransaction(text, signal);
  if (chains.length === 0) return [{ id: 'transaction', title: words().parts.transactionUnknown, about: asked }];
  return chains.map((chain) => ({
    id: `transaction ${chain}`,
    title: texts.transactionOn(chainName(chain)),
    about: texts.opened.hint,
    transaction: { chain, hash },
    link: ['investigate', ['transaction', `${chain}:${hash}`]],
  }));
}

/** The chains on which an address is in use; all on which it can be, where it is in use on none. */
export async function byAddress(text: string, signal: AbortSignal): Promise<Hit[]> {
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
    ...labels.filter(({ holder }) => holder),
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
    ...labels.filter(({ holder }) => !holder),
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
  const addresses = results.flatMap(({ address, chains: [chain], label, category }): Hit[] => {
    if (!chain) return [];
    const about = `${words().parts.categories[category]} · ${chainName(chain)} · ${shortened(address)}`;
    return [{ id: `label ${address}`, title: label, about, ...placed(chain, address) }];
  });
  return [...(await holdersOf(results, signal)), ...addresses];
}

/** The holders of found addresses, each once. The graph knows only some of the addresses: it is asked until one of an owner is found, and for each that names no owner. */
async function holdersOf(found: LabelSearch['results'], signal: AbortSignal): Promise<Hit[]> {
  const texts = words().profile;
  const hits: Hit[] = [];
  const owners = new Set<string>();
  for (const { address, chains, label, entity: owner } of found.slice(0, ASKED_MAX)) {
    if (owner !== null && owners.has(owner)) continue;
    const query = { chain: chains[0] };
    const { entity } = await call<EntityOfAnswer>(apiPath`/graph/entity-of/${address}`, { query, signal });
    if (!entity || entity.overgrown) continue;
    if (owner !== null) owners.add(owner);
    const { id, name, size } = entity;
    if (hits.some(({ holder }) => holder === id)) continue;
    const about = `${texts.holderShort} · ${texts.addressCount(size)}`;
    hits.push({ id: `holder ${id}`, title: name ?? owner ?? label, about, holder: id, link: ['entity', [id]] });
  }
  return hits;
}

/** The last boards and scanned addresses, the newest first; those of one kind where the service refuses the other. */
async function recent(signal: AbortSignal): Promise<Hit[]> {
  const asked = await Promise.allSettled([
    call<Boards>('/boards', { query: { limit: EACH_MAX }, signal }).then(({ boards }) =>
      boards.map((board) => ({ at: board.saved_at, hit: boardHit(board, words().canvas.board) })),
    ),
    lastScanned(EACH_MAX, signal).then((scans) => scans.map((scan) => ({ at: scan.created_at, hit: scanHit(scan) }))),
  ]);
  const found = asked.filter((one) => one.status === 'fulfilled');
  if (found.length === 0) throw (asked[0] as PromiseRejectedResult).reason;
  return found
    .flatMap(({ value }) => value)
    .sort((a, b) => Date.parse(b.at) - Date.parse(a.at))
    .map(({ hit }) => hit);
}

function scanHit({ chain, address, risk_level }: Scans['scans'][number]): Hit {
  const about = `${chainName(chain)} · ${words().parts.levels[risk_level]}`;
  return { id: `${chain} ${address}`, title: address, about, ...placed(chain, address) };
}

function placed(chain: Chain, address: string) {
  const link: Hit['link'] = ['investigate', [chain, address]];
  return { place: { chain, address }, link };
}

function boardHit({ id, title }: { id: string; title: string }, about: string): Hit {
  return { id: `board ${id}`, title, about, link: ['investigate', ['board', id]] };
}
