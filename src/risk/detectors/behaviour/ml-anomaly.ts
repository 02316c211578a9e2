import { rounded } from '../../../domain/amount.ts';
import { anomalyOf } from '../../anomaly/anomaly.ts';
import { RULES } from '../../rules.ts';
import type { Detector } from '../detector.ts';

/** The subject behaves unlike the population that the model knows; says unusual, not guilty. */
export const mlAnomaly: Detector = {
  id: 'ml_anomaly',
  family: 'anomaly',
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
