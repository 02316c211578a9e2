import { createHash } from 'node:crypto';
import { rounded, significantDigits } from '../../domain/amount.ts';
import { compare } from '../../domain/compare.ts';
import { DAY_MS, HOUR_MS } from '../../domain/time.ts';
import { STABLECOINS } from '../../domain/tokens/stablecoins.ts';
import type { Anomaly } from '../assessment.ts';
import { type Ledger, perLedger } from '../ledger/ledger.ts';
import { type Movement, type Payment, sumDirectionUsd } from '../ledger/movements.ts';
import { firstOfTransactions } from '../ledger/payments.ts';
import { DUST_BELOW_USD, RULES } from '../rules.ts';
import type { Detector } from '../views/detector.ts';
import model from './model.json' with { type: 'json' };
import { medianOf } from './robust-z.ts';

/** A fitted forest with what is needed to say how far each feature is from the usual. */
export interface AnomalyModel {
  population: string;
  seed: number;
  features: string[];
  /** Median and deviation (MAD / 0.6745, or the mean one where that is 0) of each feature in the population. */
  centers: number[];
  deviations: number[];
  sample_size: number;
  trees: string[];
}

const MODEL: AnomalyModel = model;
const MODEL_SHA256 = createHash('sha256').update(JSON.stringify(MODEL)).digest('hex');
const FOREST: IsolationForest = { sampleSize: MODEL.sample_size, trees: readTrees(MODEL.trees) };
const TOP_FEATURES = 3;
/** Isolation scores from the usual 0.5 up to 0.8 are spread over 0-1. */
const USUAL = 0.5;
const RANGE = 0.3;

/** How unusual the subject's behaviour is among the model's population; 0 with too few transfers to judge. */
export const anomalyOf = perLedger((ledger: Ledger): Anomaly => {
  const about = { method: 'isolation_forest', model_sha256: MODEL_SHA256, population: MODEL.population } as const;
  if (ledger.activity.length < RULES.ml_anomaly.transfers) {
    return { score: 0, ...about, top_features: [], reason: 'too_few_transfers' };
  }
  const row = behaviourFeatures(ledger);
  const score = Math.min(1, Math.max(0, (isolationScore(FOREST, row) - USUAL) / RANGE));
  const features = row.map((value, i) => {
    const deviation = MODEL.deviations[i]!;
    return {
      name: FEATURES[i]!,
      value: rounded(value),
      z: deviation > 0 ? rounded((value - MODEL.centers[i]!) / deviation) : 0,
    };
  });
  features.sort((a, b) => Math.abs(b.z) - Math.abs(a.z) || compare(a.name, b.name));
  return { score: rounded(score), ...about, top_features: features.slice(0, TOP_FEATURES), reason: null };
});

/** The subject behaves unlike the population that the model knows; says unusual, not guilty. */
export const mlAnomaly: Detector = {
  id: 'ml_anomaly',
  family: 'anomaly',
  indicator: 'patterns',
  exemptService: true,
  exemptContract: true,
  detect(ledger) {
    const rule = RULES.ml_anomaly;
    const { score, model_sha256, top_features } = anomalyOf(ledger);
    if (score < rule.low_score) return [];
    return [
      {
        severity: score >= rule.medium_score ? 'MEDIUM' : 'LOW',
        thresholds: rule,
        measured: { score: rounded(score), features: top_features.map((feature) => feature.name), model_sha256 },
        movements: [],
      },
    ];
  },
};

/** The order of the numbers in every row of the model. */
export const FEATURES = [
  'log_transactions_per_day',
  'log_received_usd_per_day',
  'log_sent_usd_per_day',
  'sent_received_ratio',
  'counterparties_per_transaction',
  'median_hold_hours',
  'passed_share_24h',
  'round_amount_share',
  'burstiness',
  'one_time_counterparty_share',
  'stablecoin_share',
  'hour_entropy',
] as const;

/** How the subject behaves, as twelve numbers; needs at least one of its activity. */
export function behaviourFeatures(ledger: Ledger): number[] {
  const { activity: movements, payments: all } = ledger;
  const payments = all.filter(({ direction, usd }) => direction === 'out' || usd >= DUST_BELOW_USD);
  const receivedUsd = sumDirectionUsd(movements, 'in');
  const sentUsd = sumDirectionUsd(movements, 'out');
  const first = movements[0]!.at;
  const days = Math.max(1, (movements.at(-1)!.at - first) / DAY_MS);
  const transactions = firstOfTransactions(ledger).length;
  const perParty = new Map<string, number>();
  for (const { counterparty } of movements) perParty.set(counterparty, (perParty.get(counterparty) ?? 0) + 1);
  const holds = holdTimes(payments);
  return [
    Math.log1p(transactions / days),
    Math.log1p(receivedUsd / days),
    Math.log1p(sentUsd / days),
    receivedUsd > 0 ? Math.min(2, sentUsd / receivedUsd) : sentUsd > 0 ? 2 : 0,
    Math.min(5, perParty.size / transactions),
    Math.log1p(holds.medianHours),
    holds.passedShare,
    shareOf(payments, isRound),
    burstiness(movements),
    [...perParty.values()].filter((count) => count === 1).length / perParty.size,
    shareOf(movements, ({ transfer }) => STABLECOINS.includes(transfer.asset)),
    hourEntropy(movements),
  ];
}

