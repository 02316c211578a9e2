import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import type { Context } from '../context.ts';
import { InvalidInputError } from '../errors.ts';
import { type CaseExport, exportCase } from '../questions/exports/case-exports.ts';
import { findAccount } from '../records/accounts/accounts.ts';
import { operatorFor } from '../records/audit/audit-log.ts';

/** A case of an account as a file at a whole path. */
export interface CaseFile {
  caseId: string;
  account: string;
  output: string;
  asked: CaseExport;
}

interface WrittenCase {
  file: string;
  bytes: number;
  sha256: string;
}

/** Writes the file, which its owner alone may read. Throws InvalidInputError where it exists or cannot be written. */
export async function writeCaseFile(ctx: Context, { caseId, account, output, asked }: CaseFile): Promise<WrittenCase> {
  const { id } = await findAccount(ctx.records, account);
  // Opened first: the timeline names no file that could not be written.
  const file = await open(output, 'wx', 0o600).catch((cause: Error) => {
    throw new InvalidInputError(`Cannot write ${output}: ${cause.message}`, { cause });
  });
  try {
    const { content } = await exportCase(ctx, operatorFor(id), caseId, asked);
    await file.writeFile(content);
    const sha256 = createHash('sha256').update(content).digest('hex');
    return { file: output, bytes: Buffer.byteLength(content), sha256 };
  } catch (error) {
    await rm(output);
    throw error;
  } finally {
    await file.close();
  }
}
