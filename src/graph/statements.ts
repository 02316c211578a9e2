import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Graph } from './port.ts';

type Engine = Graph['engine'];

const cached = new Map<string, string>();

/** The text of `cypher/<name>.cypher`, or of its variant for the engine; throws when neither exists. */
export function statementText(name: string, engine: Engine): string {
  const key = `${engine} ${name}`;
  let text = cached.get(key);
  if (text === undefined) {
    const variant = join(cypherFolder(), `${name}.${engine}.cypher`);
    text = readFileSync(existsSync(variant) ? variant : join(cypherFolder(), `${name}.cypher`), 'utf8');
    cached.set(key, text);
  }
  return text;
}

/** Names of the statements in one folder of `cypher/` that are meant for the engine, in order. */
export function statementNames(folder: string, engine: Engine): string[] {
  const names = readdirSync(join(cypherFolder(), folder)).flatMap((file) => {
    const [, name, variant] = /^([^.]+)(?:\.([^.]+))?\.cypher$/.exec(file) ?? [];
    return name && (variant === undefined || variant === engine) ? [`${folder}/${name}`] : [];
  });
  return [...new Set(names)].sort();
}

/** Where the Cypher files lie: beside package.json, found from the source and from the build alike. */
export function cypherFolder(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('package.json of traceflow was not found above its code');
    folder = parent;
  }
  return join(folder, 'cypher');
}
