import { expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { seed } from '../setup/seed.ts';
import type { Payment } from './money.ts';
import { scan } from './scanned.ts';

const dice = new Dice(seed);
const DAY = 86_400_000;
const FOO: Partial<Transfer> = { token: '0xf00', asset: 'FOO', kind: 'token' };
const COIN: Partial<Transfer> = { token: null, asset: 'ETH', kind: 'native' };

const some = () => String(dice.int(10, 90_000));

/** Ordinary dealings, so that the address has money with a price too; of amounts that no limit explains. */
function life(): Payment[] {
  const amountOf = (i: number) => dice.int(200 + 120 * i, 290 + 120 * i);
  return Array.from({ length: 6 }, (_, i): Payment => [DAY * (3 * i + 1), 'CEX', 'S', amountOf(i)]);
}

/** A way along which so much of an asset without a price goes, a day a step. */
function way(parties: string[], asset: Partial<Transfer>, amount = some()): Payment[] {
  return parties.slice(1).map((to, i): Payment => [DAY * (30 + i), parties[i]!, to, null, { ...asset, amount }]);
}

/** Victims lose an asset without a price: to the drainer a fifth, the rest to others in the same transaction. */
function drained(asset: Partial<Transfer>, to: string): Payment[] {
  return Array.from({ length: dice.int(3, 9) }, (_, i): Payment[] => {
    const [at, txHash, amount] = [DAY * (i + 40), `0xd${i}`, dice.int(100, 9_000)];
    return [
      [at, `v${i}`, to, null, { ...asset, txHash, index: 'log:0', amount: String(amount * 0.8) }],
      [at, `v${i}`, 'DRAIN', null, { ...asset, txHash, index: 'log:1', amount: String(amount * 0.2) }],
    ];
  }).flat();
}

it.each<[story: string, level: string, basis: string, payments: () => Payment[]]>([
  ['a thief sends an unknown token', 'LOW', 'partial', () => way(['THIEF', 'S'], FOO)],
  ['a thief sends coin of which no price is known', 'HIGH', 'partial', () => way(['THIEF', 'S'], COIN)],
  ['an unknown token comes from a thief over a wallet', 'LOW', 'partial', () => way(['THIEF', 'a', 'S'], FOO)],
  ['over five wallets, and goes on', 'LOW', 'partial', () => way(['THIEF', 'a', 'b', 'c', 'd', 'e', 'S', 'x'], FOO)],
  ['coin without a price comes over two wallets', 'HIGH', 'partial', () => way(['THIEF', 'a', 'b', 'S'], COIN)],
  ['coin without a price goes to a mixer over a wallet', 'HIGH', 'partial', () => way(['CEX', 'S', 'a', 'MIX'], COIN)],
  ['victims lose an unknown token beside it', 'LOW', 'partial', () => drained(FOO, 'S')],
  ['victims lose coin without a price beside it', 'HIGH', 'partial', () => drained(COIN, 'S')],
  [
    'it is paid by who got coin without a price of victims',
    'HIGH',
    'partial',
    () => [...drained(COIN, 'a'), [DAY * 90, 'a', 'S', null, { ...COIN, amount: '50' }]],
  ],
  ['an unknown token comes from strangers', 'LOW', 'full', () => way(['a', 'b', 'S', 'c'], FOO)],
  ['a scam throws a worthless token at it', 'LOW', 'full', () => way(['SCAM', 'S'], { ...FOO, txSender: 'SCAM' })],
  ['a collectible comes from a thief', 'LOW', 'full', () => way(['THIEF', 'S'], { ...FOO, tokenId: '7' }, '1')],
])('%s: %s, %s', async (_, level, basis, payments) => {
  const { risk_level, level_basis, unvalued, detections } = await scan([...life(), ...payments()], 'S');
  expect([risk_level, level_basis, detections.map(({ detector_id, severity }) => [detector_id, severity])]).toEqual([
    level,
    basis,
    expect.anything(),
  ]);
  expect(unvalued.length > 0).toBe(basis === 'partial');
});

it('names how much of an asset without a price it was', async () => {
  const { unvalued, detections } = await scan([...life(), ...way(['THIEF', 'a', 'S'], FOO, '1250.5')], 'S');
  expect(unvalued).toEqual([{ asset: 'FOO', token: '0xf00', amount: '1250.5' }]);
  const { details, description } = detections.find(({ detector_id }) => detector_id === 'indirect_exposure')!;
  expect(details.variant).toBe('received_unpriced');
  expect(description).toMatch(/without a price 100%.*1,250\.5 FOO/);
});
