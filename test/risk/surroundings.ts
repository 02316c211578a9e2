import { FOLLOW_MATCHED } from '../../src/domain/bridges/crossing.ts';
import type { Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { exposurePatterns } from '../../src/questions/tracing/exposure-patterns.ts';
import { traceMoney } from '../../src/questions/tracing/trace-money.ts';
import { build } from '../graph/world.ts';
import { tracing } from '../questions/tracing/money.ts';

type ExposurePattern = Awaited<ReturnType<typeof exposurePatterns>>['patterns'][number];

/** What an exposure reads when its caller does not say, with more time: a slow machine must not hide a pattern. */
const ASKED = { maxHops: 3, limit: 200, budgetMs: 600_000 };

/** A graph of these transfers, and what an exposure with all its bounds shows of the patterns around an address. */
export async function surroundings(
  transfers: readonly Transfer[],
  labels: readonly Label[],
): Promise<{ patternsAround: (address: string) => Promise<ExposurePattern[]>; close: () => Promise<void> }> {
  const graph = await openGrafeo({ path: null });
  await build(graph, {
    transfers: [...transfers],
    labels: Object.fromEntries(labels.map(({ address, category, label }) => [address, { category, label }])),
  });
  return {
    async patternsAround(address) {
      const key = `ethereum:${address}`;
      const traces = await traceMoney(tracing(graph), [key], { ...ASKED, directions: ['received', 'sent'] });
      const deadline = performance.now() + ASKED.budgetMs;
      return (await exposurePatterns({ graph }, key, { traces, deadline, policy: FOLLOW_MATCHED, lang: 'en' }))
        .patterns;
    },
    close: () => graph.close(),
  };
}
