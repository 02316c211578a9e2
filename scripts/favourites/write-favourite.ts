import { STOP_CATEGORIES } from '../../src/domain/label.ts';
import { NULL_ADDRESSES } from '../../src/domain/null-addresses.ts';
import { ANY_TIME } from '../../src/domain/time.ts';
import { statementText } from '../../src/graph/statements.ts';

/** Pairs of each address that are followed, and addresses that are opened at each hop: the widest. */
const WIDEST = 200;

const WALK =
  /^(\/\/ Walk: (sent|received) from \$(\w+), (\d+) hops\n)(?:[\s\S]*?\n)??(\/\/ End of the walk, which `npm run favourites` writes\n)/gm;

/** The lists of the code that favourites repeat; each is known by its first two names. */
const LISTS: readonly (readonly string[])[] = [STOP_CATEGORIES, [...NULL_ADDRESSES]];

/**
 * Returns the text of a favourite with the lists of the code, and the service's own walk between each pair of its lines
 * `// Walk: sent from $address, 10 hops` and `// End of the walk`. The walk gives `opened`, `found` and `known`, as `walk/start` says.
 */
export function writtenFavourite(text: string): string {
  const listed = LISTS.reduce((whole, list) => {
    const [first, second] = list;
    return whole.replaceAll(new RegExp(`\\['${first}', '${second}'[^\\]]*\\]`, 'g'), listText(list));
  }, text);
  return listed.replaceAll(WALK, (_, begin: string, direction: string, start: string, hops: string, end: string) => {
    return `${begin}${walkFrom(direction as 'sent' | 'received', start, Number(hops))}${end}`;
  });
}

function listText(list: readonly string[]): string {
  return `[${list.map((one) => `'${one}'`).join(', ')}]`;
}

function walkFrom(direction: 'sent' | 'received', start: string, hops: number): string {
  const values: Record<string, string> = {
    keys: `[$${start}]`,
    ats: `[${direction === 'sent' ? ANY_TIME.from : ANY_TIME.until}]`,
    timed: 'true',
    breadth: String(WIDEST),
    wide: `[${Array(hops).fill(WIDEST).join(', ')}]`,
    closed: `[$${start}]`,
  };
  const lines = statementText(`walk/${direction}-across-${hops}`, 'neo4j')
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('//'))
    .map((line) => `  ${line.replaceAll(/\$(\w+)/g, (param, name: string) => values[name] ?? param)}\n`);
  return `CALL () {\n${lines.join('')}}\n`;
}
