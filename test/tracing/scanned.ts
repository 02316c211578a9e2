import { onTestFinished } from 'vitest';
import { addressKey } from '../../src/domain/address/address-key.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { addToGroup } from '../../src/domain/group-by.ts';
import type { Category, Label } from '../../src/domain/label.ts';
import { openGrafeo } from '../../src/graph/grafeo/grafeo.ts';
import { assess } from '../../src/risk/scoring/assess.ts';
import { findIndirectExposure } from '../../src/tracing/answers/indirect/indirect-exposure.ts';
import { SCAN_MAX_HOPS, SCAN_TRACE } from '../../src/tracing/read/expansion/expand-scan.ts';
import { traceMoney } from '../../src/tracing/read/trace-money.ts';
import { labelsOf, type Payment, pay, tracing, transfersOf } from './money.ts';

const ASKED = {
  ...SCAN_TRACE,
  directions: ['received', 'sent'] as const,
  maxHops: SCAN_MAX_HOPS,
};

/** The scan of an address in a graph of these payments, and what its trace says of the money behind it. */
export async function scanWithTrace(
  payments: Payment[],
  address: string,
  { chain = 'ethereum', rowBudget = ASKED.rowBudget }: { chain?: Chain; rowBudget?: number } = {},
) {
  const graph = await openGrafeo({ path: null, shuffleUnordered: true });
  onTestFinished(() => graph.close());
  const placed = payments.map(([at, from, to, usd, more]): Payment => [at, from, to, usd, { chain, ...more }]);
  await pay(graph, placed);
  const { accomplices, trace, ...money } = await findIndirectExposure(tracing(graph), chain, address, {
    traces: await traceMoney(tracing(graph), [addressKey(chain, address)], { ...ASKED, rowBudget }),
  });
  const transfers = transfersOf(placed);
  const known = new Map<string, Label[]>([...accomplices].map(([key, label]) => [key, [label]]));
  for (const [key, said] of Object.entries(labelsOf(transfers) ?? {})) {
    const more = { source: 'list', confidence: 90, entity: null, validFrom: null, validTo: null };
    addToGroup(known, key, {
      ...{ chain, address: key, maliciousContract: false, ...more },
      ...(said as { category: Category; label: string }),
    });
  }
  const assessment = assess({
    ...money,
    subject: { chain, address, labels: [], addressType: address.startsWith('vault') ? 'contract' : 'wallet' },
    transfers: transfers.filter(({ from, to }) => from === address || to === address),
    labelsOf: (party) => known.get(party) ?? [],
    coverage: { complete: true, sources: ['test'], reasons: [], historyRead: true },
    asOf: 1e12,
    lang: 'en',
  });
  return { assessment, trace };
}

export async function scan(payments: Payment[], address: string) {
  return (await scanWithTrace(payments, address)).assessment;
}
