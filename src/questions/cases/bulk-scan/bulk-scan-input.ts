import type { Chain } from '../../../domain/chain.ts';
import type { ScanJobInput } from '../../jobs/queue-scan-job.ts';
import type { OpenedByTrace } from '../../tracing/expansion/open-address.ts';

/** Options of a bulk scan; kept as the input of its job. */
export interface BulkScanInput extends ScanJobInput {
  /** Whose money is traced after the scans. */
  subjects: { chain: Chain; address: string }[];
  /** Addresses that these traces may open, over all subjects. */
  traceAddresses: number;
}

/** What the traces have opened so far, by address key of the subject; kept as the output of the job. */
export type BulkScanOutput = Record<string, OpenedByTrace[]>;
