import { isDeepStrictEqual } from 'node:util';
import { LRUCache } from 'lru-cache';
import type { Language } from '../../words/language.ts';
import type { Context } from '../context.ts';
import { addressKey, pairName } from '../domain/address/address-key.ts';
import { atMost } from '../domain/at-most.ts';
import type { Chain } from '../domain/chain.ts';
import type { Label } from '../domain/label.ts';
import { GraphError, UnavailableError } from '../errors.ts';
import { readTopTransfers } from '../graph/queries/path.ts';
import { readRecipients } from '../graph/queries/presign.ts';
import { labelsOfKeys } from '../labels/key-labels.ts';
import { openLevelLabels } from '../labels/own-labels.ts';
import { endsOf } from '../risk/ledger/poisoning.ts';
import type { EarlierRecipient, Lookalike, PresignCase, PresignTransaction } from '../risk/presign/case.ts';
import { partiesOf } from '../risk/presign/labels.ts';
import { comparedOf, findLookalikes } from '../risk/presign/lookalike.ts';
import { assessPresign, type PresignVerdict, unsupportedChainVerdict } from '../risk/presign/verdict.ts';
import { PRESIGN, RULES } from '../risk/rules.ts';
import { type TenantOverrides, tenantOverrides } from './account/risk-settings.ts';
import { findPartyHistories, statementMs } from './party-histories.ts';

type PresignAnswer = PresignVerdict & { chain: string; to: string; latency_ms: number; cached: boolean };

export type PresignCheck = (question: PresignQuestion, accountId: string) => Promise<PresignAnswer>;

/** Facts of the request itself. */
type Request = PresignTransaction & {
  /** Amount of the chain's coin that is sent; null when the request has no readable amount. */
  coins: number | null;
  lang: Language;
};
/** `unsupported` is the name of a chain that is not scanned. */
export type PresignQuestion = Request | { unsupported: string; to: string; lang: Language };

interface CachedVerdict {
  verdict: PresignVerdict;
  labelChanges: number;
  overrides: TenantOverrides | null;
}

const CACHED_VERDICTS_MAX = 20_000;

/**
 * The verdict on a transaction before it is signed, from labels, graph and calldata; no chain is asked. Parties on the
 * account's whitelist are not warned about, except for sanctions. What a store does not answer within PRESIGN_STORES_MS
 * is missing in the verdict, which says so.
 */
export function openPresignCheck(ctx: Context): PresignCheck {
  const findLookalikes = openLookalikes(ctx);
  // Verdicts without calldata and spender, for the account that asked. One ends after CACHE_PRESIGN_SECONDS, or earlier when
  // any label, any adverse score or the account's settings change, or a label of a party begins or ends.
  const cache = new LRUCache<string, CachedVerdict>({ ...atMost(CACHED_VERDICTS_MAX), ttlResolution: 0, perf: ctx });

  const assess = async (
    request: Request,
    accountId: string,
    overrides: TenantOverrides | null,
    inTime: Deadline['inTime'],
  ) => {
    const { chain, coins, lang } = request;
    const asOf = ctx.now();
    const parties = partiesOf(request).map((party) => party.address);
    const labelled = inTime(
      openLevelLabels(ctx, accountId, parties).then((own) => own.overStore(ctx.labels).findWithSisters(chain, parties)),
    );
    const ofKeys = inTime(
      labelled.then((found) => {
        const owners = parties.map((address) => ({ chain, address }));
        return labelsOfKeys(ctx, owners, { ownOf: (address) => found?.own.get(address) ?? [] });
      }),
    );
    const [found, keyed, lists, lookalikes, histories, price] = await Promise.all([
      labelled,
      ofKeys,
      inTime(findListGap(ctx)),
      inTime(findLookalikes(request)),
      inTime(findPartyHistories(ctx, { chain, parties, accountId, labelled: labelled.then((it) => it?.own ?? null) })),
      coins === null ? { usd: null } : inTime(ctx.prices.usdPerCoin(chain, asOf).then((usd) => ({ usd }))),
    ]);
    const labelsOf = (address: string) => keyed?.get(addressKey(chain, address)) ?? found?.own.get(address) ?? [];
    const sisterLabelsOf = (address: string) => found?.sisters.get(address) ?? [];
    const usdPerCoin = price?.usd ?? null;
    // Spread last: Node adds a property to a spread object fifty times slower than it spreads into a literal.
    const verdict = assessPresign(
      {
        labelsOf,
        strictSanctions: overrides?.strictSanctions ?? false,
        sisterLabelsOf,
        trusted: trustedOf(overrides, chain, parties),
        lookalikes: lookalikes ?? [],
        seen: histories?.has(request.to) ?? false,
        historyOf: (address) => histories?.get(address) ?? null,
        valueUsd: coins === 0 ? 0 : coins === null || usdPerCoin === null ? null : coins * usdPerCoin,
        listGap: lists?.listGap ?? null,
        storesRead: ![found, keyed, lists, histories, lookalikes, price].includes(null),
        asOf,
        ...request,
      },
      lang,
    );
    const nextLabelChange = Math.min(
      ...parties.flatMap((party) => [...labelsOf(party), ...sisterLabelsOf(party)].flatMap(daysAfter(asOf))),
    );
    return { verdict, nextLabelChange };
  };

  const check = async (question: PresignQuestion, accountId: string, { inTime }: Deadline): Promise<PresignAnswer> => {
    const startedAt = performance.now();
    const answer = (verdict: PresignVerdict, chain: string, cached: boolean): PresignAnswer => ({
      chain,
      to: question.to,
      latency_ms: Math.round(performance.now() - startedAt),
      cached,
      ...verdict,
    });
    if ('unsupported' in question) {
      return answer(unsupportedChainVerdict(question.unsupported.trim(), question.lang), question.unsupported, false);
    }
    const { chain, to, spender, signer, asset, coins, carriesValue, calldata, lang } = question;
    // Without the account's settings the verdict is only stricter.
    const overrides = await inTime(tenantOverrides(ctx, accountId));
    if (calldata !== null || spender !== null) {
      return answer((await assess(question, accountId, overrides, inTime)).verdict, chain, false);
    }
    const key = JSON.stringify([accountId, chain, to, signer, asset, carriesValue, coins, lang]);
    // Read before the labels, so that a change in between invalidates the cached verdict.
    const labelChanges = await inTime(ctx.labels.countChanges());
    const cached = cache.get(key);
    if (cached && cached.labelChanges === labelChanges && isDeepStrictEqual(cached.overrides, overrides)) {
      return answer(cached.verdict, chain, true);
    }
    const { verdict, nextLabelChange } = await assess(question, accountId, overrides, inTime);
    const ttl = Math.min(ctx.config.CACHE_PRESIGN_SECONDS * 1_000, nextLabelChange - ctx.now());
    if (labelChanges !== null && !verdict.signals.stores_unreadable && ttl > 0) {
      cache.set(key, { verdict, labelChanges, overrides }, { ttl });
    }
    return answer(verdict, chain, false);
  };

  return async (question, accountId) => {
    const deadline = openDeadline(ctx);
    try {
      return await check(question, accountId, deadline);
    } finally {
      deadline.end();
    }
  };
}

