import type { Context } from '../../context.ts';
import { canonicalAddress } from '../../domain/address/address.ts';
import { plainDecimal } from '../../domain/amount.ts';
import { decodeCalldata } from '../../domain/calldata/calldata.ts';
import { type Chain, isChain } from '../../domain/chain.ts';
import type { Label } from '../../domain/label.ts';
import { gatherLookups } from '../../labels/gather-lookups.ts';
import type { PresignCase } from '../../risk/presign/case.ts';
import { isLabelled, partiesOf } from '../../risk/presign/labels.ts';
import { assessPresign, type PresignVerdict, unsupportedChainVerdict } from '../../risk/presign/verdict.ts';
import { type TenantOverrides, tenantOverrides } from '../account/risk-settings.ts';
import { parseAddress } from '../parse-address.ts';
import { openLookalikes, openSeen } from './read-history.ts';

/** As the caller sent it. */
export interface PresignRequest {
  chain: string;
  to: string;
  value?: string;
  /** Calldata; `calldata` counts where it is missing or empty. */
  data?: string;
  calldata?: string;
  spender?: string;
  signer?: string;
  asset?: string;
}

/** What is said of a transaction; one and the same object each time that it is remembered. */
export type Judged = PresignVerdict & { chain: string; to: string };

export interface PresignAnswer {
  judged: Judged;
  latencyMs: number;
  cached: boolean;
}

export interface PresignCheck {
  /** `asked` is the request as it was sent. */
  check(question: PresignQuestion, accountId: string, asked: string): Promise<PresignAnswer>;
  /** The remembered answer to what was asked in the same words; undefined where there is none that holds. */
  again(asked: string, accountId: string): Promise<PresignAnswer | undefined>;
}

/** Holds until a label changes or begins or ends, the account has other settings, or its time is over. */
interface Remembered {
  judged: Judged;
  labelChanges: number;
  overrides: TenantOverrides | null;
  until: number;
}

const REMEMBERED_MAX = 20_000;
const ASKED_CHARACTERS_MAX = 1_000;

/** What the request itself says. */
type Known = Omit<PresignCase, 'labelsOf' | 'lookalikes' | 'seen' | 'storesRead' | 'trusted' | 'asOf'>;
export type PresignQuestion = Known | { unsupported: string; to: string };
type Trusted = ReadonlySet<string>;
type Labels = Map<string, Label[]>;

/**
 * The verdict on a transaction before it is signed, from labels, graph and calldata alone: no chain is asked.
 * A verdict without calldata and spender is remembered for CACHE_PRESIGN_SECONDS and given again only while no label
 * has changed, which each request asks anew. Parties on the account's whitelist are not warned of, save for sanctions.
 */
