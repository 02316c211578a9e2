import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { GraphError } from '../../errors.ts';
import { addressKey } from '../../graph/address-key.ts';
import { readRecipients } from '../../graph/queries/presign.ts';
import { variablePart } from '../../risk/ledger/baits.ts';
import type { EarlierRecipient, Lookalike, PresignCase } from '../../risk/presign/case.ts';
import { comparedOf, findLookalikes } from '../../risk/presign/lookalike.ts';
import { PRESIGN, RULES } from '../../risk/rules.ts';

/** Someone waits to sign while this runs. */
const TIMEOUT_MS = 1_000;

const RECIPIENTS_TTL_MS = 5_000;
/** Over all signers; one without recipients counts as one. */
const CACHED_RECIPIENTS_MAX = 100_000;

/** By the ends that an address must share to look like another. */
type Recipients = Map<string, EarlierRecipient[]>;

/**
 * Finds parties that look like the signer or like someone whom the signer paid before; null where the graph cannot be
 * read. A signer's recipients are cached for 5 seconds, less than a payment takes to reach the graph.
 */
export function openLookalikes(
  ctx: Context,
): (known: Pick<PresignCase, 'chain' | 'to' | 'spender' | 'signer' | 'calldata'>) => Promise<Lookalike[] | null> {
  const cache = new LRUCache<string, { recipients: Recipients; count: number }>({
    maxSize: CACHED_RECIPIENTS_MAX,
    sizeCalculation: ({ count }) => Math.max(1, count),
    ttl: RECIPIENTS_TTL_MS,
    ttlResolution: 0,
    perf: ctx,
  });

  const recipientsOf = async (chain: Chain, signer: string): Promise<Recipients | null> => {
    const key = addressKey(chain, signer);
    const cached = cache.get(key);
    if (cached) return cached.recipients;
    const usdMin = RULES.address_poisoning.genuine_from_usd;
    const query = { chain, signer, usdMin, recipientsMax: PRESIGN.signer_recipients_max };
    const rows = await nullOnFailure(ctx, readRecipients(ctx.graph, query, TIMEOUT_MS));
    if (rows === null) return null;
    const recipients = byEnds(chain, rows);
    cache.set(key, { recipients, count: rows.length });
    return recipients;
  };

  return async (known) => {
    const { chain, signer } = known;
    const compared = comparedOf(known);
    if (signer === null || compared.length === 0) return [];
    const recipients = await recipientsOf(chain, signer);
    if (recipients === null) return null;
    const alike = compared.flatMap((address) => recipients.get(endsOf(chain, address)) ?? []);
    return findLookalikes(chain, compared, [...alike, { address: signer, lastAt: null, txHash: null }]);
  };
}

function byEnds(chain: Chain, rows: readonly EarlierRecipient[]): Recipients {
  const recipients: Recipients = new Map();
  for (const row of rows) {
    const ends = endsOf(chain, row.address);
    const same = recipients.get(ends);
    if (same) same.push(row);
    else recipients.set(ends, [row]);
  }
  return recipients;
}

/** What two addresses share when a person may mistake one for the other; Bitcoin's formats differ in their prefix. */
function endsOf(chain: Chain, address: string): string {
  const tail = RULES.address_poisoning.match_characters;
  const variable = variablePart(chain, address);
  return variable.slice(0, tail) + variable.slice(-tail);
}

/** Null where the graph fails: the verdict then says what is missing, which serves the caller better than an error. */
async function nullOnFailure<T>(ctx: Context, read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (!(error instanceof GraphError)) throw error;
    ctx.log.warn({ err: error }, 'presign answered without the graph');
    return null;
  });
}
