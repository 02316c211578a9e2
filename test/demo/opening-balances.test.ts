import { expect, it } from 'vitest';
import type { AddressHistory, ChainSource } from '../../src/chains/port.ts';
import { addAmounts } from '../../src/domain/amount.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import { ctx, serveContext, world } from '../app/demo-world.ts';

/** Readings of one address, spread over its history. */
const PARTS = 4;
/** Addresses of a chain. */
const ADDRESSES = 15;

serveContext();

/** What the transfers and fees from `at` on changed of an asset. */
function changeSince({ transfers }: AddressHistory, address: string, token: string | null, at: number): string {
  const fees = new Map<string, string>();
  let change = '0';
  for (const transfer of transfers) {
    if (transfer.at < at) continue;
    const { txHash, txSender, fee, failed, from, amount } = transfer;
    if (token === null && txSender === address && fee !== null) fees.set(txHash, fee);
    if (failed || transfer.token !== token || from === transfer.to) continue;
    change = addAmounts(change, from === address ? negative(amount) : amount);
  }
  for (const fee of fees.values()) change = addAmounts(change, negative(fee));
  return change;
}

const negative = (amount: string) => (/[1-9]/.test(amount) ? `-${amount}` : amount);

const rolesOn = (chain: Chain) => world.roles.filter((role) => role.chain === chain).slice(0, ADDRESSES);

/** Readings of an address from some of its transactions on, with the opening balances that they state. */
async function readings(source: ChainSource, address: string) {
  const whole = await source.history(address);
  const places = new Map(whole.transfers.map(({ txHash, block, at }) => [txHash, { txHash, block, at }]));
  // A reading on Solana begins at its transaction, behind others of the same second.
  const alone = [...groupBy(places.values(), ({ at }) => at).values()].flatMap((same) => (same.length > 1 ? [] : same));
  const parts: { at: number; stated: Map<string | null, string> }[] = [];
  const every = Math.ceil(alone.length / PARTS);
  for (const around of alone.filter((_, i) => i % every === 0)) {
    const part = await source.historyAround(address, { direction: 'forward', ...around, pages: 3 });
    const own = (part.balances ?? []).filter((balance) => balance.at === around.at);
    parts.push({ at: around.at, stated: new Map(own.map(({ token, amount }) => [token, amount])) });
  }
  return { whole, parts };
}

it('on the XRP Ledger an opening balance is what all later transfers and fees lead from to the balance now', async () => {
  const source = (await ctx.chainSource('xrp'))!;
  let compared = 0;
  for (const { story, name, address } of rolesOn('xrp')) {
    const { whole, parts } = await readings(source, address);
    for (const { at, stated } of parts) {
      const coin = stated.get(null);
      if (coin === undefined) continue;
      const what = `${story}/${name} at ${at}`;
      expect(addAmounts(coin, changeSince(whole, address, null, at)), what).toBe(whole.balance);
      compared += 1;
    }
    // Of tokens the source states no balance now: two openings differ by what moved between them.
    for (const [i, { at, stated }] of parts.entries()) {
      for (const [token, amount] of stated) {
        const other = parts.slice(i + 1).find((part) => part.stated.has(token));
        if (token === null || other === undefined) continue;
        const now = addAmounts(amount, changeSince(whole, address, token, at));
        expect(addAmounts(other.stated.get(token)!, changeSince(whole, address, token, other.at))).toBe(now);
        compared += 1;
      }
    }
  }
  console.log(`${compared} opening balances compared`);
  expect(compared).toBeGreaterThan(20);
});

it('on Solana an opening balance is what all later transfers and fees lead from to another one', async () => {
  const source = (await ctx.chainSource('solana'))!;
  let compared = 0;
  for (const { story, name, address } of rolesOn('solana')) {
    const { whole, parts } = await readings(source, address);
    for (const [i, { at, stated }] of parts.entries()) {
      for (const [token, amount] of stated) {
        const other = parts.slice(i + 1).find((part) => part.stated.has(token));
        if (other === undefined) continue;
        const now = addAmounts(amount, changeSince(whole, address, token, at));
        const what = `${story}/${name} ${token} at ${at}`;
        expect(addAmounts(other.stated.get(token)!, changeSince(whole, address, token, other.at)), what).toBe(now);
        compared += 1;
      }
    }
  }
  console.log(`${compared} opening balances compared`);
  expect(compared).toBeGreaterThan(20);
});