export function openPresignCheck(ctx: Context): PresignCheck {
  const isSeen = openSeen(ctx);
  const findLookalikes = openLookalikes(ctx);
  const labels = gatherLookups(ctx.labels, ctx.now);
  const remembered = new Map<string, Remembered>();

  /** Accounts without settings of their own share what is remembered. */
  const keyOf = (asked: string, accountId: string, overrides: TenantOverrides | null) =>
    overrides === null ? asked : `${accountId} ${asked}`;

  const remember = (key: string, kept: Remembered) => {
    remembered.delete(key);
    remembered.set(key, kept);
    if (remembered.size > REMEMBERED_MAX) remembered.delete(remembered.keys().next().value!);
  };

  return {
    again: async (asked, accountId) => {
      const startedAt = performance.now();
      const overrides = await overridesOf(ctx, accountId);
      const kept = remembered.get(keyOf(asked, accountId, overrides));
      if (!kept || kept.overrides !== overrides) return undefined;
      const isSame = kept.labelChanges === (await orNull(ctx, labels.countChanges()));
      if (!isSame || ctx.now() >= kept.until) return undefined;
      return { judged: kept.judged, latencyMs: Math.round(performance.now() - startedAt), cached: true };
    },

    check: async (question, accountId, asked) => {
      const startedAt = performance.now();
      const answer = (judged: Judged): PresignAnswer => ({
        judged,
        latencyMs: Math.round(performance.now() - startedAt),
        cached: false,
      });
      if ('unsupported' in question) {
        const { unsupported, to } = question;
        return answer({ ...unsupportedChainVerdict(unsupported.trim()), chain: unsupported, to });
      }
      const { chain, to, spender, signer, asset, carriesValue, calldata } = question;
      const now = ctx.now();
      const parties = partiesOf(question).map((party) => party.address);
      const isLasting = calldata === null && spender === null && asked.length <= ASKED_CHARACTERS_MAX;
      // Before the labels: what changes after them is then a change.
      const labelChanges = isLasting ? await orNull(ctx, labels.countChanges()) : null;
      const [found, overrides, lookalikes] = await Promise.all([
        orNull(ctx, labels.find(chain, parties)),
        overridesOf(ctx, accountId),
        findLookalikes(question),
      ]);
      const labelsOf = (address: string) => found?.get(address) ?? [];
      const seen = isLabelled(labelsOf(to), now) || (await isSeen(chain, to));
      // Named one by one: to spread the question costs more than all else that is done with it.
      const verdict = assessPresign({
        chain,
        to,
        spender,
        signer,
        asset,
        carriesValue,
        calldata,
        labelsOf,
        trusted: trustedOf(overrides, chain, parties),
        lookalikes: lookalikes ?? [],
        seen: seen ?? false,
        storesRead: found !== null && seen !== null && lookalikes !== null,
        asOf: now,
      });
      const judged = Object.assign(verdict, { chain, to });
      if (labelChanges !== null && found !== null && !verdict.signals.stores_unreadable) {
        const until = Math.min(now + ctx.config.CACHE_PRESIGN_SECONDS * 1_000, nextDay(found, parties, now));
        remember(keyOf(asked, accountId, overrides), { judged, labelChanges, overrides, until });
      }
      return answer(judged);
    },
  };
}

/** Throws InvalidInputError for a malformed address of a supported chain. */
export function readPresign(request: PresignRequest): PresignQuestion {
  const chain = request.chain.trim();
  if (!isChain(chain)) return { unsupported: chain || request.chain, to: request.to };
  const address = (text: string | undefined) => (text?.trim() ? parseAddress(text, chain).address : null);
  const { address: to } = parseAddress(request.to, chain);
  const data = [request.data, request.calldata].map((text) => text?.trim() ?? '').find((text) => !isNothing(text));
  return {
    chain,
    to,
    spender: address(request.spender),
    signer: address(request.signer),
    asset: assetAddress(chain, request.asset),
    carriesValue: carriesValue(request.value),
    calldata: data === undefined ? null : decodeCalldata(chain, data, to),
  };
}

function isNothing(calldata: string): boolean {
  return calldata === '' || /^0x$/i.test(calldata);
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

/** Null where the labels cannot be read: the verdict says so, and is no error for whoever waits to sign. */
async function orNull<T>(ctx: Context, read: Promise<T>): Promise<T | null> {
  return read.catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'presign answered without labels');
    return null;
  });
}

/** Those of nobody where they cannot be read, which never says too little. */
async function overridesOf(ctx: Context, accountId: string): Promise<TenantOverrides | null> {
  return tenantOverrides(ctx, accountId).catch((error: unknown) => {
    ctx.log.warn({ err: error }, 'presign answered without the account settings');
    return null;
  });
}

const NOBODY: Trusted = new Set();

/** The parties on the account's whitelist. */
function trustedOf(overrides: TenantOverrides | null, chain: Chain, parties: string[]): Trusted {
  const whitelist = overrides?.whitelist.get(chain);
  return whitelist ? new Set(parties.filter((party) => whitelist.has(party))) : NOBODY;
}

/** When a label of the parties next begins or ends. */
function nextDay(labels: Labels, parties: readonly string[], now: number): number {
  const days = parties.flatMap((party) =>
    (labels.get(party) ?? []).flatMap(({ validFrom, validTo }) => [validFrom, validTo]),
  );
  return Math.min(...days.filter((day) => day !== null && day > now).map(Number));
}
