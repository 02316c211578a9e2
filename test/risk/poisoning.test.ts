import { describe, expect, it } from 'vitest';
import type { Chain } from '../../src/domain/chain.ts';
import { baitsSent, imitated } from '../../src/risk/ledger/baits.ts';
import { HOUR, party, T0, transfer, USDC } from './world.ts';

const VICTIM = party(1);
const TRAP = '0xabcd222222222222222222222222222222221234';

interface Baited {
  address?: string;
  genuine: string;
  after: number;
  events?: number;
  chain?: Chain;
}

/** Whom the trap imitates: the victim paid `genuine` and then, so much later, got payments of nothing. */
function genuineOf({ address = TRAP, genuine, after, events = 1, chain = 'ethereum' }: Baited): string | null {
  const zero = { token: USDC, kind: 'token', amount: '0', usd: null, txSender: party(9) } as const;
  const at = T0 + after;
  const baits = Array.from({ length: events }, (_, i) =>
    transfer({ from: VICTIM, to: address, at, ...zero, txHash: '0xbait', index: `log:${i}` }),
  );
  const [sent] = baitsSent(address, baits);
  return imitated(chain, address, sent!, [{ address: genuine, lastAt: T0 }]);
}

const LIKE = (prefix: string, suffix: string) =>
  `0x${prefix}${'3'.repeat(40 - prefix.length - suffix.length)}${suffix}`;

describe('a bait address is recognized', () => {
  it('by four equal characters at either end, whenever the bait came', () => {
    expect(genuineOf({ genuine: LIKE('abcd', '1234'), after: 90 * 24 * HOUR })).toBe(LIKE('abcd', '1234'));
    expect(genuineOf({ genuine: LIKE('abc', '1234'), after: 90 * 24 * HOUR })).toBeNull();
  });

  it('by three where a batch of baits followed the payment within the hour', () => {
    const genuine = LIKE('abc', '1234');
    expect(genuineOf({ genuine, after: HOUR, events: 4 })).toBe(genuine);
    expect(genuineOf({ genuine, after: HOUR + 1, events: 4 })).toBeNull();
    expect(genuineOf({ genuine, after: HOUR, events: 3 })).toBeNull();
    expect(genuineOf({ genuine, after: -1, events: 4 })).toBeNull();
    expect(genuineOf({ genuine: LIKE('ab', '1234'), after: HOUR, events: 4 })).toBeNull();
  });

  it('on TRON by what follows the letter that all addresses begin with', () => {
    const like = (prefix: string, suffix: string) => `T${prefix}${'3'.repeat(25)}${suffix}`;
    const address = `TQabc${'2'.repeat(25)}wxyz`;
    const base = { address, after: 90 * 24 * HOUR, chain: 'tron' } as const;
    expect(genuineOf({ ...base, genuine: like('Qabc', 'wxyz') })).toBe(like('Qabc', 'wxyz'));
    expect(genuineOf({ ...base, genuine: like('Qab', 'wxyz') })).toBeNull();
  });
});
