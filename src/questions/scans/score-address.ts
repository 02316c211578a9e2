import { inLanguage, namedIn } from '../../../words/describe.ts';
import type { Language } from '../../../words/language.ts';
import type { AddressType } from '../../chains/port.ts';
import type { Chain } from '../../domain/chain.ts';
import type { ClaimedLabel } from '../../domain/claimed-label.ts';
import type { Basis } from '../../domain/entity.ts';
import { iso } from '../../domain/time.ts';
import {
  type Counterparty,
  type FlowSummary,
  type FlowTotals,
  labelledShare,
  summarizeFlow,
} from '../../domain/transfers/flow.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import { nextTurn } from '../../fairness/time-slices.ts';
import { frozenFields } from '../../labels/issuer-freezes.ts';
import type { LabelList } from '../../labels/label-lists.ts';
import type { AssessInput, Assessment } from '../../risk/assessment.ts';
import type { Detection, RiskLevel } from '../../risk/detection.ts';
import { buildLedger } from '../../risk/ledger/ledger.ts';
import { assess } from '../../risk/scoring/assess.ts';
import { DETECTORS } from '../../risk/scoring/detectors.ts';
import { groundOf, type LevelGround, levelNote } from '../../risk/scoring/level-note.ts';
import { type DetectorOutcome, runDetector } from '../../risk/scoring/run-detector.ts';
import type { MoneyBehind, ScanTrace } from '../../tracing/answers/indirect/indirect-exposure.ts';
import type { AddressRead } from './read-surroundings.ts';

const TOP_COUNTERPARTIES = 25;
/** Unconfirmed transfers that an answer names. */
const UNCONFIRMED_MAX = 50;
/** Assets without a price that an answer names. */
const UNVALUED_MAX = 50;
/** Kept of each recorded scan, the largest first. */
const COUNTERPARTIES_MAX = 10_000;

/** Answer of a scan; the fields are those of the contract's ScanResponse. */
export interface ScanResult {
  success: true;
  address: string;
  chain: Chain;
  address_type: AddressType;
  risk_level: RiskLevel;
  risk_score: number;
  detection_count: number;
  detections: Detection[];
  metadata: ScanMetadata;
  ml_anomaly_score: number;
  top_counterparties: Counterparty[];
  flow_totals: FlowTotals;
  scan_duration_ms: number;
  cached: boolean;
}

/** The holder of a scanned address, and why it is a member. */
export interface ScanEntity {
  id: string;
  name: string | null;
  basis: Basis;
  size: number;
  evidence: { basis: Basis; tx_hash: string | null; at: string | null };
}

/** Metadata of a scan; that of an earlier version lacks what was added since. */
export type ScanMetadata = Partial<Omit<MadeMetadata, 'coverage'>> & {
  coverage?: Partial<Omit<MadeMetadata['coverage'], 'trace'>> & { trace?: Partial<ScanTrace> };
  lists?: readonly LabelList[];
  labels_on_chain?: number;
  entity?: ScanEntity;
  own_labels?: ClaimedLabel[];
  labels_changed_since?: string;
  overrides_applied?: boolean;
  destination_tag?: number;
};
type MadeMetadata = ReturnType<typeof metadataOf>;

export interface ScoredAddress {
  result: ScanResult;
  /** Counterparties, of which `top_counterparties` shows the first: at most 10,000. */
  counterparties: Counterparty[];
  moved: FlowSummary['moved'];
  /** Addresses whose labels took part. */
  met: ReadonlySet<string>;
}

/** The same read gives the same result, whoever asks and whenever. Other work of the process runs between the detectors. */
export async function scoreAddress(
  chain: Chain,
  address: string,
  read: AddressRead,
  lang: Language,
): Promise<ScoredAddress> {
  const { history, owner, listGap, labelsOf, subjectLabels, usdPerYen, answers, fundedFirst, mimicry, cluster, asOf } =
    read;
  // What a token account does, its owner does.
  const known = {
    subject: { chain, address: owner, labels: subjectLabels, addressType: history.addressType },
    transfers: history.transfers,
    labelsOf,
    coverage: { ...history.coverage, historyRead: history.coverage.sources.length > 0 },
    listGap,
    asOf,
    lang,
    fundedFirst,
    mimicry,
    ownAddresses: read.ownAddresses,
    ...(cluster ? { cluster } : {}),
    usdPerYen,
  };
  const worst = await worstOf(known, answers);
  const { risk } = worst;
  await nextTurn();
  const flowOptions = { labelsOf, limit: COUNTERPARTIES_MAX, asOf };
  const { totals, counterparties, counterpartyCount, moved } = summarizeFlow(owner, history.transfers, flowOptions);
  const result: ScanResult = {
    success: true,
    address,
    chain,
    address_type: history.addressType,
    risk_level: risk.risk_level,
    risk_score: risk.risk_score,
    detection_count: risk.detections.length,
    detections: risk.detections,
    metadata: metadataOf(chain, read, { ...worst, counterpartyCount, moved, lang }),
    ml_anomaly_score: risk.ml_anomaly_score,
    top_counterparties: counterparties.slice(0, TOP_COUNTERPARTIES),
    flow_totals: totals,
    scan_duration_ms: 0,
    cached: false,
  };
  return { result, counterparties, moved, met: read.met };
}

