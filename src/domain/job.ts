import { CHAINS, type Chain, type ChainFamily, chainFamily } from './chain.ts';

/** Work that outlives its request, by kind, and whether its rows are the scan of one address, of a list, or none. */
export const JOB_SCANS = {
  async_scan: 'one',
  batch_scan: 'list',
  bulk_scan: 'list',
  trace: null,
  str_package: null,
  transfer_scan: null,
  backtest: null,
} as const;
export type JobType = keyof typeof JOB_SCANS;
export const JOB_TYPES = Object.keys(JOB_SCANS) as [JobType, ...JobType[]];

/** `stale`: the worker was lost. */
export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'stale'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

/**
 * Jobs wait only for jobs of their own lane: one per chain family, so that a slow source delays no other family, and
 * `any` for jobs that ask several families or none.
 */
export type JobLane = 'any' | ChainFamily;
export const JOB_LANES: readonly JobLane[] = ['any', ...new Set(CHAINS.map(chainFamily))];

/** The lane of a job that asks these chains. */
export function laneOf(chains: Iterable<Chain>): JobLane {
  const [family, ...more] = new Set([...chains].map(chainFamily));
  return family === undefined || more.length > 0 ? 'any' : family;
}
