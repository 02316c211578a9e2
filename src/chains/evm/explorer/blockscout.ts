import { z } from 'zod';
import { adverseCategory } from '../../../domain/adverse-words.ts';
import { append } from '../../../domain/append.ts';
import type { Category } from '../../../domain/label.ts';
import { cleanSymbol } from '../../../domain/tokens/token.ts';
import { SourceError } from '../../../errors.ts';
import type { AddressType, ExplorerTag, RequestOptions } from '../../port.ts';
import { addressField } from '../format/fields.ts';
import type { Explorer } from './explorer.ts';

export interface BlockscoutView {
  type: AddressType;
  tags: ExplorerTag[];
}

/** Names are an extra: of the newest pages of each list only. */
const TAG_PAGES = 2;
/** Categories by the words of tags that accuse of nothing. */
const KNOWN_KINDS: [RegExp, Category][] = [
  [/gambl|casino|lottery|betting/i, 'gambling'],
  [/bridge/i, 'bridge'],
  [/router|aggregator/i, 'dex_router'],
  [/\bdex\b|swap/i, 'dex'],
  [/exchange|\bcex\b|deposit|hot wallet|cold wallet/i, 'exchange'],
];

const tag = z.object({
  name: z.string().optional(),
  display_name: z.string().optional(),
  label: z.string().optional(),
  slug: z.string().optional(),
  tagType: z.string().optional(),
});
const party = z.object({
  hash: addressField,
  name: z.string().nullish(),
  is_contract: z.boolean().nullish(),
  proxy_type: z.string().nullish(),
  public_tags: z.array(tag).nullish().catch(null),
  metadata: z
    .object({ tags: z.array(tag) })
    .nullish()
    .catch(null),
});
const page = z.object({
  items: z.array(z.looseObject({ from: z.unknown().optional(), to: z.unknown().optional() })),
  next_page_params: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).nullish(),
});

/** Returns what Blockscout's version 2 shows: the kind of the address, and names of it and of its counterparties. */
export async function blockscoutView(
  explorer: Explorer,
  address: string,
  pageLimit: number,
  options?: RequestOptions,
): Promise<BlockscoutView> {
  const own = party.safeParse(await ask(explorer, `/v2/addresses/${address}`, {}, options));
  const parties: unknown[] = own.success ? [own.data] : [];
  for (const list of ['transactions', 'token-transfers']) {
    if (own.success) append(parties, await partiesOf(explorer, `/v2/addresses/${address}/${list}`, pageLimit, options));
  }
  const tags = new Map<string, ExplorerTag>();
  for (const raw of parties) {
    const read = party.safeParse(raw);
    const named = read.success ? tagOf(read.data) : null;
    if (named && !tags.has(named.address)) tags.set(named.address, named);
  }
  return { type: own.success ? typeOf(own.data) : 'unknown', tags: [...tags.values()] };
}

async function partiesOf(
  explorer: Explorer,
  path: string,
  pageLimit: number,
  options?: RequestOptions,
): Promise<unknown[]> {
  const parties: unknown[] = [];
  let cursor: Record<string, string | number | undefined> = {};
  for (let count = 0; count < Math.min(TAG_PAGES, pageLimit); count++) {
    const read = page.safeParse(await ask(explorer, path, cursor, options));
    if (!read.success) break;
    for (const { from, to } of read.data.items) parties.push(from, to);
    const next = read.data.next_page_params;
    if (!next) break;
    const echoed = Object.fromEntries(
      Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]])),
    );
    if (JSON.stringify(echoed) === JSON.stringify(cursor)) {
      throw new SourceError(explorer.chain, `${explorer.endpoint.name}: the same page came again`);
    }
    cursor = echoed;
  }
  return parties;
}

/** Null where this instance does not offer version 2 or does not know the address. */
async function ask(
  explorer: Explorer,
  path: string,
  query: Record<string, string | number | undefined>,
  options?: RequestOptions,
): Promise<unknown> {
  const reply = await explorer.askPath(path, query, options);
  return reply.status === 200 ? reply.json : null;
}

function typeOf(shown: z.output<typeof party>): AddressType {
  if (shown.is_contract == null) return 'unknown';
  return shown.is_contract && shown.proxy_type !== 'eip7702' ? 'contract' : 'wallet';
}

/** Public tags are given by the explorer's keepers; a contract's own name is its author's word, so it says no category. */
function tagOf(shown: z.output<typeof party>): ExplorerTag | null {
  const given = [...(shown.metadata?.tags ?? []), ...(shown.public_tags ?? [])];
  const name = given.find((one) => one.tagType === 'name') ?? given[0];
  const label = name ? (name.name ?? name.display_name ?? name.label) : shown.name;
  if (!label || cleanSymbol(label) === 'UNKNOWN') return null;
  const words = given.flatMap((one) => [one.slug, one.name, one.display_name, one.label]).join(' ');
  const category = adverseCategory(words) ?? KNOWN_KINDS.find(([pattern]) => pattern.test(words))?.[1] ?? 'other';
  return { address: shown.hash, label: shownName(label), category };
}

function shownName(label: string): string {
  return label
    .replace(/[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .trim()
    .slice(0, 100);
}
