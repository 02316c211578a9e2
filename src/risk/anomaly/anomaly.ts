import { createHash } from 'node:crypto';
import { rounded } from '../../domain/amount.ts';
import { compare } from '../../domain/compare.ts';
import type { Anomaly } from '../assessment.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { perLedger } from '../ledger/per-ledger.ts';
import { RULES } from '../rules.ts';
import type { Detector } from '../views/detector.ts';
import { behaviourFeatures, FEATURES } from './behaviour-features.ts';
import { type IsolationForest, isolationScore, readTrees } from './isolation-forest.ts';
import model from './model.json' with { type: 'json' };

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
