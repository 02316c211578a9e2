import { addToGroup } from '../../src/domain/group-by.ts';
import type { Label } from '../../src/domain/label.ts';
import { type Transfer, transferName } from '../../src/domain/transfers/transfer.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { findPatterns } from '../../src/risk/scoring/patterns.ts';
import { neighbourhoodOf, type Pattern, type PatternTransfer } from '../../src/risk/views/neighbourhood.ts';
import { exposurePatterns } from '../../src/tracing/answers/exposure-patterns.ts';
import { traceMoney } from '../../src/tracing/read/trace-money.ts';
import { build } from '../graph/world.ts';
import { tracing } from '../tracing/money.ts';

type ExposurePattern = Awaited<ReturnType<typeof exposurePatterns>>['patterns'][number];

/** What an exposure reads when its caller does not say, with more time: a slow machine must not hide a pattern. */
const ASKED = { maxHops: 3, limit: 200 };
const MINUTES_10 = 600_000;

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
      const ctx = tracing(graph, { remainingMs: () => MINUTES_10 });
      const traces = await traceMoney(ctx, [key], { ...ASKED, directions: ['received', 'sent'] });
      return (await exposurePatterns(ctx, key, { traces, lang: 'en' })).patterns;
    },
    close: () => graph.close(),
  };
}

/** The patterns around an address where every address is opened: an exposure, with its bounds, sees no more. */
export function allPatterns(
  transfers: readonly Transfer[],
  labels: readonly Label[],
): (address: string) => Promise<Pattern[]> {
  const [sentBy, receivedBy] = [new Map<string, PatternTransfer[]>(), new Map<string, PatternTransfer[]>()];
  for (const transfer of transfers) {
    if (transfer.from === transfer.to) continue;
    const listed = { ...transfer, id: transferName(transfer), seq: transfer.seq ?? 0, usd: transfer.usd ?? 0 };
    addToGroup(sentBy, transfer.from, listed);
    addToGroup(receivedBy, transfer.to, listed);
  }
  const opened = new Map(
    [...sentBy.keys(), ...receivedBy.keys()].map((address) => [
      address,
      { received: receivedBy.get(address) ?? [], sent: sentBy.get(address) ?? [] },
    ]),
  );
  const labelOf = new Map(labels.map(({ address, category, label }) => [address, { category, label }]));
  return async (address) => (await findPatterns(neighbourhoodOf(address, opened, labelOf), () => undefined)).patterns;
}
