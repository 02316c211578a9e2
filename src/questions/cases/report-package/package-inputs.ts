import type { Language } from '../../../../words/language.ts';
import type { Chain } from '../../../domain/chain.ts';
import type { CaseReportInput } from '../report/gather-case-report.ts';

/** Version of the frozen inputs; raised with every change of them. */
export const PACKAGE_FORMAT = 14;

/** The request of a report package; kept as the input of its job. */
export interface PackageRequest extends WantedPackage {
  /** The key or person that prepares it. */
  keyId: string;
}

/** Fields of a package that a client sets. */
export interface WantedPackage {
  /** Name of the person who approved it, where the account wants one. */
  approvedBy?: string;
  language: Language;
  /** Epoch ms, both inclusive; null = unbounded. Transactions outside are left out. */
  from: number | null;
  to: number | null;
  /** True where its transactions are proved; absent in jobs of an earlier version. */
  proofs?: boolean;
}

/** A transaction that the texts of the package name. */
export interface NamedTransaction {
  rowNo: number;
  chain: Chain;
  txHash: string;
  at: string;
  from: string;
  to: string;
  amount: string;
  asset: string;
  /** As in the CSV. */
  usd: string;
}

/** Sums of the transactions of a package: those of its subjects, as one party, with others. */
export interface TransactionTotals {
  /** Rows of the CSV. */
  rows: number;
  /** Rows that the sums count. */
  counted: number;
  firstAt: string | null;
  lastAt: string | null;
  /** US dollars with two places, as the rows of the CSV add up. */
  inUsd: string;
  outUsd: string;
  unpriced: number;
  /** Transactions of the highest value, highest first. */
  largest: NamedTransaction[];
  /** Addresses of which only the newest transfers are listed. */
  cutAddresses: string[];
  /** True where the package could not hold all transfers. */
  truncated: boolean;
}

/** All inputs of a package, frozen when it was generated; the rows of the CSV are kept apart. */
export interface PackageInputs {
  generationId: string;
  language: Language;
  from: string | null;
  to: string | null;
  engineVersion: string;
  ruleSetVersion: string;
  /** True where an authority is asked to stamp the manifest. */
  timestamped: boolean;
  report: CaseReportInput;
  totals: TransactionTotals;
}

export interface PackageFile {
  name: string;
  sha256: string;
  bytes: number;
  /** Set for a signed PDF: the digest of its bytes before the signature, which follows them. */
  unsigned_sha256?: string;
}

/** Draws the documents of a package; each gets the files that were made before it. */
export interface PackageRenderer {
  /** `simple` leaves out what is drawn and keeps what is said. */
  evidence(inputs: PackageInputs, files: readonly PackageFile[], options: { simple: boolean }): Promise<Buffer>;
  draft(inputs: PackageInputs, files: readonly PackageFile[]): Promise<Buffer>;
  transactions(parts: AsyncIterable<string[][]>): AsyncIterable<Buffer>;
}

export const PACKAGE_FILES = {
  transactions: 'transactions.csv',
  evidence: 'evidence.pdf',
  draft: 'draft.docx',
  columns: 'columns.json',
  proofs: 'proofs.json',
  /** Checks the proofs in a browser without a network. */
  page: 'verify.html',
  manifest: 'manifest.json',
  /** The answer of the authority that stamped the manifest. */
  stamp: 'manifest.tsr',
  /** All of them. */
  whole: 'package.zip',
} as const;
