import type { Context } from '../../context.ts';
import { InvalidInputError, PlanError } from '../../errors.ts';
import type { Tenant } from '../../http/auth.ts';
import { parseAddress } from '../parse-address.ts';
import { type NewRow, queueScanJob, type ScanJobInput } from './queue-scan-job.ts';

export type BatchEntry = string | { address: string; chain?: string | null };

/** What is kept of an entry that is no address. */
const REFUSED_CHARACTERS_MAX = 200;

/**
 * Queues the scan of many addresses, each once; what is no address is kept as a failed row.
 * Throws PlanError, InvalidInputError (none is valid, more than the plan allows), QuotaError.
 */
export async function startBatch(ctx: Context, tenant: Tenant, request: ScanJobInput & { addresses: BatchEntry[] }) {
  const { batchSize } = tenant.plan;
  if (batchSize === 0) throw new PlanError('Batch scanning not available on your plan');
  const { addresses, ...input } = request;
  const rows = distinctRows(addresses);
  if (rows.length > batchSize) throw new InvalidInputError(`Batch exceeds plan limit (${batchSize} addresses)`);
  if (rows.every((row) => row.refusal !== null)) throw new InvalidInputError('No valid addresses');
  const job = await queueScanJob(ctx, tenant, 'batch_scan', input, rows);
  return {
    success: true as const,
    job_id: job.id,
    total_addresses: job.total,
    message: `Batch of ${job.total} ${job.total === 1 ? 'address' : 'addresses'} queued.`,
  };
}

function distinctRows(entries: BatchEntry[]): NewRow[] {
  const rows = new Map<string, NewRow>();
  for (const entry of entries) {
    const row = toRow(entry);
    const key = JSON.stringify([row.chain, row.address]);
    if (!rows.has(key)) rows.set(key, row);
  }
  return [...rows.values()];
}

function toRow(entry: BatchEntry): NewRow {
  const { address, chain } = typeof entry === 'string' ? { address: entry } : entry;
  try {
    return { ...parseAddress(address, chain ?? undefined), refusal: null };
  } catch (error) {
    if (!(error instanceof InvalidInputError)) throw error;
    return { chain: storable(chain), address: storable(address) ?? '', refusal: storable(error.message) };
  }
}

/** A bounded text that PostgreSQL can store too: it knows no NUL and no half of a surrogate pair. */
function storable(text: string | null | undefined): string | null {
  return text?.slice(0, REFUSED_CHARACTERS_MAX).replace(/[\p{Cc}\p{Cs}]/gu, '\uFFFD') ?? null;
}
