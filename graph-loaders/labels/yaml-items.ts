import {
  type DocumentOptions,
  LineCounter,
  type ParseOptions,
  parse,
  parseDocument,
  type SchemaOptions,
  type ToJSOptions,
  YAMLSeq,
} from 'yaml';
import { WrongFormatError } from '../reading/wrong-format.ts';

/** Stands where a document includes another file. */
export class YamlInclude {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }
}

/** Every scalar stays text: `0x…` is an address, not a number, and `no` is a word. */
const OPTIONS = {
  schema: 'failsafe',
  customTags: [{ tag: '!include', resolve: (path: string) => new YamlInclude(path.trim()) }],
  maxAliasCount: 100,
  prettyErrors: false,
  logLevel: 'error',
} as const satisfies DocumentOptions & SchemaOptions & ParseOptions & ToJSOptions;
/** Comparing the keys of one map takes square time: done for items, which are short. */
const LONG_OPTIONS = { ...OPTIONS, uniqueKeys: false } as const;
const ITEMS_AT_ONCE = 200;
/** The YAML parser takes up to 100 ms for as much hostile text. */
const CHARACTERS_AT_ONCE = 16 * 1024;
const ITEM_CHARACTERS_MAX = 4 * 1024;
const ITEM_BRACKETS_MAX = 100;
const HEADER_CHARACTERS_MAX = 16 * 1024;
const WHOLE_CHARACTERS_MAX = 32 * 1024;

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
 * A YAML document of a header and one long list under `key`, parsed a few items at a time; null without such a list.
 * With anchors or in flow style it may have 32 KiB. Throws WrongFormatError for what is not YAML.
 */
