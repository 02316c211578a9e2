import type { CaseRole } from '../domain/case.ts';
import type { Chain } from '../domain/chain.ts';
import type { Category } from '../domain/label.ts';
import type { Transfer } from '../domain/transfers/transfer.ts';

/** Stands wherever a form wants what the case does not know. */
export const FILL_IN = 'FILL IN';

/** A side of a transfer, with what the case and the best label in force say of its address. */
export interface FilingParty {
  address: string;
  /** Null where the case does not name the address. */
  role: CaseRole | null;
  /** The service that the address belongs to by a sure label; null for a wallet of its own, and where nothing is known. */
  service: string | null;
  category: Category | null;
  /** `source` of that label. */
  source: string | null;
}

export interface FilingTransfer {
  transfer: Transfer;
  from: FilingParty;
  to: FilingParty;
}

/** Transfers of a case with what it knows of them, for forms that others file. */
export interface CaseFiling {
  caseId: string;
  title: string;
  description: string;
  /** Notes of analysts that are findings and decisions, oldest first. */
  findings: readonly string[];
  /** Epoch ms. */
  madeAt: number;
  addresses: readonly (FilingParty & { chain: Chain })[];
  /** In order of time. */
  transfers: readonly FilingTransfer[];
  /** Transfers that the file has no room for: those of the least value. */
  leftOut: number;
  /** Addresses of which only the newest transfers were read, or none. */
  cutAddresses: readonly string[];
}

/** The beginning of a text, in at most `max` UTF-16 units, and no half of a character. */
export function cutTo(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\u{D800}-\u{DBFF}]$/u, '')}…`;
}
