import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const ENCODERS: Record<string, (content: Buffer) => Promise<Buffer>> = {
  br: promisify(brotliCompress),
  // Browsers take Brotli over TLS alone.
  gz: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
};

/** Writes each file of the build a second and a third time, compressed: the service sends those to browsers that take them. */
export function compressed(folder: string): Plugin {
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
