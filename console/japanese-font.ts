import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import * as fontkit from 'fontkit';
import type { Plugin } from 'vite';

const FONT = '@expo-google-fonts/noto-sans-jp/400Regular/NotoSansJP_400Regular.ttf';
/** Words of pages and answers; documents bring a font of their own. */
const WORDS = ['console.ts', 'codes.ts', 'answers.ts', 'forms.ts'];
const FOLDER = join(import.meta.dirname, '../words/ja');
/** Marks, hiragana and katakana: names that users type have them too. */
const KANA = [0x3000, 0x30ff] as const;
/** Characters before are in every system's fonts. */
const FIRST_JAPANESE = 0x2e80;

/** Emits the Japanese font of the console as WOFF2: the characters of its words alone, a fiftieth of the whole font. */
export function japaneseFont(fileName: string): Plugin {
  return {
    name: 'japanese-font',
    apply: 'build',
    async generateBundle() {
      const font = await readFile(createRequire(import.meta.url).resolve(FONT));
      this.emitFile({ type: 'asset', fileName, source: subsetOf(font, await wantedCharacters()) });
    },
  };
}

async function wantedCharacters(): Promise<number[]> {
  const texts = await Promise.all(WORDS.map((file) => readFile(join(FOLDER, file), 'utf8')));
  const wanted = new Set(Array.from(texts.join(''), (character) => character.codePointAt(0)!));
  for (let code = KANA[0]; code <= KANA[1]; code++) wanted.add(code);
  return [...wanted].filter((code) => code >= FIRST_JAPANESE).toSorted((a, b) => a - b);
}

type Table = [tag: string, content: Buffer];

/** The glyphs of these characters as a font of its own. */
function subsetOf(source: Buffer, characters: readonly number[]): Buffer {
  const font = fontkit.create(source) as fontkit.Font;
  const subset = font.createSubset();
  const glyphs = new Map<number, number>();
  for (const code of characters) {
    if (!font.hasGlyphForCodePoint(code)) continue;
    // Its place in the subset, which the types call a boolean.
    glyphs.set(code, Number(subset.includeGlyph(font.glyphForCodePoint(code))));
  }
  const kept = tablesOf(Buffer.from(subset.encode())).filter(([, content]) => content.length > 0);
  const named = tablesOf(source).filter(([tag]) => tag === 'OS/2' || tag === 'name');
  const tables: Table[] = [...kept, ...named, ['cmap', characterMap(glyphs)], ['post', postTable()]];
  // `loca` comes right behind `glyf`.
  return woff2(tables.toSorted(([a], [b]) => KNOWN_TAGS.indexOf(a) - KNOWN_TAGS.indexOf(b)));
}

/** The tables of a font file, by its directory. */
function tablesOf(file: Buffer): Table[] {
  return Array.from({ length: file.readUInt16BE(4) }, (_, i) => {
    const entry = file.subarray(12 + 16 * i, 28 + 16 * i);
    const offset = entry.readUInt32BE(8);
    return [entry.toString('latin1', 0, 4), file.subarray(offset, offset + entry.readUInt32BE(12))];
  });
}

/** A `cmap` of format 12: one group for each run of characters whose glyphs follow each other. */
function characterMap(glyphs: ReadonlyMap<number, number>): Buffer {
  const groups: [first: number, last: number, glyph: number][] = [];
  for (const [code, glyph] of glyphs) {
    const run = groups.at(-1);
    if (run && code === run[1] + 1 && glyph === run[2] + code - run[0]) run[1] = code;
    else groups.push([code, code, glyph]);
  }
  const numbers = [12 << 16, 16 + 12 * groups.length, 0, groups.length, ...groups.flat()];
  return Buffer.concat([shorts(0, 1, 3, 10), longs(12), longs(...numbers)]);
}

/** A `post` of version 3: no names of glyphs. */
function postTable(): Buffer {
  return longs(0x0003_0000, 0, 0, 0, 0, 0, 0, 0);
}

/** Tags that WOFF2 writes as a number; those that a subset can have. */
const KNOWN_TAGS = [
  'cmap',
  'head',
  'hhea',
  'hmtx',
  'maxp',
  'name',
  'OS/2',
  'post',
  'cvt ',
  'fpgm',
  'glyf',
  'loca',
  'prep',
];
/** `glyf` and `loca` as they are, without the transformation of WOFF2. */
const AS_THEY_ARE = 0b1100_0000;

/** A font file of version 2.0 of the Web Open Font Format. */
function woff2(tables: readonly Table[]): Buffer {
  const directory = tables.map(([tag, { length }]) => {
    const asIs = tag === 'glyf' || tag === 'loca' ? AS_THEY_ARE : 0;
    return Buffer.from([KNOWN_TAGS.indexOf(tag) | asIs, ...base128(length)]);
  });
  const content = Buffer.concat(tables.map(([, table]) => table));
  const data = brotliCompressSync(content, {
    params: { [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_FONT, [constants.BROTLI_PARAM_LGWIN]: 22 },
  });
  const padded = (length: number) => (length + 3) & ~3;
  const sfnt = 12 + 16 * tables.length + tables.reduce((sum, [, { length }]) => sum + padded(length), 0);
  const head = 48 + directory.reduce((sum, { length }) => sum + length, 0);
  const whole = padded(head + data.length);
  return Buffer.concat([
    longs(0x774f4632, 0x0001_0000, whole),
    shorts(tables.length, 0),
    longs(sfnt, data.length),
    shorts(1, 0),
    longs(0, 0, 0, 0, 0),
    ...directory,
    data,
    Buffer.alloc(whole - head - data.length),
  ]);
}

/** A number in groups of seven bits, the highest first; all but the last say that another follows. */
function base128(value: number): number[] {
  const groups = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) groups.unshift((rest & 0x7f) | 0x80);
  return groups;
}

function longs(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * i);
  return bytes;
}

function shorts(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, 2 * i);
  return bytes;
}
