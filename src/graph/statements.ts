import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageFolder } from '../version.ts';
import type { Graph } from './port.ts';

type Engine = Graph['engine'];

const cached = new Map<string, string>();

/** A line that stands for the text of another file, in the place of which it is read. */
const PART = /^\/\/ Part: (.+)\n/gm;

/**
 * The text of `cypher/<name>.cypher`, or of its variant for the engine, with its parts; of `walk/sent-<n>` and
 * `walk/received-<n>` the parts in `cypher/walk/` with n hops, of `walk/sent-across-<n>` and its mirror with a look over
 * bridges after each. Throws when there is none.
 */
export function statementText(name: string, engine: Engine): string {
  const key = `${engine} ${name}`;
  let text = cached.get(key);
  if (text === undefined) {
    text = partsOf(name)
      .map((part) => fileText(part, engine))
      .join('');
    cached.set(key, text);
  }
  return text;
}

function partsOf(name: string): string[] {
  const [, direction, across, hops] = /^walk\/(sent|received)(-across)?-(\d+)$/.exec(name) ?? [];
  if (!hops) return [name];
  const hop = across ? [`walk/hop-${direction}`, `walk/cross-${direction}`] : [`walk/hop-${direction}`];
  return ['walk/start', ...Array(Number(hops)).fill(hop).flat(), 'walk/end'];
}

function fileText(name: string, engine: Engine): string {
  const variant = join(cypherFolder(), `${name}.${engine}.cypher`);
  const text = readFileSync(existsSync(variant) ? variant : join(cypherFolder(), `${name}.cypher`), 'utf8');
  return text.replaceAll(PART, (_, part: string) => fileText(part, engine));
}

/** Returns the names of the statements of `cypher/schema/` that are meant for the engine, in order. */
export function schemaStatements(engine: Engine): string[] {
  const names = readdirSync(join(cypherFolder(), 'schema')).flatMap((file) => {
    const [, name, variant] = /^([^.]+)(?:\.([^.]+))?\.cypher$/.exec(file) ?? [];
    return name && (variant === undefined || variant === engine) ? [`schema/${name}`] : [];
  });
  return [...new Set(names)].sort();
}

/** Returns the folder of the Cypher files. */
export function cypherFolder(): string {
  return join(packageFolder(), 'cypher');
}
