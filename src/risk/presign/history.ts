import type { Category } from '../../domain/label.ts';
import { DAY_MS, dayOf } from '../../domain/time.ts';
import { EXPOSURE_KIND, gradeExposure } from '../exposure/grade-exposure.ts';
import { PRESIGN } from '../rules.ts';
import { atMost } from '../severity.ts';
import type { PresignFinding } from './case.ts';
import type { PresignParty } from './labels.ts';
import type { LastScan, PartyHistory } from './party-history.ts';

/** A scan of the last 30 days binds; an older one still cautions. */
export function historyFindings(
  { address, role }: PresignParty,
  history: PartyHistory,
  asOf: number,
): PresignFinding[] {
  return [
    ...scanFindings(`${role} ${address}`, history.lastScan, asOf),
    ...exposureFindings(`${role} ${address}`, history),
    ...(history.isBait ? [baitFinding(`${role} ${address}`)] : []),
  ];
}

function scanFindings(who: string, scan: LastScan | null, asOf: number): PresignFinding[] {
  if (scan === null || scan.level === 'LOW') return [];
  const { score, level, at, isOwn } = scan;
  const isHigh = level === 'HIGH' || level === 'CRITICAL';
  const binds = isHigh && asOf - at <= PRESIGN.scan_binds_days * DAY_MS;
  const when = isOwn ? ` of ${dayOf(at)}` : '';
  const rated = level === 'UNKNOWN' ? 'found too little to rate it' : `rated it ${level} (score ${score})`;
  return [
    {
      signals: ['scan_risk'],
      score: binds ? score : Math.max(PRESIGN.score.caution, Math.min(score, PRESIGN.score.caution_most)),
      blocking: false,
      reason: `${who}: the last scan${when} ${rated}.`,
      confidence: PRESIGN.confidence.scanned,
    },
  ];
}

/** Roll-ups do not distinguish customers from victims, so what such an address pays counts as a victim's payment. */
const TAKERS: readonly Category[] = ['scam', 'drainer', 'theft', 'ransomware'];

function exposureFindings(who: string, { exposures, subject }: PartyHistory): PresignFinding[] {
  return exposures.flatMap((exposure): PresignFinding[] => {
    const { category, direction, usd, share } = exposure;
    const kind = EXPOSURE_KIND[category];
    if (kind === undefined) return [];
    const graded = gradeExposure(exposure, { kind, direction, subject });
    const severity = direction === 'out' && TAKERS.includes(category) ? atMost(graded, 'MEDIUM') : graded;
    const score = PRESIGN.exposure_score[severity];
    if (score === 0) return [];
    const verb = direction === 'in' ? 'received' : 'sent';
    const [from, flow] = direction === 'in' ? ['from', 'inflow'] : ['to', 'outflow'];
    const amount = usd > 0 ? `${Math.round(usd).toLocaleString('en-US')} USD` : 'an amount of unknown price';
    const part = share > 0 ? ` (${(100 * share).toFixed(1)}% of its known ${flow})` : '';
    return [
      {
        signals: ['exposure'],
        score,
        blocking: false,
        reason: `${who} ${verb} ${amount}${part} ${from} addresses labelled ${category}.`,
        confidence: PRESIGN.confidence.scanned,
      },
    ];
  });
}

function baitFinding(who: string): PresignFinding {
  return {
    signals: ['lookalike'],
    score: PRESIGN.score.caution,
    blocking: false,
    reason: `${who} was used to bait somebody: it looks like an address that they paid before. Check the whole address.`,
  };
}
