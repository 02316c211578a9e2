import { ANY_TIME } from '../../src/domain/time.ts';
import { statementText } from '../../src/graph/statements.ts';

/** Pairs of each address that are followed, and addresses that are opened at each hop: the widest. */
const WIDEST = 200;

const WALK =
  /^(\/\/ Walk: (sent|received) from \$(\w+), (\d+) hops\n)(?:[\s\S]*?\n)??(\/\/ End of the walk, which `npm run favourites` writes\n)/gm;

/**
 * The text of a favourite with the service's own walk between each pair of its lines `// Walk: sent from $address, 10 hops`
 * and `// End of the walk`. The walk gives `opened`, `found` and `known`, as `walk/start` says.
 */
export function withWalks(text: string): string {
  return text.replaceAll(WALK, (_, begin: string, direction: string, start: string, hops: string, end: string) => {
    return `${begin}${walkFrom(direction as 'sent' | 'received', start, Number(hops))}${end}`;
  });
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
