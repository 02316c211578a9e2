import type { CasePriority, CaseRole, CaseStatus } from '../domain/case.ts';
import type { Chain } from '../domain/chain.ts';
import type { Category } from '../domain/label.ts';

/** To whom indicators may go on, in the words of the Traffic Light Protocol. */
export const TLP = ['clear', 'green', 'amber', 'red'] as const;
export type Tlp = (typeof TLP)[number];

/** An address that a case shares with others. */
export interface CaseIndicator {
  chain: Chain;
  address: string;
  role: CaseRole;
  /** Category of the best label in force; `unknown` without one. */
  category: Category;
  /** Confidence of that label, 0-100; null without one. */
  confidence: number | null;
  /** The list that says so, and the name that it gives. */
  source: string | null;
  label: string | null;
  /** Epoch ms: when it was put into the case. */
  addedAt: number;
}

/** The addresses of a case as others may look for them. */
export interface CaseIndicators {
  caseId: string;
  title: string;
  priority: CasePriority;
  status: CaseStatus;
  /** Epoch ms. */
  openedAt: number;
  exportedAt: number;
  tlp: Tlp;
  indicators: readonly CaseIndicator[];
}
