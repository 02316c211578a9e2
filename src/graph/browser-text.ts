import type { GraphValue } from './port.ts';
import type { AskedStatement } from './recorded.ts';
import { statementText } from './statements.ts';

/** Characters of one text: the answer that carries it stays below 8 MiB. */
const CHARACTERS_MAX = 2 ** 20;

/**
 * The statements as Neo4j Browser runs them: each with a `:param` line for each of its parameters before it. Those that
 * would make the text longer than a mebibyte are left out, and a last line says how many.
 */
export function browserText(asked: readonly AskedStatement[]): string {
  const parts: string[] = [];
  let length = 0;
  for (const [i, one] of asked.entries()) {
    const part = oneText(one);
    length += part.length;
    if (length > CHARACTERS_MAX) {
      parts.push(`// ${asked.length - i} more statements are left out: this text would be too long.\n`);
      break;
    }
    parts.push(part);
  }
  return parts.join('\n');
}

function oneText({ name, params }: AskedStatement): string {
  const lines = Object.entries(params).map(([param, value]) => `:param ${param} => ${literal(value)};\n`);
  return `${lines.join('')}${statementText(name, 'neo4j').trimEnd()};\n`;
}

/** The value as an expression of Cypher. */
function literal(value: GraphValue): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  const entries = Object.entries(value).map(([key, one]) => `\`${key.replaceAll('`', '``')}\`: ${literal(one)}`);
  return `{${entries.join(', ')}}`;
}