export function readYamlList(text: string, key: string, fileName: string): YamlList | null {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith(`${key}:`));
  if (start === -1) return null;
  const isBlockList = /^\w+:\s*(#.*)?$/.test(lines[start]!);
  const firstItem = lines.find((line, at) => at > start && !isBlank(line)) ?? '';
  const indent = /^(\s*)- /.exec(firstItem)?.[1];
  const hasAnchors = text.length <= WHOLE_CHARACTERS_MAX && ANCHOR.test(text);
  if (!isBlockList || indent === undefined || hasAnchors) return readWhole(text, key, fileName);
  const end = lines.findIndex((line, at) => at > start && /^[^\s#-]/.test(line));
  const header = parseHeader([...lines.slice(0, start), ...(end === -1 ? [] : lines.slice(end))].join('\n'), fileName);
  return { header, items: parsePieces(lines, start + 1, end === -1 ? lines.length : end, `${indent}- `) };
}

interface Piece {
  line: number;
  text: string;
}

/** Anchors and aliases, and text that looks like them. */
const ANCHOR = /(^|[\s[{,:-])[&*][A-Za-z]/m;

function* parsePieces(lines: string[], start: number, end: number, bullet: string): Generator<YamlItem[]> {
  let pieces: Piece[] = [];
  let characters = 0;
  for (let at = start; at < end; at++) {
    const line = lines[at]!;
    if (line.startsWith(bullet) || line === bullet.trimEnd()) {
      if (pieces.length === ITEMS_AT_ONCE || characters > CHARACTERS_AT_ONCE) {
        yield parseItems(pieces);
        pieces = [];
        characters = 0;
      }
      pieces.push({ line: at + 1, text: line });
    } else if (pieces.length > 0 && !isBlank(line)) {
      const last = pieces.at(-1)!;
      if (last.text.length <= ITEM_CHARACTERS_MAX) last.text += `\n${line}`;
    }
    characters += Math.min(line.length, ITEM_CHARACTERS_MAX);
  }
  if (pieces.length > 0) yield parseItems(pieces);
}

/** Deep nesting would fill the parser's stack, which takes it long. */
function isReadable({ text }: Piece): boolean {
  return text.length <= ITEM_CHARACTERS_MAX && (text.match(/[[{]/g)?.length ?? 0) <= ITEM_BRACKETS_MAX;
}

function parseItems(pieces: Piece[]): YamlItem[] {
  const flat = pieces.map((piece) => (isReadable(piece) ? parseFlatItem(piece) : null));
  if (flat.every((value) => value !== null)) {
    return flat.map((value, i) => ({ line: pieces[i]!.line, value, problem: null }));
  }
  if (pieces.every(isReadable)) {
    const values = tryParse(pieces.map((piece) => piece.text).join('\n'));
    if (Array.isArray(values) && values.length === pieces.length) {
      return pieces.map(({ line }, i) => ({ line, value: values[i], problem: null }));
    }
  }
  // Something in the piece is wrong: each item is read by itself, so that one costs no other.
  return pieces.map((piece) => {
    const { line, text } = piece;
    const value = isReadable(piece) ? tryParse(text) : undefined;
    return Array.isArray(value) && value.length === 1
      ? { line, value: value[0], problem: null }
      : { line, value: null, problem: value === undefined ? 'too long, too deep or not YAML' : 'not one YAML item' };
  });
}

/** One field of a flat item; its value is the rest of the line. */
const FIELD = /^\s*(?:- +)?(\w+): +(\S.*)$/;
const SINGLE_QUOTED = /^'([^'\\]*)'$/;
const DOUBLE_QUOTED = /^"([^"\\]*)"$/;
/** Plain text that YAML reads as it is written. */
const PLAIN = /^[A-Za-z0-9_/.(][^#:'"{}[\],&*!|>%@`]*(?::[^\s#:'"{}[\],&*!|>%@`]+)*$/;

/**
 * The fields of an item whose every line is a flat field, plain or in quotes without an escape, as nearly every tag of
 * every pack is; what the YAML parser would read. Null for any other item.
 */
function parseFlatItem({ text }: { text: string }): Record<string, string> | null {
  const item: Record<string, string> = {};
  const indents = new Set<number>();
  for (const [at, line] of text.split('\n').entries()) {
    const [, name, rest] = FIELD.exec(line) ?? [];
    if (name === undefined || at > 0 === /^\s*- /.test(line)) return null;
    const value = flatValue(rest!.trimEnd());
    if (value === null || name in item || name === '__proto__') return null;
    indents.add(line.search(/[^\s-]/));
    item[name] = value;
  }
  return indents.size === 1 ? item : null;
}

function flatValue(text: string): string | null {
  return SINGLE_QUOTED.exec(text)?.[1] ?? DOUBLE_QUOTED.exec(text)?.[1] ?? (PLAIN.test(text) ? text : null);
}

function tryParse(text: string): unknown {
  try {
    return parse(text, OPTIONS);
  } catch {
    return undefined;
  }
}

/** The fields of a short document. Throws WrongFormatError for what is longer or not YAML. */
export function parseHeader(text: string, fileName: string): Record<string, unknown> {
  if (text.length > HEADER_CHARACTERS_MAX) {
    throw new WrongFormatError(`${fileName}: more than ${HEADER_CHARACTERS_MAX} characters beside the list`);
  }
  const header = text.trim() === '' ? {} : parseRefusing(() => parse(text, LONG_OPTIONS), fileName);
  return isRecord(header) ? header : {};
}

function readWhole(text: string, key: string, fileName: string): YamlList {
  if (text.length > WHOLE_CHARACTERS_MAX) {
    throw new WrongFormatError(
      `${fileName}: a list in flow style in a file above ${WHOLE_CHARACTERS_MAX} characters; write one item a line`,
    );
  }
  const lineCounter = new LineCounter();
  return parseRefusing(() => {
    const document = parseDocument(text, { ...LONG_OPTIONS, lineCounter });
    if (document.errors[0]) throw document.errors[0];
    const { [key]: values, ...header } = document.toJS({ maxAliasCount: OPTIONS.maxAliasCount }) as Record<
      string,
      unknown
    >;
    if (values instanceof YamlInclude)
      throw new Error(`${key} are in ${values.path}: !include is followed in the header`);
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
    throw new WrongFormatError(`${fileName}: not readable YAML (${(cause as Error).message.split('\n')[0]})`, {
      cause,
    });
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !(value instanceof YamlInclude);
}

function isBlank(line: string): boolean {
  return /^\s*(#.*)?$/.test(line);
}
