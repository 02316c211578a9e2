import type { CasePriority, CaseStatus } from '../domain/case.ts';
import { type Chain, NATIVE_COIN } from '../domain/chain.ts';
import { isAdverseCategory } from '../domain/label.ts';
import { dayOf } from '../domain/time.ts';
import type { CaseIndicator, CaseIndicators } from './indicators.ts';
import { uuid5 } from './uuid5.ts';

/** The object template `coin-address` of MISP. */
const TEMPLATE = {
  name: 'coin-address',
  'meta-category': 'financial',
  template_uuid: 'd0e6997e-78da-4815-a6a1-cfc1c1cb8a46',
  template_version: '7',
};
/** 1 high, 2 medium, 3 low. */
const THREAT_LEVELS: Record<CasePriority, string> = { critical: '1', high: '1', medium: '2', low: '3' };
/** 0 begun, 1 under way, 2 done. */
const ANALYSIS: Record<CaseStatus, string> = { open: '0', in_review: '1', escalated: '1', closed: '2', archived: '2' };
/** Your organisation alone, until someone there decides otherwise. */
const NO_DISTRIBUTION = '0';

/** The indicators of a case as a MISP event, an object `coin-address` each. */
export function mispEvent(given: CaseIndicators): string {
  const { caseId, title, priority, status, openedAt, exportedAt, tlp, indicators } = given;
  const timestamp = String(Math.floor(exportedAt / 1_000));
  const event = {
    uuid: uuid5('event', caseId),
    info: title,
    date: dayOf(openedAt),
    timestamp,
    threat_level_id: THREAT_LEVELS[priority],
    analysis: ANALYSIS[status],
    distribution: NO_DISTRIBUTION,
    published: false,
    Tag: [{ name: `tlp:${tlp}` }],
    Attribute: [
      {
        uuid: uuid5('reference', caseId),
        type: 'other',
        category: 'Internal reference',
        value: `traceflow case ${caseId}`,
        to_ids: false,
        distribution: NO_DISTRIBUTION,
        timestamp,
      },
    ],
    Object: indicators.map((indicator) => coinAddress(caseId, timestamp, indicator)),
  };
  return `${JSON.stringify({ Event: event }, null, 1)}\n`;
}

function coinAddress(caseId: string, timestamp: string, indicator: CaseIndicator) {
  const { chain, address, category, confidence, label, source, role } = indicator;
  const isBitcoin = chain === 'bitcoin';
  const attribute = (object_relation: string, type: string, value: string, to_ids = false) => ({
    uuid: uuid5(object_relation, caseId, chain, address),
    object_relation,
    type,
    category: type === 'btc' ? 'Financial fraud' : 'Other',
    value,
    to_ids,
    distribution: NO_DISTRIBUTION,
    timestamp,
  });
  const said = [
    `category: ${category}`,
    `confidence: ${confidence ?? 'unknown'}`,
    `role: ${role}`,
    `chain: ${chain}`,
    ...(source === null ? [] : [`${source}: ${label}`]),
  ];
  return {
    uuid: uuid5('object', caseId, chain, address),
    ...TEMPLATE,
    timestamp,
    distribution: NO_DISTRIBUTION,
    comment: label ?? '',
    Attribute: [
      attribute(
        isBitcoin ? 'address' : 'address-crypto',
        isBitcoin ? 'btc' : 'text',
        address,
        isAdverseCategory(category),
      ),
      attribute('symbol', 'text', symbolOf(chain)),
      attribute('text', 'text', said.join('\n')),
    ],
  };
}

function symbolOf(chain: Chain): string {
  return NATIVE_COIN[chain].symbol;
}
