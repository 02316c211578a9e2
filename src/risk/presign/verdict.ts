import { trimmed } from '../../../words/figures.ts';
import type { Language } from '../../../words/language.ts';
import { WORDS } from '../../../words/words.ts';
import type { CalldataFault, CalledAction } from '../../domain/calldata/calldata.ts';
import { isDex, isSure, isValidAt, type ListGap } from '../../domain/label.ts';
import { SCAM_CATEGORIES } from '../../domain/scam.ts';
import { DAY_MS, dayOf } from '../../domain/time.ts';
import { verifiedToken } from '../../domain/tokens/token.ts';
import { atMost, type RiskLevel } from '../detection.ts';
import { EXPOSURE_KIND, gradeBefore, gradeExposure } from '../exposure/grade-exposure.ts';
import { effectiveLabel } from '../ledger/ledger.ts';
import { PRESIGN } from '../rules.ts';
import { strictSeverity } from '../scoring/overrides.ts';
import { levelOf } from '../scoring/score.ts';
import {
  type LastScan,
  type PartyHistory,
  PRESIGN_SIGNALS,
  type PresignCase,
  type PresignFinding,
  type PresignSignal,
  type Reason,
} from './case.ts';
import {
  isLabelled,
  isWhitelisted,
  labelFindings,
  type PresignParty,
  partiesOf,
  sisterFindings,
  whoIs,
} from './labels.ts';
import { lookalikeFinding } from './lookalike.ts';

export interface PresignVerdict {
  level: Lowercase<RiskLevel>;
  verdict: 'ok' | 'caution' | 'danger';
  score: number;
  reasons: string[];
  signals: Record<PresignSignal, boolean>;
  confidence: number;
}

/**
 * The verdict on a transaction: the worst finding decides. What could not be known makes it `unknown` and
 * `caution`, unless what is known is danger already. Pure.
 */
export function assessPresign(known: PresignCase, lang: Language = 'en'): PresignVerdict {
  const labels = known.labelsOf(known.to);
  const isPriced = verifiedToken(known.chain, known.to) !== null;
  const neverSeen = !known.seen && labels.length === 0 && known.storesRead && !isPriced;
  const findings = [
    ...partiesOf(known).flatMap((party) =>
      heeded(known, party.address, labelFindings(known.chain, party, known.labelsOf(party.address), known.asOf)),
    ),
    ...partiesOf(known).flatMap((party) => {
      const own = known.labelsOf(party.address);
      const sisters = known.sisterLabelsOf?.(party.address) ?? [];
      return heeded(known, party.address, sisterFindings(party, { own, sisters }, known.asOf));
    }),
    ...known.lookalikes.flatMap((lookalike) =>
      heeded(known, lookalike.address, [lookalikeFinding(known.chain, lookalike)]),
    ),
    ...partiesOf(known).flatMap((party) => {
      const history = known.historyOf?.(party.address);
      return history ? heeded(known, party.address, historyFindings(party, history, known)) : [];
    }),
    ...actionFindings(known),
    ...(known.calldata?.faults ?? []).filter((fault) => !isRouterCall(known, fault)).map(faultFindings),
    ...(known.listGap ? [LIST_GAPS[known.listGap]] : []),
    ...heeded(known, known.to, neverScanned(known)),
    ...(known.storesRead ? [] : [STORES_UNREADABLE]),
    ...(neverSeen ? [NEVER_SEEN] : []),
  ];
  const label = effectiveLabel(labels, known.asOf);
  const cleanConfidence = neverSeen ? PRESIGN.confidence.never_seen : PRESIGN.confidence.seen;
  return verdictOf(findings, label ? Math.max(cleanConfidence, label.confidence / 100) : cleanConfidence, lang);
}

/** The verdict where the chain is not a scanned one. */
export function unsupportedChainVerdict(chain: string, lang: Language = 'en'): PresignVerdict {
  const reason: Reason = (texts) => texts.unsupportedChain(JSON.stringify(chain.slice(0, 64)), chain === 'bnb');
  return verdictOf([{ signals: ['unsupported_chain'], score: null, blocking: false, reason }], 0, lang);
}

