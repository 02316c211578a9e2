import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { build, defineConfig, type Plugin } from 'vite';
import { japaneseFont } from './japanese-font.ts';

const ENCODERS: Record<string, (content: Buffer) => Promise<Buffer>> = {
  br: promisify(brotliCompress),
  // Browsers take Brotli over TLS alone.
  gz: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/** Writes each file of the build a second and a third time, compressed: the service sends those to browsers that take them. */
function compressed(folder: string): Plugin {
  return {
    name: 'compressed',
    closeBundle: {
      sequential: true,
      order: 'post',
      handler: async () => {
        const files = await readdir(folder, { recursive: true, withFileTypes: true });
        // A font is compressed already.
        const paths = files
          .filter((file) => file.isFile() && !file.name.endsWith('.woff2'))
          .map((file) => join(file.parentPath, file.name));
        await Promise.all(
          paths.flatMap((path) =>
            Object.entries(ENCODERS).map(async ([end, encode]) =>
              writeFile(`${path}.${end}`, await encode(await readFile(path))),
            ),
          ),
        );
      },
    },
  };
}

const HERE = join(import.meta.dirname, 'verify');

/** Writes the page that checks proofs as one file that asks nothing of anyone: its policy names its own script and style alone. */
function singlePage(folder: string): Plugin {
  return {
    name: 'single-page',
    closeBundle: {
      order: 'pre',
      sequential: true,
      handler: async () => writeFile(join(folder, 'verify.html'), pageOf(await program(), await style())),
    },
  };
}

async function program(): Promise<{ code: string; notices: string }> {
  const built = await build({
    configFile: false,
    root: HERE,
    logLevel: 'warn',
    build: { write: false, lib: { entry: join(HERE, 'main.ts'), formats: ['iife'], name: 'verify' } },
  });
  const [one] = Array.isArray(built) ? built : [built];
  const chunk = one && 'output' in one ? one.output[0] : null;
  if (!chunk) throw new Error('the page that checks proofs was not built');
  return { code: chunk.code.replaceAll('</script', '<\\/script').trim(), notices: await noticesOf(chunk.moduleIds) };
}

/** The licences of the packages that a program holds. */
async function noticesOf(modules: readonly string[]): Promise<string> {
  const folders = new Set(modules.flatMap((id) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []));
  const notices = [...folders].sort().map(async (folder) => {
    const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    const [file] = (await readdir(folder)).filter((one) => /^licen[cs]e/i.test(one));
    return `${name} ${version} (${license})\n\n${file ? (await readFile(join(folder, file), 'utf8')).trim() : ''}`;
  });
  return (await Promise.all(notices)).join('\n\n').replaceAll('--', '-');
}

async function style(): Promise<string> {
  return (await readFile(join(HERE, 'verify.css'), 'utf8')).trim();
}

function pageOf({ code: script, notices }: { code: string; notices: string }, style: string): string {
  const digest = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
  const policy =
    `default-src 'none'; script-src ${digest(script)}; style-src ${digest(style)}; worker-src blob:; ` +
    "base-uri 'none'; form-action 'none'";
  return `<!doctype html>
<!-- traceflow (MIT) with parts of:

${notices}
-->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Check of proofs</title>
<style>${style}</style>
</head>
<body>
<script>${script}</script>
</body>
</html>
`;
}

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
