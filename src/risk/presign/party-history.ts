import type { Category } from '../../domain/label.ts';
import type { RiskLevel } from '../detection.ts';
import type { ExposureSubject } from '../exposure/grade-exposure.ts';
import type { GradedShare } from '../exposure/share-of-flow.ts';

/** The last score that a scan by the rule set in force gave an address. */
export interface LastScan {
  score: number;
  level: RiskLevel;
  /** Epoch ms. */
  at: number;
  /** Epoch ms of the asker's own scan with this result: the day that a reason may name; null where it is another's. */
  ownAt: number | null;
  /** It rests on a part of the history or of the received money. */
  isPartial: boolean;
}

/** Direct exposure of an address to one category, as roll-ups of the graph show it. */
export interface KnownExposure extends GradedShare {
  category: Category;
  direction: 'in' | 'out';
}

/** Facts of graph and scans about one address. */
export interface PartyHistory {
  lastScan: LastScan | null;
  exposures: readonly KnownExposure[];
  subject: ExposureSubject;
  /** Somebody was baited with this address. */
  isBait: boolean;
}