/** A labelled DEX or router trades in calls of its own; what it is asked to do with is the signer's money. */
function isRouterCall({ to, labelsOf, asOf }: PresignCase, { fault }: CalldataFault): boolean {
  if (fault !== 'unknown_call') return false;
  const label = effectiveLabel(labelsOf(to), asOf);
  return label !== null && isDex(label.category) && isSure(label);
}

/** A payment to an address about which nothing is known, large or of unknown worth. */
function neverScanned(known: PresignCase): PresignFinding[] {
  const { to, chain, labelsOf, historyOf, valueUsd, carriesValue, asOf } = known;
  const isUnpriced = valueUsd === null && carriesValue;
  if (!historyOf || !carriesMuch(known)) return [];
  const labels = labelsOf(to);
  const isNamed = isLabelled(labels, asOf) || isWhitelisted(labels, asOf) || verifiedToken(chain, to) !== null;
  if (historyOf(to)?.lastScan || isNamed) return [];
  return [
    {
      signals: ['never_scanned'],
      score: PRESIGN.score.caution,
      blocking: false,
      reason: (texts) => (isUnpriced ? texts.neverScannedUnpriced(to) : texts.neverScanned(to)),
    },
  ];
}

/** Returns what is known of one address, less what the account's whitelist sets aside, which a reason says; sanctions stay. */
function heeded(known: PresignCase, address: string, findings: PresignFinding[]): PresignFinding[] {
  if (!known.trusted.has(address)) return findings;
  const kept = findings.filter(({ signals }) => signals.includes('sanctioned') || signals.includes('delisted'));
  if (kept.length === findings.length) return findings;
  const reason: Reason = (texts) => texts.trusted(address);
  return [...kept, { signals: [], score: 0, blocking: false, reason }];
}

const STORES_UNREADABLE: PresignFinding = {
  signals: ['stores_unreadable'],
  score: null,
  blocking: false,
  reason: (texts) => texts.storesUnreadable,
};

const listGap = (signal: ListGap, reason: Reason): PresignFinding => {
  return { signals: [signal], score: PRESIGN.score.caution, blocking: false, reason };
};
const LIST_GAPS: Record<NonNullable<PresignCase['listGap']>, PresignFinding> = {
  no_labels: listGap('no_lists', (texts) => texts.noLists),
  no_lists: listGap('no_lists', (texts) => texts.noSanctions),
  lists_stale: listGap('lists_stale', (texts) => texts.listsStale),
};

const NEVER_SEEN: PresignFinding = { signals: ['never_seen'], score: 0, blocking: false, reason: null };

const NONE_RAISED = Object.fromEntries(PRESIGN_SIGNALS.map((name) => [name, false])) as PresignVerdict['signals'];

function verdictOf(findings: PresignFinding[], cleanConfidence: number, lang: Language): PresignVerdict {
  const ranked = [...findings].sort((a, b) => (b.score ?? 0) - (a.score ?? 0));
  const score = ranked[0]?.score ?? 0;
  const danger = levelOf(score) === 'HIGH' || levelOf(score) === 'CRITICAL' || ranked.some((one) => one.blocking);
  const unknown = !danger && findings.some((finding) => finding.score === null);
  const reasons = [...new Set(ranked.flatMap(({ reason }) => (reason ? [reason(WORDS[lang].presign)] : [])))];
  const signals = { ...NONE_RAISED };
  for (const finding of findings) for (const name of finding.signals) signals[name] = true;
  return {
    level: unknown ? 'unknown' : (levelOf(score).toLowerCase() as Lowercase<RiskLevel>),
    verdict: danger ? 'danger' : unknown || levelOf(score) === 'MEDIUM' ? 'caution' : 'ok',
    score: unknown ? 0 : score,
    reasons: reasons.slice(0, PRESIGN.reasons_max),
    signals,
    confidence: unknown ? PRESIGN.confidence.unknown : confidenceOf(ranked, score, cleanConfidence),
  };
}

