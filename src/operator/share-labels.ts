import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { iso } from '../domain/time.ts';
import { InvalidInputError } from '../errors.ts';
import {
  didOf,
  isShared,
  readSignedSet,
  type SignedLabel,
  signed,
  type UnsignedLabel,
  uriOf,
} from '../labels/signed-labels.ts';
import { findAccount } from '../records/accounts/accounts.ts';
import type { Records } from '../records/database/database.ts';
import type { OwnLabelRow } from '../records/database/tables/lists.ts';
import { allOwnLabels } from '../records/lists/own-labels.ts';

interface ShareRequest {
  accountId: string;
  /** Labels of this case alone. */
  caseId?: string;
  /** File of an earlier set: what it has and the account no longer says is retracted. */
  before?: string;
  /** Epoch ms. */
  now: number;
}

/**
 * Writes the labels of an account into a new file as a signed set: address, category, name, confidence and days; neither reason
 * nor author nor case. Throws NotFoundError, or InvalidInputError for an earlier set of another key.
 */
export async function shareLabels(
  records: Records,
  secret: Uint8Array,
  path: string,
  { accountId, caseId, before, now }: ShareRequest,
): Promise<{ file: string; signer: string; labels: number; retracted: number; left_out: number }> {
  if (existsSync(path)) throw new InvalidInputError(`${path} is there already: name a new file`);
  await findAccount(records, accountId);
  const src = didOf(secret);
  const rows = (await allOwnLabels(records, accountId)).filter(
    ({ removed_at, case_id }) => removed_at === null && (caseId === undefined || case_id === caseId),
  );
  // Of an address and a category the newest is what the account says.
  const said = new Map<string, UnsignedLabel>();
  for (const row of rows) {
    const label = toUnsigned(src, row);
    if (label) said.set(`${label.uri} ${label.val}`, label);
  }
  const retractions = before === undefined ? [] : retracted(readEarlier(before, src), said, now);
  const labels = [...said.values(), ...retractions].map((label) => signed(secret, label));
  const set = signed(secret, { ver: 1, src, cts: iso(now), labels });
  writeFileSync(path, `${JSON.stringify(set, null, 1)}\n`, { flag: 'wx', mode: 0o600 });
  const counts = { labels: said.size, retracted: retractions.length, left_out: rows.length - said.size };
  return { file: path, signer: src, ...counts };
}

function toUnsigned(src: string, row: OwnLabelRow): UnsignedLabel | null {
  const uri = uriOf(row.chain, row.address);
  if (uri === null || !isShared(row.category)) return null;
  return {
    ...{ ver: 1, src, uri, val: row.category, cts: iso(row.changed_at), name: row.label, confidence: row.confidence },
    ...(row.valid_from !== null && { nbf: iso(row.valid_from) }),
    ...(row.valid_to !== null && { exp: iso(row.valid_to) }),
  };
}

function readEarlier(path: string, src: string): SignedLabel[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw new InvalidInputError(`${path}: ${(cause as Error).message}`, { cause });
  }
  const set = readSignedSet(value, path);
  if (set.src !== src) throw new InvalidInputError(`${path} is of ${set.src}: only its own signer can retract it`);
  return set.labels;
}

/** Returns retractions: labels of an earlier set that the new one lacks, and what that set retracted. */
function retracted(
  earlier: readonly SignedLabel[],
  said: ReadonlyMap<string, UnsignedLabel>,
  now: number,
): UnsignedLabel[] {
  return earlier
    .filter(({ uri, val }) => !said.has(`${uri} ${val}`))
    .map(({ ver, src, uri, val, neg, cts }) => ({ ver, src, uri, val, neg: true, cts: neg ? cts : iso(now) }));
}
