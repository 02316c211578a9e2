import { coinJoinAddress } from '../../src/domain/coinjoin/transaction.ts';

/** A scan's answer, as far as a reader follows its score. */
export interface ScanAnswer {
  address: string;
  risk_level: string;
  risk_score: number;
  detections: Detection[];
  metadata: { score_terms: Term[]; anomaly: { model_sha256: string } };
}
interface Term {
  family: string;
  weight: number;
  strength: number;
  detections: string[];
}
interface Detection {
  detector_id: string;
  severity: string;
  description: string;
  details: {
    category?: string;
    variant?: string;
    counted_in?: string;
    measured: Record<string, unknown>;
    evidence: string[];
    counterparties: string[];
    labels: Statement[];
    ways?: { address: string; hops: number; path: string[] }[];
  };
}
interface Statement {
  address: string;
  category: string;
  label: string;
  source: string;
}

/** What is true in the world behind an answer. */
export interface Truth {
  transfers: { txHash: string; from: string; to: string }[];
  statements: Statement[];
}

/** As docs/risk.md describes it. */
const STRENGTH: Record<string, number> = { CRITICAL: 1, HIGH: 0.75, MEDIUM: 0.45, LOW: 0.2 };

/**
 * Where a reader who has nothing but the answer, the world's transactions and its label lists cannot follow a score
 * from its terms through detections to transactions and labels. Empty when every point can be traced.
 */
export function gapsOf(scan: ScanAnswer, truth: Truth): string[] {
  const terms = scan.metadata.score_terms;
  const families = terms.filter(({ family }) => family !== 'floor' && family !== 'ceiling');
  const product = families.reduce((kept, term) => kept * (1 - term.weight * term.strength), 1);
  const floor = Math.max(0, ...terms.filter((term) => term.family === 'floor').map((term) => 100 * term.weight));
  const ceilings = terms.filter(({ family }) => family === 'ceiling').map(({ weight }) => 100 * weight);
  const ceiling = Math.min(100, ...ceilings);
  const score = Math.round(Math.max(floor, Math.min(ceiling, Math.round(100 * (1 - product)))));
  const gaps: string[] = [];
  if (scan.risk_score !== (scan.risk_level === 'UNKNOWN' ? 0 : score))
    gaps.push(`score ${scan.risk_score}: terms give ${score}`);
  for (const term of terms) gaps.push(...gapsOfTerm(term, scan));
  const counted = families.flatMap((term) => term.detections);
  for (const detection of scan.detections) {
    const { detector_id: id, details } = detection;
    const holder = scan.detections.find(({ detector_id }) => detector_id === details.counted_in);
    if (details.counted_in !== undefined) {
      if (!holder || !details.evidence.every((one) => holder.details.evidence.includes(one)))
        gaps.push(`${id} rests on other transfers than ${details.counted_in}`);
    } else if (counted.filter((one) => one === id).length !== 1) gaps.push(`${id} is not in one term`);
    gaps.push(...gapsOfDetection(detection, scan, truth).map((gap) => `${id}: ${gap}`));
  }
  return gaps;
}

function gapsOfTerm({ family, strength, detections: ids }: Term, scan: ScanAnswer): string[] {
  const members = scan.detections.filter(({ detector_id }) => ids.includes(detector_id));
  const gaps = ids.filter((id) => !members.some((detection) => detection.detector_id === id));
  const worst = Math.max(...members.map((detection) => STRENGTH[detection.severity] ?? Number.NaN));
  return [
    ...gaps.map((id) => `term ${family} names ${id}, which was not detected`),
    ...(family === 'floor' || family === 'ceiling' || worst === strength
      ? []
      : [`term ${family}: strength ${strength}, worst ${worst}`]),
  ];
}

/** Detections of several addresses, whose evidence need not touch the scanned one. */
const AROUND = ['scatter_gather', 'relay_chain', 'ring', 'chain', 'around'];

function gapsOfDetection({ detector_id, details, description }: Detection, scan: ScanAnswer, truth: Truth): string[] {
  const { category, variant = detector_id, measured, evidence, counterparties, labels, ways = [] } = details;
  const hashOf = (id: string) => id.slice(0, id.lastIndexOf('#'));
  const between = (id: string, parties: string[]) =>
    truth.transfers.some(
      ({ txHash, from, to }) =>
        txHash === hashOf(id) &&
        (from === scan.address || to === scan.address) &&
        (parties.includes(from) || parties.includes(to) || parties.includes(coinJoinAddress(txHash))),
    );
  const happened = (id: string) => truth.transfers.some(({ txHash }) => txHash === hashOf(id));
  // What the shape of a transaction says of it.
  const isShown = ({ address }: Statement) => truth.transfers.some(({ txHash }) => address === coinJoinAddress(txHash));
  const stated = ({ address, category: as, label, source }: Statement) =>
    truth.statements.some(
      (one) => one.address === address && one.category === as && one.label === label && one.source === source,
    );
  const gaps = [
    ...evidence
      .filter((id) => (AROUND.includes(variant) ? !happened(id) : !between(id, counterparties)))
      .map((id) => `${id} is not a transfer with its counterparties`),
    ...labels
      .filter((label) => !stated(label) && !isShown(label))
      .map((label) => `nobody states ${JSON.stringify(label)}`),
    ...ways.flatMap((way) => way.path.filter((id) => !happened(id))).map((id) => `${id} never happened`),
    ...ways.filter((way) => way.path.length !== way.hops).map((way) => `the way to ${way.address} has holes`),
  ];
  if (description === '') gaps.push('no text');
  if (evidence.length === 0 && labels.length === 0 && measured.model_sha256 !== scan.metadata.anomaly.model_sha256)
    gaps.push('rests on nothing');
  if (category === undefined) return gaps;
  const ends = ways.length > 0 ? ways.map((way) => way.address) : evidence.length > 0 ? counterparties : [scan.address];
  const named = ends.filter((end) => labels.some((label) => label.address === end && label.category === category));
  // Of several counterparties some may stand there for what went before.
  if (named.length === 0) gaps.push(`no label says who is ${category}`);
  return gaps;
}
