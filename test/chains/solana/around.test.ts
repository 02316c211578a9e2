import { expect, it } from 'vitest';
import { openSolana } from '../../../src/chains/solana/solana.ts';
import { serveUpstream } from '../../contract/upstream.ts';
import { key, signature, solanaNode, solanaTx, system, timeOf, wallet } from './cluster.ts';

const FIRST = 200_000_000;
const [alice, other] = [key('alice 1'), key('other')];

it('reads forward from a receipt long ago of a busy address from the end of an earlier block', async () => {
  const txs = Array.from({ length: 900 }, (_, n) =>
    solanaTx({
      slot: FIRST + n * 10,
      payer: other,
      lamports: { [other]: [900, 899], [alice]: [5, 6] },
      instructions: [system('transfer', { source: other, destination: alice, lamports: 1 })],
    }),
  );
  const server = await serveUpstream(solanaNode({ txs, accounts: { [alice]: wallet(1) } }));
  const source = await openSolana({ rpcUrl: server.url }, { pageLimit: 50 });
  const slot = FIRST + 100 * 10;
  const receipt = {
    direction: 'forward',
    txHash: signature(`tx ${slot}`),
    block: slot,
    at: timeOf(slot) * 1_000,
  } as const;
  const { transfers, read, coverage } = await source.historyAround(alice, { ...receipt, pages: 1 });
  await server.close();
  const times = transfers.map(({ at }) => at).sort((a, b) => a - b);
  expect(times[0]).toBe(receipt.at);
  expect(read).toHaveLength(2);
  const [{ from, to } = { from: 0, to: 0 }] = read;
  expect(from).toBe(receipt.at);
  expect(to).toBeGreaterThan(receipt.at);
  // Every payment inside the span is there: one each ten seconds.
  expect(times.filter((at) => at <= to!)).toHaveLength(Math.floor((to! - from) / 10_000) + 1);
  expect(coverage.complete).toBe(false);
  expect(server.requests.length).toBeLessThan(130);
});
