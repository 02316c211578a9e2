import type { Language } from '../../../words/language.ts';
import { WORDS } from '../../../words/words.ts';
import type { CalldataFault } from '../../domain/calldata/calldata.ts';
import { isDex, isSure, type ListGap } from '../../domain/label.ts';
import { verifiedToken } from '../../domain/tokens/token.ts';
import type { RiskLevel } from '../detection.ts';
import { effectiveLabel } from '../ledger/ledger.ts';
import { PRESIGN } from '../rules.ts';
import { levelOf } from '../scoring/score.ts';
import { actionFindings, faultFindings } from './calldata.ts';
import { PRESIGN_SIGNALS, type PresignCase, type PresignFinding, type PresignSignal, type Reason } from './case.ts';
import { carriesMuch, historyFindings } from './history.ts';
import { isLabelled, isWhitelisted, labelFindings, partiesOf, sisterFindings } from './labels.ts';
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
