import { createWriteStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { termsOf } from '../../graph-loaders/sources.ts';
import { makeFolder } from '../data-folder/make-folder.ts';
import { slicesOf } from '../domain/slices.ts';
import { InvalidInputError } from '../errors.ts';
import { tagOf, tagpackHead } from '../exports/tagpack.ts';
import { toLabel } from '../labels/find-label-rows.ts';
import { openLabelLists } from '../labels/label-lists.ts';
import type { Records } from '../records/database/database.ts';

interface ExportedSource {
  source: string;
  /** Null where the licence of the list keeps it in. */
  file: string | null;
  tags: number;
  licence: string | null;
}

/** Tags of a file: a pack is read as a whole, of 64 MiB at most. */
const TAGS_PER_FILE = 50_000;

/**
 * Writes the labels in force into a new or empty folder as TagPacks, one source after another; of a list whose licence allows no
 * copies nothing. Throws InvalidInputError for a folder that is not empty, or a source that is not there.
 */
export async function exportTagpacks(
  records: Records,
  folder: string,
  { sources, now = Date.now }: { sources?: readonly string[]; now?: () => number } = {},
): Promise<ExportedSource[]> {
  const held = (await openLabelLists(records, now).lists()).map(({ source }) => source);
  const unknown = sources?.find((source) => !held.includes(source));
  if (unknown !== undefined) throw new InvalidInputError(`No labels of the source ${unknown}`);
  makeFolder(folder);
  if (readdirSync(folder).length > 0) throw new InvalidInputError(`${folder} is not empty`);
  const written: ExportedSource[] = [];
  try {
    for (const source of sources ?? held) {
      written.push(...(await exportSource(records, { source, folder, number: written.length + 1, at: now() })));
    }
  } catch (error) {
    for (const name of readdirSync(folder)) rmSync(join(folder, name));
    throw error;
  }
  return written;
}

async function exportSource(
  records: Records,
  { source, folder, number, at }: { source: string; folder: string; number: number; at: number },
): Promise<ExportedSource[]> {
  const terms = termsOf(source);
  const licence = terms?.licence ?? null;
  if (terms && !terms.isFree) return [{ source, file: null, tags: 0, licence }];
  const rows = await records
    .selectFrom('labels')
    .selectAll()
    .where('source', '=', source)
    .where((e) => e.or([e('valid_to', 'is', null), e('valid_to', '>', at)]))
    .orderBy('chain')
    .orderBy('address')
    .orderBy('category')
    .orderBy('label')
    .execute();
  const creator = terms?.publisher ?? 'traceflow';
  const about = terms ? `${terms.publisher} (${terms.page}), licence: ${terms.licence}` : `Labels of ${source}`;
  const files: ExportedSource[] = [];
  for (const part of slicesOf(rows, TAGS_PER_FILE)) {
    const file = `${String(number + files.length).padStart(3, '0')}-${source.replaceAll(/[^a-z0-9]+/gi, '-').slice(0, 40)}.yaml`;
    const text = function* () {
      yield tagpackHead(source, { creator, about });
      for (const row of part) yield tagOf(toLabel(row));
    };
    await pipeline(Readable.from(text()), createWriteStream(join(folder, file)));
    files.push({ source, file, tags: part.length, licence });
  }
  return files;
}
