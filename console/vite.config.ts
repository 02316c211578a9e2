import { join } from 'node:path';
import { defineConfig } from 'vite';
import { compressed } from './compressed.ts';
import { japaneseFont } from './japanese-font.ts';
import { singlePage } from './verify/single-page.ts';

const OUT = join(import.meta.dirname, '../dist/console');

export default defineConfig({
  root: import.meta.dirname,
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  // The policy of the page forbids what is not a file of its own, so nothing becomes a data URL.
  build: {
    outDir: OUT,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    // The canvas: its library alone is more than half of it.
    chunkSizeWarningLimit: 600,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  plugins: [japaneseFont('noto-sans-jp.woff2'), singlePage(OUT), compressed(OUT)],
  logLevel: 'warn',
});
