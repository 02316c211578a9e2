import { InvalidInputError } from '../../errors.ts';

/** Clauses that an own statement may begin with: what administers the server begins with others. */
const BEGINNINGS = new Set(['MATCH', 'OPTIONAL', 'WITH', 'UNWIND', 'RETURN', 'CALL']);
/** Words of clauses that write, leave the database or read files. */
const REFUSED = new Set([
  'CREATE',
  'MERGE',
  'INSERT',
  'SET',
  'DELETE',
  'DETACH',
  'REMOVE',
  'DROP',
  'FOREACH',
  'LOAD',
  'USE',
  'SHOW',
  'TERMINATE',
  'TRANSACTIONS',
]);
/** Functions of Neo4j with a dot in their name; others come from plug-ins, which may do anything. */
const NAMESPACES = new Set(['date', 'datetime', 'localdatetime', 'time', 'localtime', 'duration', 'point']);

/** The server rewrites each of these into two copies of what it joins, and cannot be stopped meanwhile. */
const XOR_MAX = 8;
const BRACES_DEPTH_MAX = 5;

const SKIPPED = /\/\*[\s\S]*?\*\/|\/\/[^\n\r]*|'(?:[^'\\]|\\[\s\S])*'|"(?:[^"\\]|\\[\s\S])*"/y;
const NAME = /`(?:[^`]|``)*`|[\p{L}_$][\p{L}\p{N}_]*/uy;

/** Checks that a caller's statement is one that reads, without procedures, functions of plug-ins and files. Throws InvalidInputError. */
export function refuseUnsafe(statement: string): void {
  // Some versions of the server replace these before they look for the ends of texts.
  if (/\\u/i.test(statement)) refuse('write the character itself instead of \\u');
  const tokens = tokensOf(statement);
  if (tokens.at(-1) === ';') tokens.pop();
  if (tokens.includes(';')) refuse('it may be one statement only');
  if (!BEGINNINGS.has(tokens[0]?.toUpperCase() ?? '')) refuse(`it begins with ${[...BEGINNINGS].join(', ')}`);
  if (tokens.filter((token) => token.toUpperCase() === 'XOR').length > XOR_MAX)
    refuse(`XOR may stand ${XOR_MAX} times`);
  if (depthOf(tokens) > BRACES_DEPTH_MAX) refuse(`braces may be nested ${BRACES_DEPTH_MAX} deep`);
  for (const [i, token] of tokens.entries()) {
    const word = token.toUpperCase();
    if (REFUSED.has(word)) refuse(`${word} is not allowed; as a name, write it in backticks`);
    if (token.startsWith('`') && tokens[i + 1] === '(') refuse('names of functions stand without backticks');
    if (word === 'CALL' && !['{', '('].includes(tokens[i + 1] ?? '')) refuse('procedures are not allowed');
    if (token !== '.' || !isName(tokens[i - 1]) || !isName(tokens[i + 1]) || tokens[i + 2] !== '(') continue;
    let first = i - 1;
    while (tokens[first - 1] === '.' && isName(tokens[first - 2])) first -= 2;
    const namespace = tokens[first]!.replaceAll('`', '').toLowerCase();
    if (first !== i - 1 || !NAMESPACES.has(namespace)) refuse(`functions of plug-ins are not allowed: ${namespace}`);
  }
}

function depthOf(tokens: readonly string[]): number {
  let depth = 0;
  let deepest = 0;
  for (const token of tokens) {
    if (token === '{') depth += 1;
    else if (token === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function isName(token: string | undefined): boolean {
  return token !== undefined && /^[`\p{L}_]/u.test(token);
}

/** Names and single characters, without texts, comments and blanks. */
function tokensOf(statement: string): string[] {
  const tokens: string[] = [];
  for (let at = 0; at < statement.length; ) {
    const skipped = matchAt(SKIPPED, statement, at);
    const name = skipped === null ? matchAt(NAME, statement, at) : null;
    const character = String.fromCodePoint(statement.codePointAt(at)!);
    const token = skipped ?? name ?? character;
    if (skipped === null && name === null && /['"`]/.test(character)) refuse('a text does not end');
    if (skipped === null && statement.startsWith('/*', at)) refuse('a comment does not end');
    if (skipped !== null && /^['"]/.test(skipped)) tokens.push("''");
    else if (skipped === null && token.trim() !== '') tokens.push(token);
    at += token.length;
  }
  return tokens;
}

function matchAt(pattern: RegExp, text: string, at: number): string | null {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? null;
}

function refuse(reason: string): never {
  throw new InvalidInputError(`Statement refused: ${reason}`);
}
