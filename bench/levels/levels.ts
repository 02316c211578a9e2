import { wilson } from '../../reports/sections/accuracy.ts';
import { table } from '../table.ts';
import { ACTIVE, judgeArchetypes, judgeFarWallets, judgeLawful } from './invented.ts';
import type { Judged } from './judge.ts';
import { judgeGraphSense, judgeLists, judgeRonin } from './real-data.ts';

const LEVELS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN'];

/** Kind of address against level: real lists, the Ronin theft, a real extract, invented thefts, a lawful economy, archetypes. */
export async function benchLevels(): Promise<void> {
  const lawful = judgeLawful();
  const judged = [
    ...judgeLists(),
    ...(await judgeRonin()),
    ...judgeGraphSense(),
    ...(await judgeFarWallets()),
    ...lawful,
    ...judgeArchetypes(),
  ];
  const kinds = [...new Set(judged.map(({ kind }) => kind))];
  table(
    ['kind of address', 'n', ...LEVELS, 'HIGH or above, 95 % interval'],
    kinds.map((kind) =>
      rowOf(
        kind,
        judged.filter((one) => one.kind === kind),
      ),
    ),
  );
  for (const level of ['HIGH', 'MEDIUM']) {
    const alarms = lawful.filter((one) => one.level === level || (level === 'HIGH' && one.level === 'CRITICAL')).length;
    console.log(`${ACTIVE} active addresses without a label, ${level}: ${alarms}, ${interval(alarms, lawful.length)}`);
  }
}

function rowOf(kind: string, members: readonly Judged[]): string[] {
  const counts = LEVELS.map((level) => members.filter((one) => one.level === level).length);
  const [critical = 0, high = 0] = counts;
  return [kind, String(members.length), ...counts.map(String), interval(critical + high, members.length)];
}

/** Wilson's interval of a share, in percent. */
function interval(hits: number, n: number): string {
  const percent = (share: number) => (100 * share).toFixed(1);
  const [low, high] = wilson({ count: hits, of: n });
  return `${percent(hits / n)} % (${percent(low)}-${percent(high)})`;
}
