import type { Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfer.ts';
import { openGrafeo } from '../../src/graph/grafeo.ts';
import { getExposure } from '../../src/questions/get-exposure.ts';
import { build } from '../graph/world.ts';

type Patterns = Awaited<ReturnType<typeof getExposure>>['patterns'];

/** A graph of these transfers, and what an exposure with all its bounds tells of the patterns around an address. */
export async function surroundings(
  transfers: readonly Transfer[],
  labels: readonly Label[],
): Promise<{ patternsAround: (address: string) => Promise<Patterns>; close: () => Promise<void> }> {
  const graph = await openGrafeo({ path: null });
  await build(graph, {
    transfers: [...transfers],
    labels: Object.fromEntries(labels.map(({ address, category, label }) => [address, { category, label }])),
  });
  const asked = { chain: 'ethereum', maxHops: 3, limit: 200, keyless: false } as const;
  return {
    async patternsAround(address) {
      const { patterns, coverage } = await getExposure({ graph }, { ...asked, address });
      if (coverage.reasons.includes('time_budget'))
        throw new Error(`the time ended before ${address} was looked around`);
      return patterns;
    },
    close: () => graph.close(),
  };
}