/** First in, first out: how long received money stayed, weighed by nothing but its lots. */
function holdTimes(payments: readonly Payment[]): { medianHours: number; passedShare: number } {
  const lots: { at: number; left: number }[] = [];
  const hours: number[] = [];
  let oldest = 0;
  let received = 0;
  let passed = 0;
  for (const { direction, usd, at } of payments) {
    if (direction === 'in') {
      lots.push({ at, left: usd });
      received += usd;
      continue;
    }
    for (let toMatch = usd; toMatch > 0 && oldest < lots.length; ) {
      const lot = lots[oldest]!;
      const used = Math.min(toMatch, lot.left);
      lot.left -= used;
      toMatch -= used;
      if (at - lot.at <= DAY_MS) passed += used;
      if (lot.left > 0) break;
      hours.push((at - lot.at) / HOUR_MS);
      oldest++;
    }
  }
  return { medianHours: medianOf(hours), passedShare: received > 0 ? passed / received : 0 };
}

/** At most two leading digits, as people choose amounts: 1500, 20, 0.25. */
function isRound({ movements }: Payment): boolean {
  return significantDigits(movements[0]!.transfer.amount).length <= 2;
}

/** Standard deviation of the gaps over their mean, at most 10. */
function burstiness(movements: readonly Movement[]): number {
  const gaps = movements.slice(1).map((movement, i) => movement.at - movements[i]!.at);
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  if (!(mean > 0)) return 0;
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length;
  return Math.min(10, Math.sqrt(variance) / mean);
}

/** 0 when all happens in one hour of the day, 1 when it spreads evenly. */
function hourEntropy(movements: readonly Movement[]): number {
  const counts = new Array<number>(24).fill(0);
  for (const { at } of movements) counts[Math.floor(at / HOUR_MS) % 24]!++;
  const entropy = counts.reduce((sum, count) => {
    const share = count / movements.length;
    return share > 0 ? sum - share * Math.log(share) : sum;
  }, 0);
  return entropy / Math.log(24);
}

function shareOf<T>(items: readonly T[], holds: (item: T) => boolean): number {
  return items.length === 0 ? 0 : items.filter(holds).length / items.length;
}

/**
 * Isolation forest (Liu, Ting, Zhou 2008): points that few random cuts set apart are unusual. Same seed and data,
 * same forest.
 */
interface IsolationForest {
  sampleSize: number;
  trees: Tree[];
}

/** Nodes, each followed by its left branch: an inner node is [feature, cut, index of the right branch], a leaf [points]. */
type Tree = number[][];

export function fitForest(
  rows: readonly number[][],
  options: { trees: number; sampleSize: number; seed: number },
): IsolationForest {
  const random = mulberry32(options.seed);
  const size = Math.min(options.sampleSize, rows.length);
  const heightMax = Math.ceil(Math.log2(size));
  const trees = Array.from({ length: options.trees }, () => {
    const tree: Tree = [];
    grow(tree, sample(rows, size, random), heightMax, random);
    return tree;
  });
  return { sampleSize: size, trees };
}

/**
 * 0-1: about 0.5 for usual points, near 1 for ones far off.
 *
 * @internal
 */
export function isolationScore(forest: IsolationForest, row: readonly number[]): number {
  const depths = forest.trees.reduce((sum, tree) => sum + depthOf(tree, row), 0);
  return 2 ** (-depths / forest.trees.length / averageDepth(forest.sampleSize));
}

/** Numbers in [0, 1), the same for the same seed. */
export function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** One line of text for each tree, for the model file. */
export function writeTrees(forest: IsolationForest): string[] {
  return forest.trees.map((tree) => tree.map((node) => node.join('/')).join(' '));
}

/** @internal */
export function readTrees(lines: readonly string[]): Tree[] {
  return lines.map((line) => line.split(' ').map((node) => node.split('/').map(Number)));
}

function grow(tree: Tree, rows: readonly number[][], heightLeft: number, random: () => number): number {
  const index = tree.push([rows.length]) - 1;
  const features = rows.length > 1 && heightLeft > 0 ? spreads(rows) : [];
  if (features.length === 0) return index;
  const { feature, low, high } = features[Math.floor(random() * features.length)]!;
  // Rounded so that the model file is small and reads back to the same numbers.
  const cut = Math.round((low + random() * (high - low)) * 1e4) / 1e4;
  const left = rows.filter((row) => row[feature]! < cut);
  const right = rows.filter((row) => row[feature]! >= cut);
  grow(tree, left, heightLeft - 1, random);
  tree[index] = [feature, cut, grow(tree, right, heightLeft - 1, random)];
  return index;
}

function spreads(rows: readonly number[][]): { feature: number; low: number; high: number }[] {
  return rows[0]!.flatMap((_, feature) => {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (const row of rows) {
      low = Math.min(low, row[feature]!);
      high = Math.max(high, row[feature]!);
    }
    return high > low ? [{ feature, low, high }] : [];
  });
}

function sample(rows: readonly number[][], size: number, random: () => number): number[][] {
  const pool = [...rows];
  for (let i = 0; i < size; i++) {
    const j = i + Math.floor(random() * (pool.length - i));
    [pool[i], pool[j]] = [pool[j]!, pool[i]!];
  }
  return pool.slice(0, size);
}

function depthOf(tree: Tree, row: readonly number[]): number {
  let at = 0;
  let depth = 0;
  for (let node = tree[at]!; node.length > 1; node = tree[at]!) {
    at = row[node[0]!]! < node[1]! ? at + 1 : node[2]!;
    depth++;
  }
  return depth + averageDepth(tree[at]![0]!);
}

/** Mean depth of an unsuccessful search in a binary tree of `n` points. */
function averageDepth(n: number): number {
  if (n <= 1) return 0;
  return n === 2 ? 1 : 2 * (Math.log(n - 1) + 0.5772156649) - (2 * (n - 1)) / n;
}
