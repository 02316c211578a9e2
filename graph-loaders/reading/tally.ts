import { cleanText } from './clean-text.ts';

interface Problem {
  /** Line of the file; 0 for what concerns no single row. */
  line: number;
  reason: string;
}

/** Counts of a load: `read` rows, of which `skipped` could not be used; the rest was loaded. */
export interface LoadReport {
  source: string;
  read: number;
  loaded: number;
  skipped: number;
  errors: Problem[];
  /** Lists of which more than a tenth would end; these sentences are the first of `errors` too. */
  waiting?: string[];
  /** Addresses that count as read, of a file that was declared whole. */
  whole_addresses?: number;
  /** Addresses of the graph that a list of labels names, of all that it holds on the list's chains; absent where it names none. */
  in_graph?: { addresses: number; of: number };
  /** Words of the list that no table knows, most frequent first; absent where all are known. */
  unmapped?: UnmappedWord[];
  /** Files of the folder that were not read; absent where all were. */
  not_read?: string[];
  /** The outcome of each file of a folder or an archive that was read; absent for one file. */
  files?: FileReport[];
}

/** Rows of one file of several. */
interface FileReport {
  name: string;
  /** The known table that it is; absent where the source has one form alone. */
  format?: string;
  read: number;
  loaded: number;
}

/** A word that a row states and no table maps to a category, a confidence or a kind of programme. */
interface UnmappedWord {
  /** The field that states it. */
  field: string;
  word: string;
  rows: number;
}

export interface Tally {
  read: number;
  skipped: number;
  errors: Problem[];
  /** The decision that is left to the operator. */
  waiting: string[];
  /** Addresses that a whole file made count as read. */
  wholeAddresses?: number;
  /** Addresses of the graph that a list names. */
  inGraph?: { addresses: number; of: number };
  /** Unmapped words by field and word. */
  words: Map<string, UnmappedWord>;
  unread: string[];
  /** Reports of the files of a folder or an archive, by name. */
  files: Map<string, FileReport>;
  /** The known table that the file turned out to be. */
  known(format: string): void;
  /** A row that cannot be used. */
  skip(line: number, reason: string): void;
  /** Something the operator should know of a row that was used all the same, or of the whole load (line 0). */
  note(line: number, reason: string): void;
  /** Labels whose end waits for a decision. */
  wait(reason: string): void;
  /** A word of a row that no table knows. */
  unmapped(field: string, word: string): void;
  /** A file of the folder that is not of the source. */
  notRead(fileName: string): void;
}

/** More are counted and no longer listed: a file of nothing but bad rows must not fill the memory. */
const ERRORS_MAX = 10_000;
/** Different words that are named; more are counted as one. */
const WORDS_MAX = 1_000;
const NOT_READ_MAX = 1_000;
const FILES_LISTED_MAX = 1_000;
const OTHER_WORDS = '(others)';

export function newTally(): Tally {
  let unlisted = 0;
  const tally: Tally = {
    read: 0,
    skipped: 0,
    errors: [],
    waiting: [],
    words: new Map(),
    unread: [],
    files: new Map(),
    known: () => {},
    skip: (line, reason) => {
      tally.skipped += 1;
      tally.note(line, reason);
    },
    note: (line, reason) => {
      if (tally.errors.length < ERRORS_MAX) tally.errors.push({ line, reason });
      else tally.errors[ERRORS_MAX] = { line: 0, reason: `${++unlisted} more not listed` };
    },
    wait: (reason) => tally.waiting.push(reason),
    unmapped: (field, word) => {
      const { text } = cleanText(word);
      const key = `${field} ${text}`;
      const isNamed = tally.words.has(key) || tally.words.size < WORDS_MAX;
      const known = isNamed ? tally.words.get(key) : tally.words.get(OTHER_WORDS);
      if (known) known.rows += 1;
      else tally.words.set(isNamed ? key : OTHER_WORDS, { field, word: isNamed ? text : OTHER_WORDS, rows: 1 });
    },
    notRead: (fileName) => {
      if (tally.unread.length < NOT_READ_MAX) tally.unread.push(cleanText(fileName).text);
      else tally.unread[NOT_READ_MAX] = '…';
    },
  };
  return tally;
}

/** The same tally for one file of several: reasons begin with the file's name. */
export function tallyOf(tally: Tally, fileName: string): Tally {
  const name = cleanText(fileName).text;
  const file: FileReport = tally.files.get(name) ?? { name, read: 0, loaded: 0 };
  if (tally.files.size < FILES_LISTED_MAX) tally.files.set(name, file);
  return {
    get read() {
      return tally.read;
    },
    set read(rows) {
      file.read += rows - tally.read;
      file.loaded += rows - tally.read;
      tally.read = rows;
    },
    get skipped() {
      return tally.skipped;
    },
    get errors() {
      return tally.errors;
    },
    get waiting() {
      return tally.waiting;
    },
    words: tally.words,
    unread: tally.unread,
    unmapped: tally.unmapped,
    notRead: (unread) => {
      tally.files.delete(name);
      tally.notRead(unread);
    },
    files: tally.files,
    known: (format) => {
      file.format = format;
    },
    skip: (line, reason) => {
      file.loaded -= 1;
      tally.skip(line, `${fileName}: ${reason}`);
    },
    note: (line, reason) => tally.note(line, `${fileName}: ${reason}`),
    wait: tally.wait,
  };
}

export function reportOf(source: string, tally: Tally): LoadReport {
  return {
    source,
    read: tally.read,
    loaded: tally.read - tally.skipped,
    skipped: tally.skipped,
    errors: [...tally.waiting.map((reason) => ({ line: 0, reason })), ...tally.errors],
    ...(tally.waiting.length > 0 && { waiting: tally.waiting }),
    ...(tally.inGraph && { in_graph: tally.inGraph }),
    ...(tally.words.size > 0 && { unmapped: [...tally.words.values()].sort((a, b) => b.rows - a.rows) }),
    ...(tally.unread.length > 0 && { not_read: tally.unread }),
    ...(tally.files.size > 0 && { files: [...tally.files.values()] }),
    ...(tally.wholeAddresses !== undefined && { whole_addresses: tally.wholeAddresses }),
  };
}
