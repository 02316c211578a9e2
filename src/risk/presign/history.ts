import { trimmed } from '../../../words/figures.ts';
import { isValidAt } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import { DAY_MS, dayOf } from '../../domain/time.ts';
import { atMost } from '../detection.ts';
import { EXPOSURE_KIND, gradeBefore, gradeExposure } from '../exposure/grade-exposure.ts';
import { PRESIGN } from '../rules.ts';
import { strictSeverity } from '../scoring/overrides.ts';
import type { LastScan, PartyHistory, PresignCase, PresignFinding } from './case.ts';
import { type PresignParty, whoIs } from './labels.ts';

/** A scan of the last 30 days binds; an older one still cautions. */
export function historyFindings(party: PresignParty, history: PartyHistory, known: PresignCase): PresignFinding[] {
  const { asOf, strictSanctions = false } = known;
  return [
    ...scanFindings(party, history.lastScan, asOf),
    ...partialFindings(party, history.lastScan, known),
    ...exposureFindings(party, history, strictSanctions),
    ...(history.isBait ? [poisoningFinding(party)] : []),
  ];
}

function scanFindings(party: PresignParty, scan: LastScan | null, asOf: number): PresignFinding[] {
  if (scan === null || scan.level === 'LOW') return [];
  const { score, level, at, ownAt } = scan;
  const isHigh = level === 'HIGH' || level === 'CRITICAL';
  const binds = isHigh && asOf - at <= PRESIGN.scan_binds_days * DAY_MS;
  const day = ownAt === null ? null : dayOf(ownAt);
  return [
    {
      signals: ['scan_risk'],
      score: binds ? score : Math.max(PRESIGN.score.caution, Math.min(score, PRESIGN.score.caution_most)),
      blocking: false,
      reason: (texts) => texts.scanned(whoIs(texts, party), { level, score, day }),
      confidence: PRESIGN.confidence.scanned,
    },
  ];
}

/** LOW over money that was not looked at must not be safer than an address that was never scanned. */
function partialFindings(party: PresignParty, scan: LastScan | null, known: PresignCase): PresignFinding[] {
  if (scan?.level !== 'LOW' || !scan.isPartial) return [];
  // A payment of which no value was said may be of any; a call without one carries none. A label says who is paid.
  const isNamed = known.labelsOf(party.address).some((label) => isValidAt(label, known.asOf));
  const mayBeMuch = known.valueUsd == null && known.calldata === null && !isNamed;
  const isLarge = party.role === 'destination' && (mayBeMuch || carriesMuch(known));
  return [
    {
      signals: isLarge ? ['scan_risk'] : [],
      score: isLarge ? PRESIGN.score.caution : 0,
      blocking: false,
      reason: (texts) => texts.scannedInPart(whoIs(texts, party)),
      confidence: PRESIGN.confidence.scanned,
    },
  ];
}

/** True where so much is sent, or coins that cannot be priced, that too little must not be known of who gets it. */
export function carriesMuch({ valueUsd, carriesValue }: PresignCase): boolean {
  return valueUsd === null ? carriesValue : valueUsd !== undefined && valueUsd >= PRESIGN.unknown_from_usd;
}

function exposureFindings(
  party: PresignParty,
  { exposures, subject }: PartyHistory,
  strictSanctions: boolean,
): PresignFinding[] {
  return exposures.flatMap((exposure): PresignFinding[] => {
    const { category, direction, usd, share, isReturned, before } = exposure;
    const kind = EXPOSURE_KIND[category];
    if (kind === undefined) return [];
    const full = gradeExposure(exposure, { kind, direction, subject });
    const usual = before === undefined ? full : gradeBefore(full, before, exposure);
    const isStrict = strictSanctions && category === 'sanctioned' && before === undefined;
    const graded = isStrict ? strictSeverity(usual, direction, usd) : usual;
    // Roll-ups do not distinguish customers from victims, so what such an address pays counts as a victim's payment.
    const isLoss = direction === 'out' && SCAM_CATEGORIES.includes(category);
    const severity = isLoss || isReturned ? atMost(graded, 'MEDIUM') : graded;
    const score = PRESIGN.exposure_score[severity];
    if (score === 0) return [];
    const flow = {
      direction,
      category,
      usd: usd > 0 ? trimmed(Math.round(usd), 0) : null,
      share: share > 0 ? (100 * share).toFixed(1) : null,
      isBefore: before !== undefined,
    };
    return [
      {
        signals: ['exposure'],
        score,
        blocking: false,
        reason: (texts) => texts.exposure(whoIs(texts, party), flow),
        confidence: PRESIGN.confidence.scanned,
      },
    ];
  });
}

function poisoningFinding(party: PresignParty): PresignFinding {
  return {
    signals: ['lookalike'],
    score: PRESIGN.score.caution,
    blocking: false,
    reason: (texts) => texts.poisoning(whoIs(texts, party)),
  };
}
