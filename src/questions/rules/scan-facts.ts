import { type Chain, isEvmChain } from '../../domain/chain.ts';
import { type Facts, noFacts, RULE_FACTS } from '../../domain/rule-facts.ts';
import { DAY_MS } from '../../domain/time.ts';
import type { Counterparty, FlowTotals } from '../../domain/transfers/flow.ts';
import type { AlertedEntity } from '../../events/payloads.ts';
import type { Detection, RiskLevel } from '../../risk/detection.ts';

/** The part of a scan that rules ask; scans of earlier versions may lack some of it. */
export interface RuledScan {
  chain: Chain;
  address: string;
  address_type: string;
  risk_level: RiskLevel;
  risk_score: number;
  detections: Detection[];
  metadata: {
    entity?: AlertedEntity;
    total_transactions?: number;
    counterparty_count?: number;
    coverage?: object;
  };
  flow_totals?: FlowTotals;
  top_counterparties?: Counterparty[];
}

/** All that only the account knows of a scan. */
export interface AskedFor {
  source: string;
  watched?: boolean;
  inCase?: boolean;
  transfer?: {
    direction: string;
    reference: string;
    customer_ref: string | null;
    moved: readonly { asset: string; usd: number | null }[];
  };
}

/** Builds the flat object that rules ask. */
export function scanFacts(scan: RuledScan, asked: AskedFor): Facts {
  const { metadata, detections, flow_totals, top_counterparties = [] } = scan;
  const { transfer } = asked;
  const facts: Facts = {
    ...noFacts(),
    chain: scan.chain,
    address: isEvmChain(scan.chain) ? scan.address.toLowerCase() : scan.address,
    address_type: scan.address_type,
    source: asked.source,
    level: scan.risk_level,
    score: scan.risk_score,
    detections: [...new Set(detections.map(({ detector_id }) => detector_id))],
    findings: [...new Set(detections.map(({ detector_id, severity }) => `${severity} ${detector_id}`))],
    detection_count: detections.length,
    transactions: metadata.total_transactions ?? 0,
    counterparties: metadata.counterparty_count ?? top_counterparties.length,
    counterparty_labels: top_counterparties.flatMap(({ label }) => label?.toLowerCase() ?? []),
    counterparty_categories: [...new Set(top_counterparties.map((one) => one.label_category ?? one.category))],
    assets: [...new Set(Object.values(flow_totals ?? {}).flatMap((sums) => Object.keys(sums)))],
    age_days: daysOf(metadata.coverage),
    watched: asked.watched ?? false,
    in_case: asked.inCase ?? false,
    direction: transfer?.direction ?? '',
    reference: transfer?.reference ?? '',
    customer_ref: transfer?.customer_ref ?? '',
    transfer_usd: transfer?.moved.reduce((sum, { usd }) => sum + (usd ?? 0), 0) ?? 0,
    transfer_assets: transfer?.moved.map(({ asset }) => asset) ?? [],
  };
  for (const detection of detections) addExposure(facts, detection);
  return facts;
}

function daysOf(coverage: object | undefined): number {
  const { from, to } = (coverage ?? {}) as { from?: string | null; to?: string | null };
  return from && to ? Math.floor((Date.parse(to) - Date.parse(from)) / DAY_MS) : 0;
}

/** Raises facts to the largest that a detection measured of its category. */
function addExposure(facts: Facts, { detector_id, details }: Detection): void {
  const { category, measured, variant, role, ways } = details;
  if (detector_id === 'dormant_reactivation') facts.idle_days = numberIn(measured, 'idle_days');
  if (category === undefined) return;
  const way = variant === 'sent' || role === 'victim' ? 'sent' : 'received';
  const raise = (name: string, value: number) => {
    if (name in RULE_FACTS) facts[name] = Math.max(facts[name] as number, value);
  };
  raise(`${category}_${way}_usd`, numberIn(measured, 'usd'));
  raise(`${category}_${way}_share`, numberIn(measured, 'share'));
  const hops = Math.min(...(ways?.map((one) => one.hops) ?? [1]));
  const name = `${category}_hops`;
  if (name in RULE_FACTS) facts[name] = Math.min(facts[name] as number, hops);
}

function numberIn(measured: Record<string, unknown>, name: string): number {
  const value = measured[name];
  return typeof value === 'number' ? value : 0;
}