function metadataOf(
  chain: Chain,
  { history, owner, listGap, asOf, subjectLabels }: AddressRead,
  { money, risk, origins, counterpartyCount, moved, lang }: Described,
) {
  const [first, last] = spanOf(history.transfers);
  const isoIfAny = (at: number) => (history.transfers.length > 0 ? iso(at) : null);
  const { gap, unconfirmed, ...coverage } = history.coverage;
  const reasons = listGap ? [...coverage.reasons, listGap] : coverage.reasons;
  return {
    is_sanctioned: risk.is_sanctioned,
    ...frozenFields(subjectLabels, asOf),
    total_transactions: history.transactionCount,
    counterparty_count: counterpartyCount,
    labelled_share: labelledShare(moved),
    ...(chain === 'bitcoin' && history.balance !== null ? { btc_balance: Number(history.balance) } : {}),
    native_balance: history.balance,
    ...(history.owner === undefined ? {} : { owner }),
    coverage: {
      ...coverage,
      reasons,
      ...(gap ? { gap: { from: iso(gap.from), to: iso(gap.to) } } : {}),
      ...(risk.unvalued.length > 0 ? { unvalued: risk.unvalued.slice(0, UNVALUED_MAX) } : {}),
      ...(unconfirmed ? { unconfirmed: unconfirmed.slice(0, UNCONFIRMED_MAX).map(shownUnconfirmed) } : {}),
      transfers: history.transfers.filter(({ from, to }) => from === owner || to === owner).length,
      from: isoIfAny(first),
      to: isoIfAny(last),
      trace: money.trace,
    },
    rule_set_version: risk.rule_set_version,
    level_basis: risk.level_basis,
    level_note: levelNote(
      {
        ...origins,
        basis: risk.level_basis,
        listGap,
        own: coverage.reasons,
        behind: money.trace.reasons,
        unvalued: risk.unvalued,
      },
      lang,
    ),
    as_of: iso(asOf),
    score_terms: risk.score_terms,
    suppressed: risk.suppressed,
    anomaly: risk.anomaly,
  };
}

type Described = Scored & { counterpartyCount: number; moved: FlowSummary['moved']; lang: Language };

interface Scored {
  money: MoneyBehind;
  risk: Assessment;
  origins: Pick<LevelGround, 'known' | 'explained' | 'beyond'>;
}

/**
 * Returns the answer with the highest score of where the money comes from and goes, as partial as the most partial one,
 * and no more explained than any.
 */
async function worstOf(known: AssessInput, answers: AddressRead['answers']): Promise<Scored> {
  const all: { money: MoneyBehind; risk: Assessment }[] = [];
  for (const money of answers) all.push({ money, risk: await assessInTurns({ ...money, ...known }) });
  const worst = all.reduce((a, b) => (b.risk.risk_score > a.risk.risk_score ? b : a));
  const partial = all.find(({ risk }) => risk.level_basis === 'partial');
  const risk = partial ? { ...worst.risk, level_basis: partial.risk.level_basis } : worst.risk;
  const least = (shares: number[]) => (shares.length > 0 ? Math.min(...shares) : null);
  const origins = {
    known: least(answers.flatMap(({ trace }) => trace.attributed.received ?? [])),
    explained: least(answers.flatMap(({ received }) => received.explained ?? [])),
    beyond: worst.money.trace.beyond,
  };
  return { money: worst.money, risk, origins };
}

async function assessInTurns(input: AssessInput): Promise<Assessment> {
  await nextTurn();
  const ledger = buildLedger(input);
  const outcomes: DetectorOutcome[] = [];
  for (const detector of DETECTORS) {
    await nextTurn();
    outcomes.push(runDetector(ledger, detector, input.lang));
  }
  await nextTurn();
  return assess(input, ledger, outcomes);
}

function shownUnconfirmed({ txHash, at, from, to, asset, token, amount, usd }: Transfer) {
  return { tx_hash: txHash, at: iso(at), from, to, asset, token, amount, usd };
}

function spanOf(transfers: readonly Transfer[]): [first: number, last: number] {
  let [first, last] = [Number.MAX_SAFE_INTEGER, 0];
  for (const { at } of transfers) [first, last] = [Math.min(first, at), Math.max(last, at)];
  return [first, last];
}

/** A scan with the names and descriptions of its detections in a language. */
export function translateScan<Answer extends Pick<ScanResult, 'detections' | 'metadata'>>(
  answer: Answer,
  lang: Language,
): Answer {
  const { suppressed, level_basis, coverage } = answer.metadata;
  return {
    ...answer,
    detections: inLanguage(answer.detections, lang),
    metadata: {
      ...answer.metadata,
      ...(suppressed && { suppressed: namedIn(suppressed, lang) }),
      ...(level_basis && { level_note: levelNote(groundOf(level_basis, coverage), lang) }),
    },
  };
}
