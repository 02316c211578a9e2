import { describe, expect, it } from 'vitest';
import { expectedFlow } from '../../fixtures/demo/expected.ts';
import { roleOf } from '../../fixtures/demo/world.ts';
import { addAmounts } from '../../src/domain/amount.ts';
import { CHAINS } from '../../src/domain/chain.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { ctx, serveContext, world } from '../app/demo-world.ts';

serveContext();

function flowOf(transfers: readonly Transfer[], address: string) {
  const sent: Record<string, string> = {};
  const received: Record<string, string> = {};
  const others = new Set<string>();
  for (const { from, to, token, amount, failed, kind } of transfers) {
    // On Bitcoin a history also shows what others paid in transactions of the address.
    const touches = from === address || to === address;
    if (failed || !/[1-9]/.test(amount) || from === to || kind === 'nft' || !touches) continue;
    const side = from === address ? sent : received;
    side[token ?? 'coin'] = addAmounts(side[token ?? 'coin'] ?? '0', amount);
    others.add(from === address ? to : from);
  }
  return { sent, received, counterparties: [...others].sort() };
}

/** A node alone lists no payments in the coin; it finds those of transactions that moved tokens. */
const withoutCoin = <T extends { sent: Record<string, string>; received: Record<string, string> }>(flow: T) => {
  const { coin: _sent, ...sent } = flow.sent;
  const { coin: _received, ...received } = flow.received;
  return { sent, received };
};

describe('what the adapters read from the chain servers is what the stories meant', () => {
  it.each(CHAINS)('on %s, for every part in every story, to the last unit', async (chain) => {
    const source = (await ctx.chainSource(chain))!;
    const roles = world.roles.filter((role) => role.chain === chain && !EXCEPTED.has(`${chain} ${role.story}`));
    for (const { story, name, address } of roles) {
      const history = await source.history(address);
      const expected = expectedFlow(world, chain, address);
      const found = flowOf(history.transfers, address);
      const what = `${story}/${name} ${address}`;
      if (chain === 'kaia') expect(withoutCoin(found), what).toEqual(withoutCoin(expected));
      else expect(found, what).toEqual(expected);
      expect(history.found, what).toBe(story !== 'empty_unknown');
    }
  });

  it.each(CHAINS)(
    'on %s, for the largest payment of a story by its hash, and nothing for an unknown one',
    async (chain) => {
      const source = (await ctx.chainSource(chain))!;
      const { address } = roleOf(world, chain, 'laundering', 'layer_1');
      const move = world.moves[chain].find(({ from }) => from === address)!;
      const found = await source.transaction(move.txHash);
      expect(found).toMatchObject({ txHash: move.txHash, status: 'success', at: move.at });
      expect(found!.transfers[0]).toMatchObject({
        from: move.from,
        to: move.to,
        amount: move.amount,
        token: move.token,
      });
      expect(await source.transaction(unknownHash(move.txHash))).toBeNull();
    },
  );
});

/**
 * An unconfirmed payment has no time yet: whether it counts is the adapter's own promise. A CoinJoin goes through a party of
 * its own, which the tests of the Bitcoin adapter hold.
 */
const EXCEPTED = new Set(['bitcoin unconfirmed', 'bitcoin equal_outputs']);

function unknownHash(hash: string): string {
  const other = hash.at(-1) === '1' ? '2' : '1';
  return hash.slice(0, -1) + other;
}
