import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.ts';
import { addressKey, pairName } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import { GraphError } from '../../errors.ts';
import { readTopTransfers } from '../../graph/queries/path.ts';
import { readRecipients } from '../../graph/queries/presign.ts';
import { endsOf } from '../../risk/ledger/poisoning.ts';
import type { EarlierRecipient, Lookalike, PresignTransaction } from '../../risk/presign/case.ts';
import { comparedOf, findLookalikes } from '../../risk/presign/lookalike.ts';
import { PRESIGN, RULES } from '../../risk/rules.ts';

/** Someone waits to sign while this runs. */
const TIMEOUT_MS = 1_000;

const RECIPIENTS_TTL_MS = 5_000;
/** Over all signers; one without recipients counts as one. */
const CACHED_RECIPIENTS_MAX = 100_000;

/** By the ends that an address must share to look like another. */
type Recipients = Map<string, EarlierRecipient[]>;

interface PaidBefore {
  recipients: Recipients;
  count: number;
}

/**
 * Finds parties that look like the signer or like someone whom the signer paid before; null where the graph cannot be
 * read. A signer's recipients are cached for 5 seconds, less than a payment takes to reach the graph.
 */
export function openLookalikes(ctx: Context): (known: PresignTransaction) => Promise<Lookalike[] | null> {
  const cache = new LRUCache<string, PaidBefore>({
    maxSize: CACHED_RECIPIENTS_MAX,
    sizeCalculation: ({ count }) => Math.max(1, count),
    ttl: RECIPIENTS_TTL_MS,
    ttlResolution: 0,
    perf: ctx,
  });

  const recipientsOf = async (chain: Chain, signer: string): Promise<PaidBefore | null> => {
    const key = addressKey(chain, signer);
    const cached = cache.get(key);
    if (cached) return cached;
    const usdMin = RULES.address_poisoning.genuine_from_usd;
    const query = { chain, signer, usdMin, recipientsMax: PRESIGN.signer_recipients_max };
    const rows = await nullOnFailure(ctx, readRecipients(ctx.graph, query, TIMEOUT_MS));
    if (rows === null) return null;
    const paid = { recipients: byEnds(chain, rows), count: rows.length };
    cache.set(key, paid);
    return paid;
  };

  return async (known) => {
    const { chain, signer } = known;
    const compared = comparedOf(known);
    if (signer === null || compared.length === 0) return [];
    const paid = await recipientsOf(chain, signer);
    if (paid === null) return null;
    const alike = compared.flatMap((address) => paid.recipients.get(endsOf(chain, address)) ?? []);
    const earlier = [...alike, { address: signer, lastAt: null }];
    const found = findLookalikes(chain, compared, earlier, (paid.count + 1) * compared.length);
    const pairOf = (genuine: EarlierRecipient) => ({
      from: addressKey(chain, signer),
      to: addressKey(chain, genuine.address),
    });
    const pairs = found.flatMap(({ genuine }) => (genuine.lastAt === null ? [] : [pairOf(genuine)]));
    const top = await nullOnFailure(ctx, readTopTransfers(ctx.graph, pairs, TIMEOUT_MS));
    return found.map(({ address, genuine }) => {
      const txHash = top?.get(pairName(pairOf(genuine))) ?? null;
      return { address, genuine: { ...genuine, txHash } };
    });
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

/** Null where the graph fails: the verdict then says what is missing, which serves the caller better than an error. */
async function nullOnFailure<T>(ctx: Context, read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    if (!(error instanceof GraphError)) throw error;
    ctx.warnRarely(error, 'presign answered without the graph');
    return null;
  });
}
