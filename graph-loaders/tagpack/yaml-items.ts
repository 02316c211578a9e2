import { LineCounter, parse, parseDocument, YAMLSeq } from 'yaml';
import { InvalidInputError } from '../../src/errors.ts';

/** Every scalar stays text: `0x…` is an address, not a number, and `no` is a word. */
const OPTIONS = { schema: 'failsafe', maxAliasCount: 100, prettyErrors: false } as const;
const ITEMS_AT_ONCE = 200;
const ITEM_CHARACTERS_MAX = 64 * 1024;
const WHOLE_CHARACTERS_MAX = 4 * 1024 * 1024;

interface YamlItem {
  line: number;
  /** Null where the item cannot be read. */
  value: unknown;
  problem: string | null;
}

export interface YamlList {
  /** The fields beside the list. */
  header: Record<string, unknown>;
  items: Iterable<YamlItem[]>;
}

/**
 * A YAML document that is a header and one long list under `key`, read a piece at a time so that a large pack
 * neither blocks the process nor fills its memory. Null when the document has no such list. What is written in
 * another layout (flow style, anchors) is read as a whole, up to 4 MiB. Throws InvalidInputError for what is no YAML.
 */
export function readYamlList(text: string, key: string, fileName: string): YamlList | null {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (start === -1) return null;
  const isPlain = /^\w+:\s*(#.*)?$/.test(lines[start]!) && !/(^|[\s[{,:-])[&*][A-Za-z]/m.test(text);
  const indent = /^(\s*)- /.exec(lines.slice(start + 1).find((line) => !isBlank(line)) ?? '')?.[1];
  if (!isPlain || indent === undefined) return readWhole(text, key, fileName);
  const end = lines.findIndex((line, at) => at > start && /^[^\s#-]/.test(line));
  const header = parseHeader([...lines.slice(0, start), ...(end === -1 ? [] : lines.slice(end))].join('\n'), fileName);
  return { header, items: parsePieces(lines, start + 1, end === -1 ? lines.length : end, `${indent}- `) };
}

interface Piece {
  line: number;
  text: string;
}

function* parsePieces(lines: string[], start: number, end: number, bullet: string): Generator<YamlItem[]> {
  let pieces: Piece[] = [];
  for (let at = start; at < end; at++) {
    const line = lines[at]!;
    if (line.startsWith(bullet) || line === bullet.trimEnd()) {
      if (pieces.length === ITEMS_AT_ONCE) {
        yield parseItems(pieces);
        pieces = [];
      }
      pieces.push({ line: at + 1, text: line });
    } else if (pieces.length > 0 && !isBlank(line)) {
      const last = pieces.at(-1)!;
      if (last.text.length <= ITEM_CHARACTERS_MAX) last.text += `\n${line}`;
    }
  }
  if (pieces.length > 0) yield parseItems(pieces);
}

function parseItems(pieces: Piece[]): YamlItem[] {
  const flat = pieces.map(parseFlatItem);
  if (flat.every((value) => value !== null)) {
    return flat.map((value, i) => ({ line: pieces[i]!.line, value, problem: null }));
  }
  const readable = pieces.filter((piece) => piece.text.length <= ITEM_CHARACTERS_MAX);
  if (readable.length === pieces.length) {
    const values = tryParse(pieces.map((piece) => piece.text).join('\n'));
    if (Array.isArray(values) && values.length === pieces.length) {
      return pieces.map(({ line }, i) => ({ line, value: values[i], problem: null }));
    }
  }
  // Something in the piece is wrong: each item is read by itself, so that one costs no other.
  return pieces.map(({ line, text }) => {
    const value = text.length <= ITEM_CHARACTERS_MAX ? tryParse(text) : undefined;
    return Array.isArray(value) && value.length === 1
      ? { line, value: value[0], problem: null }
      : { line, value: null, problem: value === undefined ? 'too long or not YAML' : 'not one YAML item' };
  });
}

/** One field of a flat item, plain or in quotes without an escape: what nearly every tag of every pack is. */
const FLAT_FIELD =
  /^\s*(?:- +)?(\w+): +(?:'([^'\\\n]*)'|"([^"\\\n]*)"|([A-Za-z0-9_/.(][^#:'"\n{}[\],&*!|>%@`]*(?::[^\s#:'"{}[\],&*!|>%@`]+)*))\s*$/;

/** The fields of an item whose every line is a flat field, as the YAML parser would read them; null for any other. */
function parseFlatItem({ text }: { text: string }): Record<string, string> | null {
  const item: Record<string, string> = {};
  const indents = new Set<number>();
  for (const [at, line] of text.split('\n').entries()) {
    const match = FLAT_FIELD.exec(line);
    if (!match || at > 0 === /^\s*- /.test(line)) return null;
    indents.add(line.search(/[^\s-]/));
    const name = match[1]!;
    if (name in item || name === '__proto__') return null;
    item[name] = match[2] ?? match[3] ?? match[4]!.trim();
  }
  return indents.size === 1 ? item : null;
}

function tryParse(text: string): unknown {
  try {
    return parse(text, OPTIONS);
  } catch {
    return undefined;
  }
}

function parseHeader(text: string, fileName: string): Record<string, unknown> {
  const header = text.trim() === '' ? {} : parseRefusing(() => parse(text, OPTIONS), fileName);
  return isRecord(header) ? header : {};
}

function readWhole(text: string, key: string, fileName: string): YamlList {
  if (text.length > WHOLE_CHARACTERS_MAX) {
    throw new InvalidInputError(
      `${fileName}: anchors or flow style in a file above ${WHOLE_CHARACTERS_MAX} characters`,
    );
  }
  const lineCounter = new LineCounter();
  return parseRefusing(() => {
    const document = parseDocument(text, { ...OPTIONS, lineCounter });
    if (document.errors[0]) throw document.errors[0];
    const { [key]: values, ...header } = document.toJS({ maxAliasCount: OPTIONS.maxAliasCount }) as Record<
      string,
      unknown
    >;
    const node = document.get(key);
    const starts =
      node instanceof YAMLSeq ? node.items.map((item) => (item as { range?: number[] }).range?.[0] ?? 0) : [];
    const items = (Array.isArray(values) ? values : []).map((value, i) => {
      return { line: lineCounter.linePos(starts[i] ?? 0).line, value, problem: null };
    });
    return { header, items: [items] };
  }, fileName);
}

function parseRefusing<T>(read: () => T, fileName: string): T {
  try {
    return read();
  } catch (cause) {
    throw new InvalidInputError(`${fileName}: not readable YAML (${(cause as Error).message.split('\n')[0]})`, {
      cause,
    });
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function isBlank(line: string): boolean {
  return /^\s*(#.*)?$/.test(line);
}
