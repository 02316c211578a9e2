import type { Context } from '../context.ts';
import { canonicalAddress } from '../domain/address.ts';
import { plainDecimal } from '../domain/amount.ts';
import { decodeCalldata } from '../domain/calldata.ts';
import { type Chain, isChain } from '../domain/chain.ts';
import { isValidAt, type Label } from '../domain/label.ts';
import type { PresignCase } from '../risk/presign/case.ts';
import { isLabelled, partiesOf } from '../risk/presign/labels.ts';
import { assessPresign, type PresignVerdict, unsupportedChainVerdict } from '../risk/presign.ts';
import { parseAddress } from './parse-address.ts';
import { openLookalikes, openSeen } from './presign-history.ts';
import { tenantOverrides } from './risk-settings.ts';

/** As the caller sent it. */
export interface PresignRequest {
  chain: string;
  to: string;
  value?: string;
  data?: string;
  spender?: string;
  signer?: string;
  asset?: string;
}

export interface PresignAnswer extends PresignVerdict {
  chain: string;
  to: string;
  latency_ms: number;
  cached: boolean;
}

export type PresignCheck = (request: PresignRequest, accountId: string) => Promise<PresignAnswer>;

const CACHED_MAX = 20_000;

type Known = Omit<PresignCase, 'labelsOf' | 'lookalikes' | 'seen' | 'storesRead' | 'trusted' | 'asOf'>;
type Trusted = ReadonlySet<string>;
type Labels = Map<string, Label[]>;

/**
 * The verdict on a transaction before it is signed, from labels, graph and calldata alone: no chain is asked.
 * A verdict without calldata and spender is remembered for CACHE_PRESIGN_SECONDS and given again only while the
 * labels that it rests on are the same, which each request reads anew. Parties on the account's whitelist are not
 * warned of, save for sanctions; accounts that trust the same parties share a remembered verdict. Throws InvalidInputError for a malformed
 * address of a supported chain.
 */
export function openPresignCheck(ctx: Context): PresignCheck {
  const history = { isSeen: openSeen(ctx), findLookalikes: openLookalikes(ctx) };
  const cache = new Map<string, { verdict: PresignVerdict; labels: string; until: number }>();

  const remember = (key: string, verdict: PresignVerdict, labels: string, now: number) => {
    cache.delete(key);
    cache.set(key, { verdict, labels, until: now + ctx.config.CACHE_PRESIGN_SECONDS * 1_000 });
    if (cache.size > CACHED_MAX) cache.delete(cache.keys().next().value!);
  };

  return async (request, accountId) => {
    const startedAt = performance.now();
    const chain = request.chain.trim();
    const answer = (to: string, verdict: PresignVerdict, cached: boolean): PresignAnswer => ({
      ...verdict,
      chain: chain === '' ? request.chain : chain,
      to,
      latency_ms: Math.round(performance.now() - startedAt),
      cached,
    });
    if (!isChain(chain)) return answer(request.to, unsupportedChainVerdict(chain), false);

    const known = readRequest(chain, request);
    const now = ctx.now();
    const parties = partiesOf(known).map((party) => party.address);
    const [labels, trusted] = await Promise.all([
      findLabels(ctx, chain, parties),
      findTrusted(ctx, accountId, chain, parties),
    ]);
    const cacheable = known.calldata === null && known.spender === null;
    const key = `${chain} ${known.to} ${known.signer} ${known.asset} ${[...trusted].join()}`;
    const print = cacheable && labels ? fingerprint(labels, parties, now) : '';
    const hit = cacheable && labels ? cache.get(key) : undefined;
    if (hit && hit.labels === print && now < hit.until) return answer(known.to, hit.verdict, true);

    const verdict = await judge(history, { ...known, trusted }, labels, now);
    if (cacheable && !verdict.signals.stores_unreadable) remember(key, verdict, print, now);
    return answer(known.to, verdict, false);
  };
}

function readRequest(chain: Chain, request: PresignRequest): Known {
  const address = (text: string | undefined) => (text?.trim() ? parseAddress(text, chain).address : null);
  const { address: to } = parseAddress(request.to, chain);
  const data = request.data?.trim() ?? '';
  return {
    chain,
    to,
    spender: address(request.spender),
    signer: address(request.signer),
    asset: assetAddress(chain, request.asset),
    carriesValue: carriesValue(request.value),
    calldata: data === '' || /^0x$/i.test(data) ? null : decodeCalldata(chain, data, to),
  };
}

/** The contract, mint or issuer (`CURRENCY.issuer`) of the asset; null for a symbol or `native`. */
function assetAddress(chain: Chain, asset: string | undefined): string | null {
  return canonicalAddress(chain, asset?.split('.').at(-1) ?? '')?.address ?? null;
}

/** False only for what is surely nothing: an amount that cannot be read may be one. */
function carriesValue(value: string | undefined): boolean {
  const text = value?.trim() ?? '';
  if (text === '' || /^0x0*$/i.test(text)) return false;
  return plainDecimal(text) !== '0';
}

async function judge(
  history: { isSeen: ReturnType<typeof openSeen>; findLookalikes: ReturnType<typeof openLookalikes> },
  known: Known & { trusted: Trusted },
  labels: Labels | null,
  asOf: number,
): Promise<PresignVerdict> {
  const labelsOf = (address: string) => labels?.get(address) ?? [];
  const [seen, lookalikes] = await Promise.all([
    isLabelled(labelsOf(known.to), asOf) || history.isSeen(known.chain, known.to),
    history.findLookalikes(known),
  ]);
  return assessPresign({
    ...known,
    labelsOf,
    lookalikes: lookalikes ?? [],
    seen: seen ?? false,
    storesRead: labels !== null && seen !== null && lookalikes !== null,
    asOf,
  });
}

/** Null where the labels cannot be read: the verdict says so, and is no error for whoever waits to sign. */
async function findLabels(ctx: Context, chain: Chain, addresses: string[]): Promise<Labels | null> {
  return ctx.labels.find(chain, addresses).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'presign answered without labels');
    return null;
  });
}

const NOBODY: Trusted = new Set();

/** The parties on the account's whitelist; nobody where it cannot be read, which never says too little. */
async function findTrusted(ctx: Context, accountId: string, chain: Chain, parties: string[]): Promise<Trusted> {
  const overrides = await tenantOverrides(ctx, accountId).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'presign answered without the account settings');
    return null;
  });
  const whitelist = overrides?.whitelist.get(chain);
  return whitelist ? new Set(parties.filter((party) => whitelist.has(party))) : NOBODY;
}

/** All of the labels that a verdict can depend on, and whether each is in force. */
function fingerprint(labels: Labels, parties: string[], now: number): string {
  return labels.size === 0
    ? ''
    : JSON.stringify(parties.map((party) => labels.get(party)?.map((label) => [isValidAt(label, now), label])));
}