/** Returns the gap of the lists in an object, since a store that does not answer is null. */
async function findListGap({ labels }: Context): Promise<{ listGap: PresignCase['listGap'] }> {
  const gap = await labels.gap();
  return { listGap: gap === 'no_lists' && !(await labels.hasAny()) ? 'no_labels' : gap };
}

interface Deadline {
  /** Null if the read fails or is late: a verdict without that store is more useful to the caller than an error. */
  inTime: <T>(read: Promise<T>) => Promise<T | null>;
  end(): void;
}

/** PRESIGN_STORES_MS from now for all reads of one check. An answer that arrived while the process was busy counts. */
function openDeadline(ctx: Context): Deadline {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      setImmediate(() => reject(new UnavailableError('no answer within PRESIGN_STORES_MS', 1)));
    }, ctx.config.PRESIGN_STORES_MS);
  });
  const warn = (err: unknown) => {
    ctx.warnRarely(err, 'presign answered without a store');
    return null;
  };
  return {
    inTime: (read) => Promise.race([read, late]).catch(warn),
    end: () => clearTimeout(timer),
  };
}

const NONE_TRUSTED: ReadonlySet<string> = new Set();

/** The parties on the account's whitelist. */
function trustedOf(overrides: TenantOverrides | null, chain: Chain, parties: string[]): ReadonlySet<string> {
  const whitelist = overrides?.whitelist.get(chain);
  return whitelist ? new Set(parties.filter((party) => whitelist.has(party))) : NONE_TRUSTED;
}

/** The moments after `at` at which a label begins or ends. */
function daysAfter(at: number): (label: Label) => number[] {
  return ({ validFrom, validTo }) => [validFrom, validTo].filter((day) => day !== null && day > at) as number[];
}

const RECIPIENTS_TTL_MS = 5_000;
/** Over all signers; one without recipients counts as one. */
const CACHED_RECIPIENTS_MAX = 100_000;

/** Recipients by the ends that an address must share to look like another. */
type Recipients = Map<string, EarlierRecipient[]>;

interface PaidBefore {
  recipients: Recipients;
  count: number;
}

/**
 * Finds parties that look like the signer or like someone whom the signer paid before; null where the graph cannot be
 * read. A signer's recipients are cached for 5 seconds, less than a payment takes to reach the graph.
 */
function openLookalikes(ctx: Context): (known: PresignTransaction) => Promise<Lookalike[] | null> {
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
    const rows = await nullOnFailure(ctx, readRecipients(ctx.graph, query, statementMs(ctx)));
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
    const top = await nullOnFailure(ctx, readTopTransfers(ctx.graph, pairs, statementMs(ctx)));
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
