import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cypherFolder } from '../../src/graph/statements.ts';
import { writtenFavourite } from './write-favourite.ts';

const folder = join(cypherFolder(), 'browser');
for (const file of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.cypher')) continue;
  const path = join(folder, file);
  const text = readFileSync(path, 'utf8');
  const written = writtenFavourite(text);
  if (written !== text) console.log(`${file} is written`);
  writeFileSync(path, written);
}
