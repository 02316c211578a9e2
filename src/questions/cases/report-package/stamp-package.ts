import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Context } from '../../../context.ts';
import { DAY_MS, MINUTE_MS } from '../../../domain/time.ts';
import { openAnswer } from '../../../outbound/request.ts';
import { lockAccount } from '../../../records/accounts/accounts.ts';
import { endPendingStamp, insertPackageFile, listPendingStamps } from '../../../records/cases/report-packages.ts';
import { inTransaction } from '../../../records/database/database.ts';
import { openFile, packFile } from './package-files.ts';
import { PACKAGE_FILES } from './package-inputs.ts';

const TIMEOUT_MS = 15_000;
/** A real answer with the chain of its certificates has 4 to 8 kB. */
const BYTES_MAX = 64 * 1024;
/** The clocks of the authority and of this machine may differ by as much. */
const APART_MS = 10 * MINUTE_MS;
/** How long a package waits for its time stamp. */
const WAIT_MS = DAY_MS;

/** The authority answered with what stamps nothing: the next package may fare better, this one later. */
class StampRefusedError extends Error {}

/**
 * Asks the authority of `TSA_URL` to stamp a manifest. Returns its answer, checked. Throws StampRefusedError, or the error of the
 * connection.
 */
async function askStamp(
  { url, now }: { url: string; now: () => number },
  manifest: Buffer,
  signal?: AbortSignal,
): Promise<Buffer> {
  const { checkTimestamp, stampRequest } = await import('../../../proofs/timestamp.ts');
  const nonce = randomBytes(8);
  const answer = await openAnswer(new URL(url), {
    headers: { 'content-type': 'application/timestamp-query', accept: 'application/timestamp-reply' },
    body: Buffer.from(await stampRequest(manifest, nonce)),
    timeoutMs: TIMEOUT_MS,
    bytesMax: BYTES_MAX,
    signal,
  });
  if (answer.status !== 200) {
    answer.close();
    throw new Error(`HTTP ${answer.status}`);
  }
  const given = await buffer(answer.body);
  const { fault, at } = await checkTimestamp(given, manifest, nonce);
  if (!fault && Math.abs(Date.parse(at) - now()) > APART_MS)
    throw new StampRefusedError(`the authority of time stamps says that it is ${at}`);
  if (fault) throw new StampRefusedError(`the answer of the authority of time stamps does not hold: ${fault}`);
  return given;
}

/** Stamps a manifest while its package is generated. Returns null where that fails, which never holds the package back. */
export async function tryStamp(
  { config, log, now }: Context,
  manifest: Buffer,
  { id, signal }: { id: string; signal: AbortSignal },
): Promise<Buffer | null> {
  try {
    return config.TSA_URL ? await askStamp({ url: config.TSA_URL, now }, manifest, signal) : null;
  } catch (err) {
    signal.throwIfAborted();
    log.warn({ err, generation_id: id }, 'the package has no time stamp yet: it is asked for again for a day');
    return null;
  }
}

/** Asks again for the time stamps that packages wait for; after a day they go without. */
export async function stampPending(ctx: Context, signal?: AbortSignal): Promise<void> {
  let reached = true;
  for (const waiting of await listPendingStamps(ctx.records)) {
    signal?.throwIfAborted();
    if (ctx.now() - waiting.created_at >= WAIT_MS) await endPendingStamp(ctx.records, waiting.id, 'failed');
    else if (reached) reached = await stampLater(ctx, waiting, signal);
  }
}

/** Returns false where the authority cannot be reached: others are not tried then. */
async function stampLater(
  ctx: Context,
  { id, account_id }: { id: string; account_id: string },
  signal?: AbortSignal,
): Promise<boolean> {
  const kept = await openFile(ctx, id, PACKAGE_FILES.manifest);
  if (!ctx.config.TSA_URL || !kept) return true;
  try {
    const stamp = await packFile(PACKAGE_FILES.stamp, [
      await askStamp({ url: ctx.config.TSA_URL, now: ctx.now }, await buffer(kept), signal),
    ]);
    await inTransaction(ctx.records, async (records) => {
      await lockAccount(records, account_id);
      if (await endPendingStamp(records, id, 'stamped')) await insertPackageFile(records, id, stamp);
    });
    return true;
  } catch (err) {
    signal?.throwIfAborted();
    ctx.log.warn({ err, generation_id: id }, 'a package is still without a time stamp');
    return err instanceof StampRefusedError;
  }
}
