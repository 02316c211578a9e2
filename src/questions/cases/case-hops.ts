import type { GraphContext, LabelsContext, RecordsContext } from '../../context.ts';
import type { Chain } from '../../domain/chain.ts';
import { GraphError } from '../../errors.ts';
import { keepHops, listCaseAddresses } from '../../records/cases/addresses.ts';
import type { CaseAddressRow } from '../../records/database/tables/cases.ts';
import { findFlowPath, PATH_HOPS } from '../../tracing/answers/paths/find-flow-path.ts';
import type { PathContext } from '../../tracing/answers/paths/path-search.ts';
import { countdown, inquire, type TimeContext } from '../../tracing/read/inquiry.ts';

/** Time of the search for one address, and for all of a case. */
const SEARCH_MS = 2_000;
const CASE_MS = 30_000;
/** Subjects that it looks from. */
const SUBJECTS_MAX = 10;
const SEARCH = { minUsd: 0, timeOrdered: true, maxPaths: 1, throughServices: false };

/** Stores that a search for distances asks. */
export type HopsContext = RecordsContext & GraphContext & LabelsContext & TimeContext;

interface CasePlace {
  chain: Chain;
  /** Canonical. */
  address: string;
}

/** Counts the transfers between a subject of the case and an address, as the graph shows it; null where it shows none in time. */
export async function hopsFromSubjects(ctx: HopsContext, accountId: string, caseId: string, to: CasePlace) {
  const rows = await listCaseAddresses(ctx.records, accountId, caseId);
  return shortest({ ...(await inquire(ctx, accountId)), remainingMs: countdown(SEARCH_MS) }, subjectsOf(rows), to);
}

/** Keeps the distances of those addresses of a case whose distance was unknown and is seen by now. */
export async function findUnknownHops(ctx: HopsContext, accountId: string, caseId: string): Promise<void> {
  const rows = await listCaseAddresses(ctx.records, accountId, caseId);
  const inquiry = await inquire(ctx, accountId);
  const leftMs = countdown(CASE_MS);
  for (const row of rows.filter(({ hop_distance }) => hop_distance === null)) {
    if (leftMs() === 0) return;
    const remainingMs = countdown(Math.min(SEARCH_MS, leftMs()));
    const hops = await shortest({ ...inquiry, remainingMs }, subjectsOf(rows), row);
    if (hops !== null) await keepHops(ctx.records, row.id, hops);
  }
}

function subjectsOf(rows: readonly CaseAddressRow[]): CasePlace[] {
  return rows.filter(({ role }) => role === 'subject').slice(0, SUBJECTS_MAX);
}

/** Looks either way, and through no service. */
async function shortest(ctx: PathContext, subjects: readonly CasePlace[], { chain, address }: CasePlace) {
  let least: number | null = null;
  for (const { chain: subjectChain, address: subject } of subjects) {
    const pairs = [
      { chain: subjectChain, from: subject, toChain: chain, to: address },
      { chain, from: address, toChain: subjectChain, to: subject },
    ];
    for (const pair of pairs) {
      const maxHops: number = least === null ? PATH_HOPS.max : least - 1;
      if (maxHops === 0 || ctx.remainingMs() === 0) return least;
      const found = await findFlowPath(ctx, { ...pair, ...SEARCH, maxHops }).catch(nullWithoutGraph);
      least = found?.paths[0]?.length ?? least;
    }
  }
  return least;
}

function nullWithoutGraph(error: unknown): null {
  if (error instanceof GraphError) return null;
  throw error;
}
