import { addressKey, parseAddressKey } from '../../src/domain/address/address-key.ts';
import { formatUnits } from '../../src/domain/amount.ts';
import { NATIVE_COIN } from '../../src/domain/chain.ts';
import { groupBy } from '../../src/domain/group-by.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { canonical, type contents } from './world.ts';

/** The graph of some transfers without labels, worked out plainly from all of them at once. */
export function expectedContents(transfers: readonly Transfer[]): Awaited<ReturnType<typeof contents>> {
  const moved = transfers.filter(({ failed, amount }) => !failed && Number(amount) > 0);
  const keys = new Set(moved.flatMap(({ chain, from, to }) => [addressKey(chain, from), addressKey(chain, to)]));
  const addresses = [...keys].sort().map((key) => {
    const { chain, address } = parseAddressKey(key);
    const here = moved.filter((each) => each.chain === chain && (each.from === address || each.to === address));
    const others = here.filter(({ from, to }) => from !== to);
    return {
      key,
      chain,
      address,
      first_seen_at: Math.min(...here.map(({ at }) => at)),
      last_seen_at: Math.max(...here.map(({ at }) => at)),
      degree_in: new Set(others.filter(({ to }) => to === address).map(({ from }) => from)).size,
      degree_out: new Set(others.filter(({ from }) => from === address).map(({ to }) => to)).size,
    };
  });
  const ends = ({ chain, from, to }: Transfer) => ({ from: addressKey(chain, from), to: addressKey(chain, to) });
  const pairs = groupBy(
    moved.filter(({ from, to }) => from !== to),
    (each) => canonical(ends(each)),
  );
  return {
    addresses,
    transfers: moved.map((each) => canonical({ ...ends(each), properties: factProperties(each) })).sort(),
    flows: [...pairs.values()].map((list) => canonical({ ...ends(list[0]!), properties: flowProperties(list) })).sort(),
    bridged: [],
    entities: [],
  };
}

function factProperties(transfer: Transfer): Record<string, unknown> {
  const { chain, from, to, failed, ...rest } = transfer;
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const { amount, amountRaw, decimals } = rest;
  const isGiven = amountRaw !== null && decimals !== null && formatUnits(BigInt(amountRaw), decimals) === amount;
  const kept = isGiven ? { ...rest, amountRaw: null } : rest;
  const known = Object.entries(kept).filter(([, value]) => value !== null);
  return Object.fromEntries(known.map(([name, value]) => [snake(name), value]));
}

function flowProperties(list: Transfer[]): Record<string, unknown> {
  const isCoin = ({ chain, token, asset }: Transfer) => token === null && asset === NATIVE_COIN[chain].symbol;
  return {
    usd: list.reduce((micros, { usd }) => micros + Math.round((usd ?? 0) * 1e6), 0) / 1e6,
    tx_count: list.length,
    unpriced_count: list.filter(({ usd }) => usd === null).length,
    first_at: Math.min(...list.map(({ at }) => at)),
    last_at: Math.max(...list.map(({ at }) => at)),
    ...(list.some(isCoin) ? { has_coin: true } : {}),
  };
}
