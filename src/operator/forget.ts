import type { Context } from '../context.ts';
import { canonicalAddress } from '../domain/address/address.ts';
import { addressKey, parseAddressKey } from '../domain/address/address-key.ts';
import type { Chain } from '../domain/chain.ts';
import { groupBy } from '../domain/group-by.ts';
import { slicesOf } from '../domain/slices.ts';
import { InvalidInputError } from '../errors.ts';
import { type FactPlace, removeFacts, unmarkRead } from '../graph/ingest/remove-facts.ts';
import type { AddressProperties, StoredProperties } from '../graph/model.ts';
import type { Row } from '../graph/port.ts';
import { noteLabelChange } from '../labels/label-changes.ts';
import { insertAudit, OPERATOR } from '../records/audit/audit-log.ts';

interface AddressRequest {
  chain: Chain;
  address: string;
}
interface SourceRequest {
  /** As transfers name it: `explorer`, `esplora`, `explorer+rpc`, …; `file` for those of loaded files, which name none. */
  source: string;
  /** Default: all chains. */
  chain?: Chain;
}
/** The transfers that chain sources gave of one address, or those that one source or loaded files gave. */
export type ForgetRequest = AddressRequest | SourceRequest;

export interface ForgetReport {
  /** Deleted transfers. */
  transfers: number;
  /** Addresses that count as never read now. */
  addresses: number;
}

export interface ForgetOptions {
  /** Ends the work between two batches; what was deleted by then stays deleted. */
  signal?: AbortSignal;
  /** Transfers deleted so far. */
  onProgress?: (transfers: number) => void;
}

/** Addresses read at once, and those of them whose transfers are deleted together. */
const PAGE = 50_000;
const ADDRESSES_AT_ONCE = 1_000;

/**
 * Deletes transfers from the graph, and what rests on them: readings, scores and cached replies of both ends, and
 * crossings of bridges. Recorded scans stay, and loaded files unless they are named. Scanning an address again reads its
 * history from the chain. Throws InvalidInputError.
 */
export async function forget(ctx: Context, request: ForgetRequest, options: ForgetOptions = {}): Promise<ForgetReport> {
  const forgotten = new Set<string>();
  const { chain = 'every chain' } = request;
  const subject = 'source' in request ? `${request.source} of ${chain}` : keyOf(request);
  await insertAudit(ctx.records, { ...OPERATOR, action: 'facts_forgotten', subject }, ctx.now());
  let transfers = 0;
  const places = 'source' in request ? ofSource(ctx, request) : ofAddress(ctx, keyOf(request));
  for await (const { facts, read, crossing } of places) {
    options.signal?.throwIfAborted();
    transfers += await removeFacts(ctx.graph, facts, { unmark: true });
    await unmarkRead(ctx.graph, read);
    await ctx.graph.write([{ statement: 'forget/delete-bridged', params: { key: crossing } }]);
    const keys = [...new Set([...read, ...facts.flatMap(({ from, to }) => [from, to])])];
    for (const key of keys) forgotten.add(key);
    await deleteCachedReads(ctx, keys);
    options.onProgress?.(transfers);
  }
  // Verdicts that were cached before rest on what is gone.
  await noteLabelChange(ctx.records);
  return { transfers, addresses: forgotten.size };
}

function keyOf({ chain, address }: AddressRequest): string {
  const canonical = canonicalAddress(chain, address);
  if (!canonical) throw new InvalidInputError(`Address does not match chain ${chain}`);
  return addressKey(chain, canonical.address);
}

/** Facts to delete, addresses whose reading ends even without one, and addresses whose crossings of bridges go. */
interface Places {
  facts: FactPlace[];
  read: string[];
  crossing: string[];
}

async function* ofAddress({ graph }: Context, key: string): AsyncGenerator<Places> {
  const params = { key, source: null, before: null };
  const facts = await graph.read<FactPlace & Row>('forget/facts-of-address', params);
  yield { facts, read: [key], crossing: [key] };
}

/** Page by page of all addresses, or of one chain. */
async function* ofSource({ graph }: Context, { source, chain }: SourceRequest): AsyncGenerator<Places> {
  const prefix = chain === undefined ? '' : addressKey(chain, '');
  let after = prefix;
  for (;;) {
    const rows = await graph.read('export/addresses', { after, limit: PAGE });
    const page = rows.map((row) => row.properties as StoredProperties<AddressProperties>);
    const wanted = page.filter(({ key }) => key.startsWith(prefix));
    for (const some of slicesOf(wanted, ADDRESSES_AT_ONCE)) {
      const params = { key: some.map(({ key }) => key), source };
      const facts = await graph.read<FactPlace & Row>('forget/facts-of-source', params);
      yield {
        facts,
        read: some.filter((one) => one.read_sources?.includes(source)).map(({ key }) => key),
        crossing: [...new Set(facts.flatMap(({ from, to }) => [from, to]))],
      };
    }
    if (page.length < PAGE || wanted.length < page.length) return;
    after = page.at(-1)!.key;
  }
}

async function deleteCachedReads({ reads }: Context, keys: readonly string[]): Promise<void> {
  for (const [chain, parties] of groupBy(keys.map(parseAddressKey), (one) => one.chain)) {
    await reads.delete(
      chain,
      parties.map(({ address }) => address),
    );
  }
}
