import type { Category } from '../../domain/label.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type { Figures } from '../../words/figures.ts';
import type { DetectionDetails, Severity, SuppressedDetection, Way } from '../detection.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Movement } from '../ledger/movements.ts';
import type { Family } from '../rules.ts';

/** Evidence of a detector, before it is written down as a detection. */
export interface Finding {
  severity: Severity;
  category?: Category;
  variant?: string;
  role?: DetectionDetails['role'];
  thresholds: Figures;
  measured: Figures;
  /** What it rests on; the window is the time between the first and the last of them. */
  movements: readonly Movement[];
  /** Transfers that moved no value and still count as evidence. */
  transfers?: readonly Transfer[];
  /** In place of movements where the evidence lies elsewhere in the graph. */
  elsewhere?: {
    evidence: string[];
    counterparties: string[];
    ways: Way[];
    /** Epoch ms of its first and last transfer. */
    span?: { from: number; to: number };
  };
  /** The detector's own reason not to count it. */
  suppressedBy?: SuppressedDetection['suppressed_by'];
}

export interface Detector {
  id: string;
  family: Family;
  /** Busy traffic is the normal life of services: what is found on one is listed and does not count. */
  exemptService?: boolean;
  /** The same for contracts and programs without a label. */
  exemptContract?: boolean;
  /** Rests on what did not happen, which a history that was not read in full cannot show. */
  needsFullHistory?: boolean;
  detect(ledger: Ledger): Finding[];
}
