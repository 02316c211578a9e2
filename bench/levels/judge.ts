import { AS_OF, type Planted } from '../../fixtures/levels/planted.ts';
import { readConfig } from '../../src/config.ts';
import { addToGroup, groupBy } from '../../src/domain/group-by.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { ingestTransfers } from '../../src/graph/ingest/ingest.ts';
import { nodeLabelOf } from '../../src/labels/node-labels.ts';
import type { AssessInput } from '../../src/risk/assessment.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { findIndirectExposure } from '../../src/tracing/answers/indirect/indirect-exposure.ts';
import { asOperator } from '../../src/tracing/read/inquiry.ts';

/** One address of a row of the table. */
export interface Judged {
  kind: string;
  level: string;
}

const config = readConfig({ SCAN_TRACE_MS: '60000' });
const partiesOf = new WeakMap<Planted, Map<string, Transfer[]>>();

/** The level of one party of a world, from its own transfers and the labels of the world. */
export function levelOfParty(planted: Planted, address: string, more: Partial<AssessInput> = {}): string {
  const input = planted.input();
  const labels = input.labelsOf(address);
  const transfers = transfersByParty(planted).get(address) ?? [];
  return assess({ ...input, ...more, transfers, subject: { ...input.subject, address, labels } }).risk_level;
}

/** Levels with what a trace over a graph of the whole world finds behind unlabelled addresses. */
export async function levelsOfTraced(planted: Planted, addresses: readonly string[]): Promise<Map<string, string>> {
  const graph = await openGrafeo({ path: null });
  const labels = [...groupBy(planted.labels, ({ address }) => address)].map(([address, known]) => {
    return [`ethereum:${address}`, nodeLabelOf(known, AS_OF)] as const;
  });
  await ingestTransfers(graph, planted.transfers, new Map(labels));
  const bridges = { protocols: async () => new Map() };
  const found = planted.input().labelsOf;
  const find = async (_: string, asked: string[]) => new Map(asked.map((address) => [address, found(address)]));
  const ctx = { graph, bridges, labels: { find }, now: () => AS_OF, config };
  const levels = new Map<string, string>();
  for (const address of addresses) {
    const { indirect, circled, rounds } = await findIndirectExposure(asOperator(ctx) as never, 'ethereum', address);
    levels.set(address, levelOfParty(planted, address, { indirect, circled, rounds }));
  }
  await graph.close();
  return levels;
}

function transfersByParty(planted: Planted): Map<string, Transfer[]> {
  const known = partiesOf.get(planted);
  if (known) return known;
  const grouped = new Map<string, Transfer[]>();
  for (const transfer of planted.transfers) {
    for (const party of new Set([transfer.from, transfer.to])) addToGroup(grouped, party, transfer);
  }
  partiesOf.set(planted, grouped);
  return grouped;
}
