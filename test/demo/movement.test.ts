import { expect, it, onTestFinished } from 'vitest';
import { startChainServers } from '../../fixtures/chain-servers/start.ts';
import { withHeldPaidOut } from '../../fixtures/demo/movement.ts';
import { demoWorld, roleOf } from '../../fixtures/demo/world.ts';
import { openEvmListener } from '../../src/chains/live/evm-listener.ts';

const AT = Date.UTC(2026, 10, 20, 10);

it('what the theft still held is paid out in a new block, which node, explorer and listener see, and no other demo', async () => {
  const world = demoWorld();
  const { address } = roleOf(world, 'ethereum', 'laundering', 'layer_4');
  const { env, goOn, close } = await startChainServers(world);
  onTestFinished(close);
  const before = JSON.stringify([world.evm.ethereum.txs.length, String(world.evm.ethereum.balances.get(address))]);
  const node = env.ETHEREUM_RPC_URL!;
  const listener = openEvmListener({ endpoint: { chain: 'ethereum', name: 'node', baseUrl: node }, chain: 'ethereum' });
  onTestFinished(() => listener.close());
  const step = { signal: AbortSignal.timeout(30_000) };
  const first = await listener.step({ ...step, watched: new Map([[address, null]]), place: null });
  const mark = first.marks.get(address)!;

  const later = withHeldPaidOut(world, AT);
  const paid = later.evm.ethereum.txs.at(-1)!;
  goOn(later);
  const second = await listener.step({ ...step, watched: new Map([[address, mark]]), place: first.place });
  expect(second.touches).toEqual([{ address, txHash: paid.hash, block: paid.block }]);
  const query = `chainid=1&module=account&action=txlist&address=${address}&apikey=demo&sort=desc`;
  const { result } = (await (await fetch(`${env.ETHEREUM_EXPLORER_URL}?${query}`)).json()) as {
    result: Record<string, string>[];
  };
  expect(result[0]).toMatchObject({ hash: paid.hash, from: address, timeStamp: String(AT / 1_000) });
  expect(later.evm.ethereum.balances.get(address)).toBe(0n);
  expect(JSON.stringify([world.evm.ethereum.txs.length, String(world.evm.ethereum.balances.get(address))])).toBe(
    before,
  );
});
