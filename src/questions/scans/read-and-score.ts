import type { Language } from '../../../words/language.ts';
import type { Context, GraphContext } from '../../context.ts';
import { addressKey } from '../../domain/address/address-key.ts';
import type { Chain } from '../../domain/chain.ts';
import { isoOrNull } from '../../domain/time.ts';
import type { Counterparty } from '../../domain/transfers/flow.ts';
import { readInSlot, withScanSlot } from '../../fairness/scan-slots.ts';
import { keepScore } from '../../graph/ingest/keep-score.ts';
import { labelState, noteLabelChange } from '../../labels/label-changes.ts';
import { RULE_SET_VERSION } from '../../risk/rules.ts';
import { holdersBeside } from '../tracing/by-entity.ts';
import type { ReadingInquiry } from '../tracing/inquiry.ts';
import { fetchHistory, type ScannedSubject, storeHistory } from './history.ts';
import { type AddressRead, followMoney, readSurroundings } from './read-surroundings.ts';
import type { ScanRules } from './scan-rules.ts';
import { type ScanEntity, type ScanResult, type ScoredAddress, scoreAddress } from './score-address.ts';

/** Addresses whose labels are compared before a check before signing relies on the score. */
const EVIDENCE_MAX = 50;

interface ScoreRequest extends ScannedSubject {
  lang: Language;
  /** `off`: no address behind this one is opened. */
  trace?: 'on' | 'off';
}

/**
 * Reads an address into the graph, follows its money and scores it. The score is kept in the graph for checks before
 * signing, unless bridges were left out of it or the account's own decisions took part. Throws like fetchHistory and storeHistory.
 */
export async function readAndScore(
  ctx: Context & ReadingInquiry,
  request: ScoreRequest,
  { maxAgeMs, readsAll, reach }: ScanRules,
): Promise<ScoredAddress> {
  const { accountId, signal, isJob } = ctx;
  const { chain, address, lang, trace } = request;
  const caller = { id: accountId, subject: addressKey(chain, address), signal, isJob };
  return withScanSlot(ctx.scanSlots, caller, async (slot) => {
    const read = await readInSlot(slot, (transfersMax) => {
      const key = `read ${chain} ${address} ${maxAgeMs} ${readsAll} ${transfersMax}`;
      return ctx.inFlight.share(key, { account: accountId, signal }, (shared) =>
        fetchHistory({ ...ctx, signal: shared }, request, { maxAgeMs, readsAll, transfersMax }),
      ).result;
    });
    const known = await storeHistory(ctx, request, read);
    const inquiry = { ...ctx, slot };
    const followed = await followMoney(inquiry, chain, known, { reach, readsAll });
    const around = await readSurroundings(inquiry, request, known, followed);
    const { result, ...scored } = await scoreAddress(chain, address, around, lang);
    // All accounts share the kept score: neither a narrower question nor one account's decisions may replace it.
    const isShared = ctx.policy.crossChain && !around.isPersonal;
    if (isShared) await keepScoreOf(ctx, result, { ...around, isNarrow: trace === 'off' });
    // The label lists that it was judged by.
    const { [chain]: labels_on_chain } = await ctx.labels.countByChain();
    const lists = { lists: await ctx.labels.lists(), labels_on_chain };
    const { entity, top_counterparties } = await withHolders(ctx, chain, around.owner, result.top_counterparties);
    const metadata = { ...result.metadata, ...(entity ? { entity } : {}), ...lists };
    const counterparties = [...top_counterparties, ...scored.counterparties.slice(top_counterparties.length)];
    return { result: { ...result, metadata, top_counterparties }, ...scored, counterparties };
  });
}

/** The holders of an address and of its largest counterparties; none where the graph takes too long. */
async function withHolders(
  ctx: GraphContext,
  chain: Chain,
  address: string,
  counterparties: readonly Counterparty[],
): Promise<{ entity: ScanEntity | null; top_counterparties: Counterparty[] }> {
  const keyOf = (one: { address: string }) => addressKey(chain, one.address);
  const keys = [keyOf({ address }), ...counterparties.map(keyOf)];
  const holders = await holdersBeside(ctx, keys);
  const own = holders.get(keyOf({ address }));
  const { basis, tx_hash, at } = own ?? {};
  return {
    entity: own
      ? {
          id: own.id,
          name: own.name,
          basis: own.whole_basis,
          size: own.size,
          evidence: { basis: basis!, tx_hash: tx_hash!, at: isoOrNull(at!) },
        }
      : null,
    top_counterparties: counterparties.map((one) => {
      const holder = holders.get(keyOf(one));
      if (!holder) return one;
      return { ...one, entity_id: holder.id, ...(holder.name === null ? {} : { entity_name: holder.name }) };
    }),
  };
}

/** The score comes from public data and shared labels alone: no account's settings take part. */
async function keepScoreOf(
  ctx: Context,
  result: ScanResult,
  { labelsOf, asOf, knownTransfers: transfers, isNarrow }: AddressRead & { isNarrow: boolean },
): Promise<void> {
  const { chain, address, detections, risk_score: score, risk_level: level } = result;
  const isPartial = result.metadata.level_basis === 'partial';
  const named = detections.flatMap(({ details }) => details.labels.map((label) => label.address));
  const evidence = [...new Set([address, ...named])].slice(0, EVIDENCE_MAX);
  const labels = labelState(evidence, labelsOf, asOf);
  const kept = { score, level, at: asOf, ruleSetVersion: RULE_SET_VERSION, evidence, labels, transfers, isPartial };
  const { levelBefore, hasNewPoisoning } = await keepScore(ctx.graph, {
    chain,
    address,
    score: kept,
    poisonedBy: poisonedBy(result),
    isNarrow,
  });
  const isAdverse = (one: string | null) => one !== null && one !== 'LOW';
  // Ends the cached verdicts of all processes, as a changed label does.
  const isKept = levelBefore !== undefined;
  const isTelling = isKept && levelBefore !== level && (isAdverse(levelBefore) || isAdverse(level));
  if (isTelling || hasNewPoisoning) await noteLabelChange(ctx.records);
}

/** Addresses that poisoned the history of this one. */
function poisonedBy({ detections }: ScanResult): string[] {
  return detections.flatMap(({ detector_id, details }) => {
    const { lookalike } = details.measured;
    return detector_id === 'address_poisoning' && typeof lookalike === 'string' ? [lookalike] : [];
  });
}
