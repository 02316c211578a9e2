import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { END, START } from '../../fixtures/demo/calendar.ts';
import { demoWorld, makeWorld, roleOf, type World } from '../../fixtures/demo/world.ts';
import { canonicalAddress } from '../../src/domain/address/address.ts';
import { CHAINS, type Chain, isEvmChain } from '../../src/domain/chain.ts';
import { isValidAt } from '../../src/domain/label.ts';
import { canonicalTxHash } from '../../src/domain/tx-hash.ts';

const world = demoWorld();

function fingerprint(value: World): string {
  const text = JSON.stringify(value, (_, part) => {
    if (part instanceof Map) return [...part];
    return typeof part === 'bigint' ? `${part}n` : part;
  });
  return createHash('sha256').update(text).digest('hex');
}

const hashesOf = (chain: Chain): string[] => {
  if (chain === 'bitcoin') return world.bitcoin.txs.map(({ txid }) => txid);
  if (chain === 'solana') return world.solana.txs.map(({ signature }) => signature);
  if (chain === 'tron') return world.tron.txs.map(({ txId }) => txId);
  if (chain === 'xrp') return world.xrp.txs.map(({ hash }) => hash);
  return isEvmChain(chain) ? world.evm[chain].txs.map(({ hash }) => hash) : [];
};

describe('the demo world', () => {
  it('is the same world every time, and another one for another seed', () => {
    expect(fingerprint(makeWorld())).toBe(fingerprint(world));
    expect(fingerprint(makeWorld('another'))).not.toBe(fingerprint(world));
  });

  it('holds thousands of transfers', () => {
    expect(Object.values(world.moves).flat().length).toBeGreaterThan(5_000);
  });

  it.each(CHAINS)('writes every address and hash of %s in canonical form, with a true checksum', (chain) => {
    const addresses = new Set(world.moves[chain].flatMap(({ from, to }) => [from, to]));
    for (const { address } of world.roles.filter((role) => role.chain === chain)) addresses.add(address);
    addresses.delete('coinbase');
    for (const address of addresses) expect(canonicalAddress(chain, address)?.address, address).toBe(address);
    const hashes = hashesOf(chain);
    expect(new Set(hashes).size).toBe(hashes.length);
    for (const hash of hashes) expect(canonicalTxHash(chain, hash), hash).toBe(hash);
  });

  it.each(CHAINS)('ends %s on the last day and prices every day since the stories begin', (chain) => {
    const dates = new Set(world.prices.map(({ date }) => date));
    for (const { at } of world.moves[chain]) {
      expect(at).toBeLessThanOrEqual(END);
      if (at > START) expect(dates).toContain(new Date(at).toISOString().slice(0, 10));
    }
  });

  it.each(CHAINS)('has every common story on %s, and each part in it lives', (chain) => {
    const stories = new Set(world.roles.filter((role) => role.chain === chain).map(({ story }) => story));
    for (const story of COMMON_STORIES) expect(stories, story).toContain(story);
    const touched = new Set(world.moves[chain].flatMap(({ from, to }) => [from, to]));
    for (const { chain: on, story, address } of world.roles) {
      if (on !== chain || story === 'empty_unknown') continue;
      expect(touched, `${story} ${address}`).toContain(address);
    }
    expect(touched).not.toContain(roleOf(world, chain, 'empty_unknown').address);
  });

  it.each(CHAINS)('passes stolen money on %s over four fresh addresses to an exchange in one night', (chain) => {
    const names = ['thief', 'layer_1', 'layer_2', 'layer_3', 'layer_4'];
    const path = names.map((name) => roleOf(world, chain, 'laundering', name).address);
    path.push(roleOf(world, chain, 'exchange_hot_wallet', 'exchange_deposit').address);
    const hops = path.slice(1).map((to, i) => {
      const hop = world.moves[chain].find((move) => move.from === path[i] && move.to === to);
      expect(hop, `${names[i]} pays`).toBeDefined();
      return hop!;
    });
    for (const [i, hop] of hops.entries()) {
      if (i === 0) continue;
      expect(hop.at).toBeGreaterThan(hops[i - 1]!.at);
      expect(Number(hop.amount) / Number(hops[i - 1]!.amount)).toBeGreaterThan(0.9);
    }
    expect(hops.at(-1)!.at - hops[0]!.at).toBeLessThan(24 * 3_600_000);
  });

  it('labels in every category that a story needs, with one delisted entry', () => {
    const categories = new Set(world.labels.map(({ category }) => category));
    for (const category of [
      'sanctioned',
      'darknet',
      'drainer',
      'scam',
      'mixer',
      'gambling',
      'bridge',
      'exchange',
      'dex',
    ]) {
      expect(categories).toContain(category);
    }
    expect(world.labels.filter((label) => !isValidAt(label, END)).length).toBeGreaterThan(0);
    expect(world.labels.filter(({ chain }) => chain === 'evm').map(({ category }) => category)).toEqual(['sanctioned']);
  });

  it.each(['ethereum', 'tron'] as const)(
    'makes the look-alike on %s share four characters at both ends with the friend it imitates',
    (chain) => {
      const trap = roleOf(world, chain, 'address_poisoning', 'poison_victim_trap').address;
      const victim = roleOf(world, chain, 'address_poisoning', 'poison_victim').address;
      const paid = world.moves[chain].filter(({ from, amount }) => from === victim && amount === '2500');
      const friend = paid.map(({ to }) => to).find((to) => to !== trap)!;
      const ends = (address: string) => [address.slice(0, chain === 'tron' ? 5 : 6), address.slice(-4)];
      expect(ends(friend)).toEqual(ends(trap));
      expect(friend).not.toBe(trap);
    },
  );
});

const COMMON_STORIES = [
  'clean_saver',
  'exchange_hot_wallet',
  'exchange_customer',
  'gambler',
  'bridge_user',
  'dex_trader',
  'large_transfer',
  'dormant_reactivation',
  'sanctioned',
  'sanctioned_counterparty',
  'delisted',
  'laundering',
  'mixer',
  'scam',
  'darknet',
  'drainer',
  'dusted_innocent',
  'empty_unknown',
  'fan_in',
  'fan_out',
  'pass_through',
  'structuring',
  'scatter_gather',
  'round_trip',
];
