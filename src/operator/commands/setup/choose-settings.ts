import { PUBLIC_SOURCES, type PublicSource } from '../../../chains/public-sources.ts';
import { CHAINS, type Chain, isChain } from '../../../domain/chain.ts';
import { InvalidInputError } from '../../../errors.ts';
import type { Questions } from './questions.ts';

/** One line of the file, with what a reader should know of it. */
export interface ChosenSetting {
  name: string;
  value: string;
  note: string;
}

/** Chains that the person names, or all. Throws InvalidInputError for another word. */
export async function chooseChains(questions: Questions): Promise<Chain[]> {
  const answer = await questions.text('Chains, separated by commas', 'all');
  if (answer === 'all') return [...CHAINS];
  return answer.split(',').map((part) => {
    const name = part.trim().toLowerCase();
    if (!isChain(name)) throw new InvalidInputError(`Unknown chain: ${name}. Of ${CHAINS.join(', ')}`);
    return name;
  });
}

/** Settings of the sources of these chains: public ones, or what the person types in their place. */
export async function chooseSources(questions: Questions, chains: readonly Chain[]): Promise<ChosenSetting[]> {
  const offered = PUBLIC_SOURCES.filter(({ chain }) => chains.includes(chain));
  const keys = await askKeys(questions, offered);
  const isPublic = await questions.yes('Take public sources (no: name each one)', true);
  const settings: ChosenSetting[] = [];
  for (const source of firstOfEachKind(offered, keys)) {
    const name = `${source.chain.toUpperCase()}_${source.kind}`;
    const value = isPublic ? source.url : await questions.text(`${name}_URL (- for none)`, source.url);
    if (value === '-') continue;
    const isOwn = value !== source.url;
    const noted = `public, noted ${source.noted}, not verified before \`traceflow sources\` asked it`;
    settings.push({ name: `${name}_URL`, value, note: isOwn ? 'your own' : noted });
    if (source.style) {
      const style = isOwn ? await questions.text('Its style, etherscan or blockscout', source.style) : source.style;
      settings.push({ name: `${name}_STYLE`, value: style, note: '' });
    }
    if (!source.key && !(isOwn && source.kind === 'EXPLORER')) continue;
    const key = isOwn ? await questions.text('Its key (empty: none)', '') : keys.get(new URL(source.url).host);
    if (key) settings.push({ name: `${name}_KEY`, value: key, note: '' });
  }
  return settings;
}

/** The XRP Ledger is listened to over a WebSocket, which its other source has not. */
const XRP_LIVE = 'wss://xrplcluster.com';

/** Asks where chains are listened to for live watch. Left out, their sources serve. */
export async function chooseListening(questions: Questions, chains: readonly Chain[]): Promise<ChosenSetting[]> {
  const isOwn = await questions.yes(
    'Live watch: name where each chain is listened to (no: their sources serve)',
    false,
  );
  const settings: ChosenSetting[] = [];
  for (const chain of chains) {
    const offered = chain === 'xrp' ? XRP_LIVE : '-';
    const name = `${chain.toUpperCase()}_LIVE_URL`;
    const value = isOwn ? await questions.text(`${name} (- for its source)`, offered) : offered;
    if (value === '-') continue;
    const note =
      value === XRP_LIVE ? 'public, for live watch, not verified before `traceflow sources` asked it' : 'your own';
    settings.push({ name, value, note });
  }
  if (isOwn && chains.includes('bitcoin')) {
    const name = 'BITCOIN_MEMPOOL_URL';
    const value = await questions.text(`${name}, the WebSocket of a mempool backend (- for none)`, '-');
    if (value !== '-') settings.push({ name, value, note: 'your own' });
  }
  return settings;
}

/** Asks for the keys of sources, by host. */
async function askKeys(questions: Questions, offered: readonly PublicSource[]): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  const asked = new Set<string>();
  for (const { url, key } of offered) {
    const { host } = new URL(url);
    if (!key || asked.has(host)) continue;
    asked.add(host);
    const given = await questions.text(`Key for ${host}, free at ${key.from} (empty: none)`, '');
    if (given !== '') keys.set(host, given);
  }
  return keys;
}

/** Returns of each kind the first source with a given key, else the first that needs none. */
function firstOfEachKind(offered: readonly PublicSource[], keys: ReadonlyMap<string, string>): PublicSource[] {
  const hasKey = ({ url, key }: PublicSource) => key !== undefined && keys.has(new URL(url).host);
  const chosen = new Map<string, PublicSource>();
  for (const source of [...offered.filter(hasKey), ...offered.filter(({ key }) => !key?.needed)]) {
    const place = `${source.chain} ${source.kind}`;
    if (!chosen.has(place)) chosen.set(place, source);
  }
  return offered.filter((source) => chosen.get(`${source.chain} ${source.kind}`) === source);
}
