import type { Language } from '../../words/language.ts';
import type { RiskLevel } from '../risk/detection.ts';

/** Facts that a summary may name: figures and labels, never an address, a note or a package's text. */
export interface SummaryFacts {
  chain: string;
  risk_level: RiskLevel;
  risk_score: number;
  detections: { name: string; severity: string }[];
  transactions: number;
  counterparties: { label: string; category: string; tx_count: number }[];
  received: Record<string, number>;
  sent: Record<string, number>;
}

export interface Summary {
  summary: string;
  /** `rules` also where a model was asked and did not answer, or named a number that is not in the facts. */
  source: 'rules' | 'model';
}

export interface Summaries {
  /** Never fails: what a model cannot write, the rules do. */
  summarize(facts: SummaryFacts, lang: Language, signal: AbortSignal): Promise<Summary>;
}
