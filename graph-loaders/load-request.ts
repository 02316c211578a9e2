import type { Endings } from '../src/labels/put-labels.ts';
import type { StatedTable } from './reading/table-format.ts';
import type { WholeFile } from './transfers/load-transfers.ts';

/** A file to load, and how. */
export interface LoadRequest {
  source: string;
  /** Absolute path of a file or folder, or an http(s) URL. */
  input: string;
  /** Where a kept list lies, whose file `input` is. */
  keptAt?: string;
  /** The treatment of labels that a newer list lacks; default: `wait`. */
  endings?: Endings;
  /** The day of a list of labels, epoch ms. */
  asOf?: number;
  /** When it was first asked for, epoch ms, where it was cut off and is repeated. */
  startedAt?: number;
  /** For transfers: the file holds the whole history of its addresses over its span. */
  whole?: WholeFile;
  /** For transfers: what a table does not say itself. */
  table?: StatedTable;
  /** For transfers: the mapping of the columns of a table that no format knows. */
  columns?: unknown;
}
