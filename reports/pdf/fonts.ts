import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import * as fontkit from 'fontkit';

/** Fonts of every report: embedded ones for text in Latin script and Japanese, a built-in one for addresses and hashes. */
export type FontName = 'regular' | 'bold' | 'mono';

interface Fonts {
  regular: Buffer;
  bold: Buffer;
  hasGlyph: (codePoint: number) => boolean;
}

const FAMILY = '@expo-google-fonts/noto-sans-jp';
const FILES = { regular: '400Regular/NotoSansJP_400Regular.ttf', bold: '700Bold/NotoSansJP_700Bold.ttf' };

let loaded: Fonts | undefined;

/** The font files, read once: 11 MB stay in memory from the first report on. */
export function loadFonts(): Fonts {
  loaded ??= readFonts();
  return loaded;
}

function readFonts(): Fonts {
  const require = createRequire(import.meta.url);
  const read = (file: string) => readFileSync(require.resolve(`${FAMILY}/${file}`));
  const regular = read(FILES.regular);
  const font = fontkit.create(regular);
  if (!('hasGlyphForCodePoint' in font)) throw new Error('The font of the reports is a collection');
  return { regular, bold: read(FILES.bold), hasGlyph: (codePoint) => font.hasGlyphForCodePoint(codePoint) };
}

/**
 * Runs of more characters than any address or hash has: pdfkit wraps unbroken text in quadratic time. Lines break before
 * an ideograph, so Japanese sentences are not runs.
 */
const LONG_RUN = /[^\s\u4e00-\u9fff]{120}(?=[^\s\u4e00-\u9fff])/gu;

/** Blanks within a figure: a line never breaks between it and its unit, nor between a time and its zone. */
export const IN_FIGURE = /(?<=[<>]) (?=\d)|(?<=\d) (?=%|[A-Z]{3,8}\b)/g;

/**
 * Text that the report's font can show. Line breaks stay, other invisible and control characters become blanks, and runs
 * longer than any address are broken. What has no glyph is named by its code point, `[U+D55C]`: a reader must see that
 * something stood there.
 */
export function printable(text: string): string {
  const { hasGlyph } = loadFonts();
  const visible = text
    .normalize('NFC')
    .replace(/[^\P{C}\n]/gu, ' ')
    .replace(LONG_RUN, '$& ')
    .replace(IN_FIGURE, '\u00a0');
  return visible.replace(/[^\n\x20-\x7e]/gu, (character) => {
    const codePoint = character.codePointAt(0)!;
    return hasGlyph(codePoint) ? character : `[U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}]`;
  });
}