function confidenceOf(ranked: PresignFinding[], score: number, clean: number): number {
  if (score === 0) return clean;
  const deciding = ranked.filter((finding) => finding.score === score);
  return Math.max(...deciding.map((finding) => finding.confidence ?? PRESIGN.confidence.calldata));
}

const DAY_S = 86_400n;
const CENTURY_S = 36_525n * DAY_S;

/** Returns what the calls themselves mean, whoever the parties are. */
function actionFindings(known: PresignCase): PresignFinding[] {
  return (known.calldata?.actions ?? []).flatMap((action) => findingsOf(known, action));
}

function findingsOf(known: PresignCase, action: CalledAction): PresignFinding[] {
  const at = action.contract ?? known.to;
  switch (action.kind) {
    case 'move':
      return moveFindings(known, action);
    case 'grant':
      return grantFindings(known, action);
    case 'revoke':
      return [{ signals: ['revocation'], score: 0, blocking: false, reason: null }];
    case 'lifetime': {
      const left = action.until - BigInt(Math.floor(known.asOf / 1_000));
      if (left <= BigInt(PRESIGN.lifetime_days) * DAY_S) return [];
      const days = { left: left > CENTURY_S ? null : left / DAY_S, most: PRESIGN.lifetime_days };
      return [warn('long_permit', (texts) => texts.longPermit(action.call, at, days))];
    }
    case 'lure': {
      const pays = action.value === null ? known.carriesValue : action.value > 0n;
      if (!pays) return [];
      return [warn('payable_lure', (texts) => texts.payableLure(action.call, at))];
    }
    case 'control':
      return [warn('control_change', (texts) => texts.controlChange(action.call, at, action.to))];
    case 'target':
      return [];
  }
}

/** Assets of another than the signer or the calling contract, moved without that owner's signature. */
function moveFindings(known: PresignCase, action: CalledAction & { kind: 'move' }): PresignFinding[] {
  const { owner, to, call, caller } = action;
  if (owner === null || action.signed || owner === to || owner === known.signer || owner === caller) return [];
  if (known.signer === null) {
    return [warn('unknown_owner', (texts) => texts.unknownOwner(call, owner))];
  }
  if (isLabelled(known.labelsOf(to), known.asOf)) return [];
  return [{ ...warn('foreign_transfer', (texts) => texts.foreignTransfer(call, owner, to)), blocking: true }];
}

function grantFindings(known: PresignCase, action: CalledAction & { kind: 'grant' }): PresignFinding[] {
  const { spender, amount, bits, call } = action;
  const at = action.contract ?? known.to;
  if (action.collection) {
    if (isWhitelisted(known.labelsOf(spender), known.asOf)) return [];
    return [warn('operator_approval', (texts) => texts.operatorApproval(call, at, spender))];
  }
  const endless = 2n ** BigInt(bits - PRESIGN.unlimited_top_bits);
  if (amount !== null && amount < endless) return [];
  return [warn('unlimited_approval', (texts) => texts.unlimitedApproval(call, at, spender))];
}

function warn(signal: Extract<PresignSignal, keyof typeof PRESIGN.score>, reason: Reason): PresignFinding {
  return { signals: [signal], score: PRESIGN.score[signal], blocking: false, reason };
}

/** Returns what could not be read in full, which makes a verdict unknown. */
function faultFindings({ fault, call }: CalldataFault): PresignFinding {
  return { signals: ['undecodable'], score: null, blocking: false, reason: (texts) => texts.undecodable(fault, call) };
}

/** A scan of the last 30 days binds; an older one still cautions. */
function historyFindings(party: PresignParty, history: PartyHistory, known: PresignCase): PresignFinding[] {
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
function carriesMuch({ valueUsd, carriesValue }: PresignCase): boolean {
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
