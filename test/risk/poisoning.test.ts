import { describe, expect, it } from 'vitest';
import { Dice } from '../../fixtures/anomaly/dice.ts';
import { mostAlike } from '../../src/risk/ledger/poisoning.ts';
import { assessed, DAY, HOUR, party, receive, send, severities, T0, USDC } from './world.ts';

const LIKE = (prefix: string, suffix: string) =>
  `0x${prefix}${'3'.repeat(40 - prefix.length - suffix.length)}${suffix}`;
const GENUINE = '0xabcd222222222222222222222222222222221234';
const chanceOf = (prefix: string, suffix: string, pairs = 1) =>
  mostAlike('ethereum', LIKE(prefix, suffix), [GENUINE], pairs)?.chance ?? null;

describe('the likeness of two addresses', () => {
  it('needs three equal characters at each end and seven together', () => {
    expect(chanceOf('abc', '1234')).toBeCloseTo(16 ** -7, 12);
    expect(chanceOf('abcd', '234')).toBeCloseTo(16 ** -7, 12);
    expect(chanceOf('abc', '234')).toBeNull();
    expect(chanceOf('ab', '21234')).toBeNull();
  });

  it('counts for less among more pairs, until chance explains it', () => {
    expect(chanceOf('abc', '1234', 1_000)).toBeCloseTo(1_000 * 16 ** -7, 9);
    expect(chanceOf('abc', '1234', 3_000_000)).toBeNull();
  });

  it('counts a leading run of one character as one', () => {
    const zeros = `0x00000${'1'.repeat(31)}1234`;
    expect(mostAlike('ethereum', `0x00000${'2'.repeat(31)}1234`, [zeros], 1)).toBeNull();
    expect(mostAlike('ethereum', `0x0000011${'2'.repeat(29)}1234`, [zeros], 1)).not.toBeNull();
  });

  it('counts two or three equal characters at the beginning like any others', () => {
    for (const [prefix, suffix] of [
      ['aab', '1234'],
      ['000', '1234'],
      ['eee', '123456'],
    ] as const) {
      const genuine = `0x${prefix}7${'2'.repeat(36 - suffix.length)}${suffix}`;
      const found = mostAlike('ethereum', LIKE(prefix, suffix), [genuine], 100);
      expect(found?.chance).toBeCloseTo(100 * 16 ** -(3 + suffix.length), 12);
    }
    // Three of the six zeros that many addresses are made with.
    expect(mostAlike('ethereum', LIKE('000', '123456'), [`0x000000${'2'.repeat(28)}123456`], 1)).toBeNull();
  });

  it('goes by the alphabet of the chain, and by what follows the letter that all addresses begin with', () => {
    const like = (prefix: string, suffix: string) => `T${prefix}${'3'.repeat(25)}${suffix}`;
    const tron = (prefix: string) => mostAlike('tron', `TQabc${'2'.repeat(25)}wxyz`, [like(prefix, 'wxyz')], 1);
    expect(tron('Qabc')?.chance).toBeCloseTo(58 ** -8, 14);
    expect(tron('Qa')).toBeNull();
    const segwit = (of: string) => `bc1qabcd${of.repeat(30)}wxyz`;
    expect(mostAlike('bitcoin', segwit('2'), [segwit('3')], 1)?.chance).toBeCloseTo(32 ** -8, 12);
  });
});

describe('address poisoning', () => {
  const bait = (at: number) =>
    send(LIKE('abc', '1234'), null, at, { token: USDC, asset: 'USDC', kind: 'token', amount: '0', txSender: party(9) });

  it('is found however long after the payment, and only after it', () => {
    for (const after of [HOUR, 2 * HOUR, 90 * DAY]) {
      const { detections } = assessed([send(GENUINE, 500), bait(T0 + after)]);
      expect(detections.find((one) => one.detector_id === 'address_poisoning')?.details.measured).toMatchObject({
        lookalike: LIKE('abc', '1234'),
        genuine: GENUINE,
        chance: 16 ** -7,
      });
    }
    expect(severities(assessed([send(GENUINE, 500), bait(T0 - HOUR)]), 'address_poisoning')).toEqual([]);
  });

  it('is dust below a dollar, as much as the least that Bitcoin moves', () => {
    const dusted = (usd: number) => assessed([send(GENUINE, 500), receive(LIKE('abc', '1234'), usd, T0 + HOUR)]);
    expect(severities(dusted(0.6), 'address_poisoning')).toEqual(['LOW']);
    expect(severities(dusted(1), 'address_poisoning')).toEqual([]);
  });

  it('is seen in one address that is alike, but not among so many that chance explains it', () => {
    // Of one seed: in 6 of 1,000 others two more of the strangers in the smaller world are alike.
    const dice = new Dice(1);
    const among = (paid: number, dusted: number) => {
      const genuine = [GENUINE, ...Array.from({ length: paid }, () => dice.address())];
      const others = [LIKE('abc', '1234'), ...Array.from({ length: dusted }, () => dice.address())];
      const payments = genuine.map((one, i) => send(one, 500, T0 + i * HOUR));
      const dust = others.map((one, i) => receive(one, 0.01, T0 + 80 * DAY + i * HOUR));
      return severities(assessed([...payments, ...dust]), 'address_poisoning');
    };
    expect(among(400, 2_000)).toHaveLength(1);
    expect(among(1_700, 1_700)).toEqual([]);
  });

  it('makes the bait address HIGH with 70 at least where chance is out of the question, else MEDIUM without a floor', () => {
    const graded = (chance: number) => {
      const one = { victim: party(1), genuine: GENUINE, prefix: 3, suffix: 4, chance, kind: 'zero_value' };
      const assessment = assessed([receive(party(2), 5)], { more: { mimicry: [{ ...one, transfers: [bait(T0)] }] } });
      return [...severities(assessment, 'address_poisoning'), assessment.risk_score];
    };
    expect(graded(9e-5)).toEqual(['HIGH', 70]);
    expect(graded(1e-4)).toEqual(['MEDIUM', 31]);
  });
});
