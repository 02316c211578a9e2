import type { PackageWords } from '../../../words/en/reports.ts';
import type { Figures } from '../../../words/figures.ts';
import type { Chain } from '../../domain/chain.ts';
import type { Category } from '../../domain/label.ts';
import type { Transfer } from '../../domain/transfers/transfer.ts';
import type { PatternAround } from '../assessment.ts';
import type { DetectionDetails, Severity, SuppressedDetection, Way } from '../detection.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Movement } from '../ledger/movements.ts';
import type { Family } from '../rules.ts';
import type { Neighbourhood, Pattern, Search } from './neighbourhood.ts';

/** Evidence of a detector, before it is written down as a detection. */
export interface Finding {
  severity: Severity;
  category?: Category;
  variant?: string;
  role?: DetectionDetails['role'];
  thresholds: Figures;
  measured: Figures;
  /** Evidence; the window is the time between the first and the last of them. */
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

/** The group of the FATF's red flags for virtual assets (2020) that a detection belongs to in a report package. */
export type Indicator = keyof PackageWords['indicatorGroups'];

/** How a typology is recognised in the transfers that a trace read around the subject. */
interface Around {
  /** Stable name of the pattern in answers. */
  pattern: string;
  /** Which of the detector's texts applies. */
  variant?: string;
  /** Its thresholds. */
  rule: Readonly<Record<string, number | readonly number[]>>;
  find(around: Neighbourhood, search: Search): Pattern[];
  /** True where it counts beside what the detector finds in the subject's own transfers; always, where left out. */
  isBesideOwn?(pattern: PatternAround): boolean;
  suppressedBy?(pattern: PatternAround): Finding['suppressedBy'];
}

interface DetectorRecord {
  id: string;
  family: Family;
  /** Null for the losses of a victim. */
  indicator: Indicator | null;
  /** Busy traffic is the normal life of services: what is found on one is listed and does not count. */
  exemptService?: boolean;
  /** The same for contracts and programs without a label. */
  exemptContract?: boolean;
  /** Rests on what did not happen, which a history that was not read in full cannot show. */
  needsFullHistory?: boolean;
  /** Flags addresses in the transfers of one token. */
  inWindow?(window: Window): Flag[];
}

/** All that is known of a detector beside its words: `scoring/detectors.ts` lists every one. */
export interface Detector extends DetectorRecord {
  detect(ledger: Ledger): Finding[];
}

/** One that a trace finds around the subject, with the subject at its origin or in its middle. */
export interface AroundDetector extends DetectorRecord {
  around: Around;
  /** Finds it in the subject's own transfers. */
  detect?: Detector['detect'];
}

/** One address under suspicion of one pattern. */
export interface Flag {
  address: string;
  /** Id of the detector that flags it. */
  pattern: string;
  severity: Severity;
  /** Which of the pattern's texts applies. */
  variant?: string;
  /** Figures of the reason, by the names in the texts. */
  measured: Figures;
  /** Evidence. */
  transfers: readonly Transfer[];
}

/** The transfers of one token in a span of time, with a value for each and a ledger for every address. */
export interface Window {
  chain: Chain;
  /** Each once, oldest first. */
  transfers: readonly Transfer[];
  /** Those that moved something of known value between two addresses. */
  valued: (Transfer & { usd: number })[];
  /** `usd` where the token has a price; else `median`: values are multiples of the usual transfer. */
  scale: 'usd' | 'median';
  ledgerOf: (address: string) => Ledger;
  /** Returns what a detector of a scan finds at an address and counts there. */
  findingsOf: (address: string, detector: Detector) => Finding[];
}
