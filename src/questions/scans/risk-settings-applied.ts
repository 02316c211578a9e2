import type { Context } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Counterparty } from '../../domain/transfers/flow.ts';
import { type OwnLabels, openOwnLabels } from '../../labels/own-labels.ts';
import { applyOverrides } from '../../risk/scoring/overrides.ts';
import { type TenantOverrides, tenantOverrides } from '../account/risk-settings.ts';
import type { ScanResult } from './score-address.ts';

type Answered = Pick<ScanResult, 'risk_score' | 'risk_level' | 'detection_count' | 'detections' | 'metadata'> & {
  top_counterparties?: Counterparty[];
};

const NO_NOTES: ReadonlyMap<string, string> = new Map();

/**
 * Shows scans as the account's settings of now see them. What is recorded and shared stays as it was scored, so that
 * changed settings show in the next answer. `metadata.overrides_applied` says whether settings took part. Of a known answer, only
 * the account's labels of its addresses are read.
 */
export async function tenantView(ctx: Context, accountId: string, known?: ScanResult) {
  const addresses = known && [known.address, ...known.top_counterparties.map(({ address }) => address)];
  const [overrides, own] = await Promise.all([
    tenantOverrides(ctx, accountId),
    openOwnLabels(ctx, accountId, addresses),
  ]);
  return <Answer extends ScanResult>(answer: Answer): Answer => {
    const seen = withOverrides(answer, answer.chain, overrides);
    const { own_labels } = own.fieldOf(answer.chain, answer.address);
    return {
      ...seen,
      top_counterparties: withOwnLabels(seen.top_counterparties, answer.chain, own),
      ...(own_labels && { metadata: { ...seen.metadata, own_labels } }),
    };
  };
}

/** Counterparties with what the account itself says of them. */
export function withOwnLabels(counterparties: readonly Counterparty[], chain: Chain, own: OwnLabels): Counterparty[] {
  return counterparties.map((one) => ({ ...one, ...own.fieldOf(chain, one.address) }));
}

/** Pure. A sanctioned counterparty stays shown as sanctioned, whoever trusts it. */
export function withOverrides<Answer extends Answered>(
  answer: Answer,
  chain: Chain,
  overrides: TenantOverrides | null,
): Answer {
  const trusted = overrides?.whitelist.get(chain) ?? NO_NOTES;
  const { weights = {}, strictSanctions = false } = overrides ?? {};
  const counterparties = answer.top_counterparties ?? [];
  const involved = [
    ...counterparties.map((one) => one.address),
    ...answer.detections.flatMap((detection) => detection.details.counterparties),
  ];
  const changes = Object.keys(weights).length > 0 || strictSanctions;
  const applied = changes || involved.some((address) => trusted.has(address));
  if (!applied) return { ...answer, metadata: { ...answer.metadata, overrides_applied: false } };

  const { score_terms = [], suppressed = [] } = answer.metadata;
  const { risk_score, risk_level, detections } = answer;
  const seen = applyOverrides(
    { risk_score, risk_level, detections, score_terms, suppressed },
    { whitelist: new Set(trusted.keys()), weights, strictSanctions },
  );
  return {
    ...answer,
    risk_score: seen.risk_score,
    risk_level: seen.risk_level,
    detections: seen.detections,
    detection_count: seen.detections.length,
    ...(answer.top_counterparties ? { top_counterparties: withTrusted(counterparties, chain, overrides) } : {}),
    metadata: {
      ...answer.metadata,
      score_terms: seen.score_terms,
      suppressed: seen.suppressed,
      overrides_applied: true,
    },
  };
}

/** Counterparties with those on the whitelist shown as such, sanctioned ones excepted. */
export function withTrusted(
  counterparties: readonly Counterparty[],
  chain: Chain,
  overrides: TenantOverrides | null,
): Counterparty[] {
  const trusted = overrides?.whitelist.get(chain) ?? NO_NOTES;
  return counterparties.map((one) => {
    if (!trusted.has(one.address) || one.category === 'sanctioned') return one;
    const { label_category, ...shown } = one;
    const label = trusted.get(one.address) || one.label;
    return { ...shown, category: 'whitelist', label, label_source: 'tenant' };
  });
}
