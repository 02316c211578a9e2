import { EVM_CHAIN_IDS } from '../domain/chain.ts';

/** True for a place on the web; others are paths. */
export function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/** A place as logs keep it: of a URL no query. */
export function shownPlace(place: string): string {
  return isUrl(place) ? withoutQuery(new URL(place)) : place;
}

/** A URL as people may see it: its query may hold a key. */
export function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

/** Stands for a secret wherever settings and URLs are shown. */
export const MASK = '********';

/** Parts of a source's path that name an interface, a network or a chain. Any other part may be a key, however short. */
const PATH_WORDS = new Set(
  [
    'api rpc ws http https jsonrpc json-rpc eth-rpc ogrpc lb gateway proxy node nodes network networks chain chains public',
    'mainnet mainnet-beta testnet main archive full one ext bc c evm explorer etherscan blockscout esplora coins pro',
    'bitcoin btc ethereum eth polygon matic bor bsc bnb binance base arbitrum arb arb1 optimism op avalanche avax kaia',
    'klaytn solana sol tron trx xrp xrpl ripple',
  ].flatMap((line) => line.split(' ')),
);
const INTERFACE_VERSION = /^v\d{1,2}$/;
const CHAIN_IDS = new Set(Object.values(EVM_CHAIN_IDS).map(String));
/** A label of a host name that a provider gives to one customer. */
const KEY_IN_HOST = /^(?=.*\d)[0-9a-z]{20,}$/;

/**
 * A URL of a source or store as people may see it: without user, password, values of the query and, of a web address, every
 * part of the path that is not a known word. Where it cannot be parsed, all of it is masked.
 */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return MASK;
  const { protocol, username, password, host, pathname, search, hash } = new URL(url);
  const user = username || password ? `${MASK}@` : '';
  const path = isUrl(url) ? pathname.split('/').map(shownPart).join('/') : pathname;
  const query = search && `?${search.slice(1).split('&').map(shownParameter).join('&')}`;
  return `${protocol}//${user}${shownHost(host)}${path === '/' ? '' : path}${query}${hash && `#${MASK}`}`;
}

/** A host without the names that only a customer of its keeper knows. */
export function shownHost(host: string): string {
  return host
    .split('.')
    .map((label) => (KEY_IN_HOST.test(label) ? MASK : label))
    .join('.');
}

/** The text of a source's failure without what `shownUrl` hides of its URLs, and without the keys: replies repeat requests. */
export function withoutSecrets(text: string, urls: readonly string[], keys: readonly string[] = []): string {
  const secrets = [...urls.filter((url) => URL.canParse(url)).flatMap(secretsIn), ...keys];
  const longestFirst = secrets.filter(canBeFound).sort((a, b) => b.length - a.length);
  return longestFirst.reduce((left, secret) => left.replaceAll(secret, MASK), text);
}

function secretsIn(url: string): string[] {
  const { username, password, host, pathname, searchParams } = new URL(url);
  const parts = pathname.split('/').filter((part) => shownPart(part) === MASK);
  const labels = host.split('.').filter((label) => KEY_IN_HOST.test(label));
  return [username, password, ...parts, ...labels, ...searchParams.values()];
}

/** Fewer characters, and known words, stand in honest sentences too. */
function canBeFound(secret: string): boolean {
  return secret.length >= 4 && shownPart(secret) === MASK;
}

function shownPart(part: string): string {
  const word = part.toLowerCase();
  const isKnown = word === '' || PATH_WORDS.has(word) || INTERFACE_VERSION.test(word) || CHAIN_IDS.has(word);
  return isKnown ? part : MASK;
}

function shownParameter(parameter: string): string {
  const [name, value] = parameter.split('=', 2);
  return value === undefined ? MASK : `${name}=${MASK}`;
}
