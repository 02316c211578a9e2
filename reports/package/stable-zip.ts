import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { compare } from '../../src/domain/compare.ts';

/** Begins a package of Office documents. */
const FIRST = '[Content_Types].xml';
const CORE = 'docProps/core.xml';
/** The earliest time that a zip can hold, in whatever zone. */
const ZIP_TIME = '1980-01-02T12:00:00';

/** The same Office document with its parts in one order and without the moment and machine it was made at. */
export function stableDocument(document: Uint8Array, madeAt: string): Buffer {
  const parts = unzipSync(document);
  const names = Object.keys(parts).sort((a, b) => Number(b === FIRST) - Number(a === FIRST) || compare(a, b));
  const core = parts[CORE];
  if (core) parts[CORE] = strToU8(withTime(strFromU8(core), madeAt));
  const ordered = Object.fromEntries(names.map((name) => [name, parts[name]!]));
  return Buffer.from(zipSync(ordered, { mtime: ZIP_TIME, os: 3, level: 6 }));
}

/** `created` and `modified` of the document's own record. */
function withTime(xml: string, madeAt: string): string {
  return xml.replace(/(<dcterms:(?:created|modified)[^>]*>)[^<]*/g, `$1${madeAt}`);
}
