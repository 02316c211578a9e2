import { onTestFinished } from 'vitest';
import { tronHex } from '../../../src/chains/tron/address.ts';
import { openTron } from '../../../src/chains/tron/tron.ts';
import type { Transfer } from '../../../src/domain/transfers/transfer.ts';
import { serveUpstream, type Upstream } from '../../contract/upstream.ts';
import { type Grid, tronAccount, tronGrid } from './grid.ts';

/** Who plays in the tests of TRON, and the block they begin with. */
export const [alice, bob, carol, token] = ['alice', 'bob', 'carol', 'token'].map(tronAccount) as [
  string,
  string,
  string,
  string,
];
export const USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
export const B = 60_000_000;

export const shown = ({ from, to, asset, amount }: Transfer) => ({ from, to, asset, amount });

/** The adapter before a server that is there as long as the test. */
export async function open(upstream: Upstream | Grid, apiKey?: string) {
  const server = await serveUpstream(typeof upstream === 'function' ? upstream : tronGrid(upstream));
  onTestFinished(server.close);
  return { source: openTron({ apiUrl: server.url, apiKey }, { pageLimit: 50 }), server };
}

/** What alice asks of a contract. */
export const call = (contract: string, more: Record<string, unknown> = {}) => ({
  owner_address: tronHex(alice),
  contract_address: tronHex(contract),
  data: 'a9059cbb00',
  ...more,
});
