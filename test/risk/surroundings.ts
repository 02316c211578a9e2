import { distinctTransfers } from '../../src/domain/flow.ts';
import type { Label } from '../../src/domain/label.ts';
import type { Transfer } from '../../src/domain/transfer.ts';
import { groupBy } from '../../src/risk/ledger.ts';
import { handedOnFrom } from '../../src/risk/patterns/handed-on.ts';
import { type Flow, inTimeOrder, type Neighbourhood } from '../../src/risk/patterns/neighbourhood.ts';

const HOPS = 3;
const ONWARD = 10;
const ROUNDS = 8;
const READ = { ADDRESSES: 100, TRANSFERS: 200 };

/** About as much around an address as an exposure of three hops reads, widest first, without a graph. */
export function surroundings(
  transfers: readonly Transfer[],
  labels: readonly Label[],
  { ADDRESSES, TRANSFERS } = READ,
): (subject: string) => Neighbourhood {
  const services = new Map(labels.map(({ address, category }) => [address, category]));
  const priced = distinctTransfers(transfers).flatMap(({ usd, ...transfer }): Flow[] =>
    usd === null || usd <= 0 || transfer.from === transfer.to ? [] : [{ ...transfer, usd }],
  );
  const sent = widestOf(priced, ({ from }) => from, TRANSFERS);
  const received = widestOf(priced, ({ to }) => to, TRANSFERS);
  return (subject) => {
    const opened = new Set([subject]);
    let front = [subject];
    for (let hop = 0; hop < HOPS; hop++) {
      const next = front
        .flatMap((address) => [
          ...(received.get(address) ?? []).map(({ from, usd }) => ({ address: from, usd })),
          ...(sent.get(address) ?? []).map(({ to, usd }) => ({ address: to, usd })),
        ])
        .sort((a, b) => b.usd - a.usd)
        .map(({ address }) => address);
      front = [...new Set(next)].filter((address) => !opened.has(address) && !services.has(address));
      front = front.slice(0, Math.max(0, ADDRESSES - opened.size));
      for (const address of front) opened.add(address);
    }
    const around: Neighbourhood = {
      subject,
      sentBy: (address) => (opened.has(address) && sent.get(address)) || [],
      receivedBy: (address) => (opened.has(address) && received.get(address)) || [],
      isService: (address) => services.has(address),
      isExchange: (address) => services.get(address) === 'exchange',
    };
    for (let round = 0; round < ROUNDS; round++) {
      const onward = handedOnFrom(around).filter((address) => !opened.has(address));
      for (const address of onward.slice(0, ONWARD)) opened.add(address);
    }
    return around;
  };
}

/** By party its most valuable transfers, oldest first. */
function widestOf(flows: readonly Flow[], party: (flow: Flow) => string, TRANSFERS: number): Map<string, Flow[]> {
  const grouped = groupBy(
    flows.toSorted((a, b) => b.usd - a.usd),
    party,
  );
  return new Map([...grouped].map(([address, own]) => [address, inTimeOrder(own.slice(0, TRANSFERS))]));
}
