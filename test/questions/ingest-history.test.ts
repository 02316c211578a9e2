import { expect, it, onTestFinished } from 'vitest';
import type { AddressHistory } from '../../src/chains/port.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { ingestHistory } from '../../src/questions/ingest-history.ts';
import { expectedContents } from '../graph/expected-contents.ts';
import { contents, transfer } from '../graph/world.ts';

const DAY_MS = 86_400_000;
const FIRST = 100 * DAY_MS;
const SECOND = FIRST + DAY_MS;
const NO_LABELS = { parties: new Set<string>(), labelsOf: () => [], onNodes: new Map() };

/** A reading of the whole history of `a` by an explorer and a node together. */
function historyOf(transfers: Transfer[]): AddressHistory {
  return {
    found: true,
    addressType: 'wallet',
    balance: null,
    transactionCount: transfers.length,
    transfers,
    tags: [],
    coverage: { complete: true, sources: ['explorer', 'rpc'], reasons: [] },
    read: (['coin', 'internal', 'tokens'] as const).map((list) => ({ list, from: 0, to: null })),
  };
}

const given = (nth: number, readAt: number) =>
  transfer({ from: 'a', to: `p${nth}`, source: 'explorer+rpc', readAt }, nth);

async function openEmpty() {
  const graph = await openGrafeo({ path: null });
  onTestFinished(() => graph.close());
  const read = (history: AddressHistory, readAt: number) =>
    ingestHistory({ graph }, 'ethereum', 'a', { history, readAt, whole: true }, NO_LABELS);
  const facts = async () => (await contents(graph)).transfers;
  return { read, facts };
}

it('a second reading of an address deletes what its source invented in the first', async () => {
  const { read, facts } = await openEmpty();
  const honest = [given(0, FIRST), given(1, FIRST)];
  await read(historyOf([...honest, given(2, FIRST)]), FIRST);
  const second = historyOf([given(0, SECOND), given(1, SECOND)]);
  await read(second, SECOND);
  expect(await facts()).toEqual(expectedContents(honest).transfers);
  expect(second.coverage.reasons).toEqual([]);
});

it('a second reading that lacks most of a history leaves it, and says conflict', async () => {
  const { read, facts } = await openEmpty();
  const all = Array.from({ length: 40 }, (_, nth) => given(nth, FIRST));
  await read(historyOf(all), FIRST);
  const second = historyOf([given(0, SECOND)]);
  await read(second, SECOND);
  expect(await facts()).toEqual(expectedContents(all).transfers);
  expect(second.coverage.reasons).toEqual(['conflict']);
});
