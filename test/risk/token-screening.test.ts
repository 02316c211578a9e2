import { describe, expect, it } from 'vitest';
import type { Category, Label } from '../../src/domain/label.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';
import { PATTERN_RULES, RULES } from '../../src/risk/rules.ts';
import { reasonOf, screenTokenTransfers } from '../../src/risk/scoring/token-screening.ts';
import type { Flag } from '../../src/risk/views/detector.ts';

const START = Date.UTC(2026, 5, 1);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const ODD = `0x${'0d'.repeat(20)}`;
const address = (n: number) => `0x${(n * 7_919 + 1).toString(16).padStart(8, '0')}${n.toString(16).padStart(32, '0')}`;

let serial = 0;
function transfer(from: string, to: string, amount: number, at: number, more: Partial<Transfer> = {}): Transfer {
  const txHash = `0x${(++serial).toString(16).padStart(64, '0')}`;
  return createTransfer({
    chain: 'ethereum',
    txHash,
    index: 'log:0',
    seq: 1,
    block: serial,
    position: 0,
    at: START + at,
    from,
    to,
    asset: 'USDT',
    token: USDT,
    amount: String(amount),
    decimals: 6,
    usd: amount,
    kind: 'token',
    txSender: from,
    ...more,
  });
}
const unpriced = { usd: null, token: ODD, asset: 'ODD' };
const label = (of: string, category: Category, more: Partial<Label> = {}): Label => ({
  chain: 'ethereum',
  address: of,
  category,
  label: `the ${category}`,
  source: 'test',
  confidence: 90,
  entity: null,
  validFrom: null,
  validTo: null,
  maliciousContract: false,
  ...more,
});
function screen(transfers: Transfer[], labels: Label[] = [], contracts?: ReadonlySet<string>): Flag[] {
  const labelsOf = (of: string) => labels.filter((one) => one.address === of);
  return screenTokenTransfers({ chain: 'ethereum', transfers, labelsOf, contracts, asOf: START + 1_000 * HOUR });
}
const of = (flags: Flag[], pattern: Flag['pattern']) => flags.filter((flag) => flag.pattern === pattern);
const relay = (hops: number, gap: number, kept = 0.99, first = 1_000) =>
  Array.from({ length: hops }, (_, n) => transfer(address(n), address(n + 1), first * kept ** n, n * gap));

describe('known_malicious', () => {
  it('flags who is listed now, not who was delisted or is an exchange', () => {
    const transfers = [1, 2, 3, 4, 5].map((n) => transfer(address(n), address(n + 10), 5, n));
    const flags = screen(transfers, [
      label(address(1), 'sanctioned'),
      label(address(2), 'sanctioned', { validTo: START }),
      label(address(3), 'exchange'),
      label(address(14), 'mixer'),
      label(address(15), 'other', { maliciousContract: true }),
    ]);
    expect(of(flags, 'known_malicious').map((flag) => [flag.address, flag.severity])).toEqual([
      [address(1), 'CRITICAL'],
      [address(14), 'CRITICAL'],
      [address(15), 'CRITICAL'],
    ]);
    expect(reasonOf(flags[0]!, 'en')).toBe('In the registry as sanctioned: "the sanctioned" (source: "test").');
  });

  it('says of a label that is only reported what a scan says', () => {
    const [flag] = screen([transfer(address(1), address(11), 5, 1)], [label(address(1), 'scam', { confidence: 50 })]);
    expect(flag).toMatchObject({ severity: 'HIGH', variant: 'reported' });
    expect(reasonOf(flag!, 'en')).toBe('Reported as scam: "the scam" (reported by "test").');
    expect(reasonOf(flag!, 'ja')).toContain('報告元：');
  });
});

describe('address_poisoning', () => {
  const victim = address(1);
  const genuine = `0xabcd${'1'.repeat(32)}dcba`;
  const bait = `0xabcd${'2'.repeat(32)}dcba`;
  const stranger = `0x1234${'2'.repeat(32)}4321`;
  const story = (lookalike: string) => [
    transfer(victim, genuine, 500, 0),
    transfer(victim, lookalike, 0, 10 * MINUTE, { txSender: address(99) }),
  ];

  it('names bait, victim and whom the bait imitates', () => {
    const [flag, ...others] = of(screen(story(bait)), 'address_poisoning');
    expect(others).toEqual([]);
    expect(flag).toMatchObject({
      address: bait,
      severity: 'HIGH',
      measured: { victim, genuine, prefix: 4, suffix: 4 },
    });
    expect(reasonOf(flag!, 'en')).toContain(`Baits ${victim}: looks like ${genuine}`);
    expect(reasonOf(flag!, 'ja')).toContain(victim);
  });

  it('says when the bait worked', () => {
    const [flag] = of(screen([...story(bait), transfer(victim, bait, 500, HOUR)]), 'address_poisoning');
    expect(flag).toMatchObject({ variant: 'loss', measured: { losses: 1 } });
    expect(reasonOf(flag!, 'en')).toContain('1 payment was misdirected');
  });

  it('is silent about an address that looks like nobody', () => {
    expect(of(screen(story(stranger)), 'address_poisoning')).toEqual([]);
  });
});

describe('relay_chain', () => {
  it.each([
    [MINUTE, 'on 1 minute after receipt', '受取の1分後に'],
    [119 * MINUTE, 'on 119 minutes after receipt', '受取の119分後に'],
    [HOUR * 24, 'on 24 hours after receipt', '受取の24時間後に'],
  ])('writes a delay of %i ms as people do', (gap, en, ja) => {
    const [flag] = of(screen(relay(4, gap, 0.99, 5_000)), 'relay_chain');
    expect(reasonOf(flag!, 'en')).toContain(en);
    expect(reasonOf(flag!, 'ja')).toContain(ja);
  });

  it.each([
    [2, null],
    [3, 'LOW'],
    [5, 'HIGH'],
    [8, 'HIGH'],
  ])('a chain of %i transfers is %s', (hops, severity) => {
    const flags = of(screen(relay(hops, MINUTE, 0.99, 5_000)), 'relay_chain');
    expect(flags).toHaveLength(severity === null ? 0 : hops - 1);
    for (const flag of flags) expect(flag.severity).toBe(severity);
    expect(flags.map((flag) => flag.address)).not.toContain(address(0));
    expect(flags.map((flag) => flag.address)).not.toContain(address(hops));
  });

  it.each([
    [3, 'theft', 'HIGH'],
    [8, 'theft', 'CRITICAL'],
    [5, 'exchange', 'MEDIUM'],
  ] as const)('a chain of %i transfers whose money a %s paid is %s', (hops, category, severity) => {
    const flags = of(screen(relay(hops, MINUTE, 0.99, 5_000), [label(address(0), category)]), 'relay_chain');
    expect(flags.map((flag) => flag.severity)).toEqual(Array.from({ length: hops - 1 }, () => severity));
  });

  it('needs each gap within a day, most of the value and enough of it', () => {
    const { gap_hours, kept_share, from_usd } = PATTERN_RULES.relay_chain;
    expect(of(screen(relay(4, gap_hours * HOUR, 0.99, 5_000)), 'relay_chain')).toHaveLength(3);
    expect(of(screen(relay(4, gap_hours * HOUR + 1, 0.99, 5_000)), 'relay_chain')).toEqual([]);
    expect(of(screen(relay(4, MINUTE, kept_share - 0.01, 5_000)), 'relay_chain')).toEqual([]);
    expect(of(screen(relay(4, MINUTE, 1, from_usd - 1)), 'relay_chain')).toEqual([]);
    expect(of(screen(relay(4, MINUTE, 1, from_usd)), 'relay_chain')).toHaveLength(3);
  });

  it('ends at a labelled service, and is not a swap inside one transaction', () => {
    expect(of(screen(relay(4, MINUTE), [label(address(2), 'exchange')]), 'relay_chain')).toEqual([]);
    const unsure = [label(address(2), 'exchange', { confidence: 40 })];
    expect(of(screen(relay(4, MINUTE, 0.99, 5_000), unsure), 'relay_chain')).toHaveLength(3);
    const inOne = relay(4, 0).map((step, n) => ({ ...step, txHash: '0x1', id: `a${n}`, seq: n }));
    expect(of(screen(inOne), 'relay_chain')).toEqual([]);
  });

  it('does not count money that comes back to where it was', () => {
    const [a, b] = [address(1), address(2)];
    const pingPong = [0, 1, 2, 3, 4].map((n) => transfer(n % 2 ? b : a, n % 2 ? a : b, 5_000, n * MINUTE));
    expect(of(screen(pingPong), 'relay_chain')).toEqual([]);
  });
});

describe('rapid_distribution', () => {
  const spread = (receivers: number, step: number, amount = 1_000) =>
    Array.from({ length: receivers }, (_, n) => transfer(address(0), address(n + 1), amount, n * step));

  it('fires at ten receivers within an hour and twenty within a day, not below', () => {
    expect(of(screen(spread(9, MINUTE)), 'rapid_distribution')).toEqual([]);
    expect(of(screen(spread(10, MINUTE)), 'rapid_distribution')).toMatchObject([
      { address: address(0), severity: 'MEDIUM', measured: { receivers: 10, minutes: 9 } },
    ]);
    expect(of(screen(spread(19, HOUR)), 'rapid_distribution')).toEqual([]);
    expect(of(screen(spread(20, HOUR)), 'rapid_distribution')).toMatchObject([
      { measured: { receivers: 20, minutes: 1_140 } },
    ]);
  });

  it('leaves services and contracts out, not who is a service by an unsure label', () => {
    const found = (labels: Label[], contracts?: Set<string>) =>
      of(screen(spread(30, MINUTE), labels, contracts), 'rapid_distribution').length;
    expect(found([label(address(0), 'exchange')])).toBe(0);
    expect(found([], new Set([address(0)]))).toBe(0);
    expect(found([label(address(0), 'exchange', { confidence: 40 })])).toBe(1);
  });
});

describe('large_transfer', () => {
  const small = Array.from({ length: 200 }, (_, n) => transfer(address(n), address(n + 300), 20, n * HOUR));
  const large = (amount: number) => [...small, transfer(address(900), address(901), amount, 5)];

  it.each([
    [RULES.large_transfer.low_usd - 1, null],
    [RULES.large_transfer.low_usd, 'LOW'],
    [RULES.large_transfer.medium_usd, 'MEDIUM'],
    [RULES.large_transfer.high_usd, 'MEDIUM'],
  ])('of %i US dollars is %s', (amount, severity) => {
    const flags = of(screen(large(amount)), 'large_transfer').map((flag) => [flag.address, flag.severity]);
    expect(flags).toEqual(severity === null ? [] : [[address(900), severity]]);
  });

  it('of a million that came from a thief is HIGH', () => {
    const stolen = [...large(RULES.large_transfer.high_usd), transfer(address(800), address(900), 1_100_000, 1)];
    const flags = of(screen(stolen, [label(address(800), 'theft')]), 'large_transfer');
    expect(flags.find((flag) => flag.address === address(900))?.severity).toBe('HIGH');
  });

  it('names the receiver where an exchange pays, and nobody between two of them', () => {
    const paid = screen(large(50_000), [label(address(900), 'exchange')]);
    expect(of(paid, 'large_transfer').map((flag) => flag.address)).toEqual([address(901)]);
    const between = screen(large(50_000), [label(address(900), 'exchange'), label(address(901), 'dex')]);
    expect(of(between, 'large_transfer')).toEqual([]);
  });
});

describe('a token without a price', () => {
  const usual = Array.from({ length: 100 }, (_, n) => transfer(address(n), address(n + 300), 40, n * HOUR, unpriced));

  it('is measured by the usual transfer of the window', () => {
    const flags = of(screen([...usual, transfer(address(900), address(901), 4_000, 5, unpriced)]), 'large_transfer');
    expect(flags).toMatchObject([{ address: address(900), severity: 'MEDIUM', measured: { times_median: 100 } }]);
    expect(reasonOf(flags[0]!, 'en')).toContain('the largest 100 times the usual amount');
    expect(reasonOf(flags[0]!, 'en')).not.toContain('USD');
  });

  it('has no usual size in too few transfers', () => {
    const few = [...usual.slice(0, 5), transfer(address(900), address(901), 4e9, 5, unpriced)];
    expect(screen(few)).toEqual([]);
  });
});

it('gives the same flags for the transfers in any order and twice, gravest first', () => {
  const transfers = [...relay(8, MINUTE, 0.99, 50_000), transfer(address(70), address(71), 5, 5)];
  const labels = [label(address(70), 'scam')];
  const flags = screen(transfers, labels);
  expect(screen([...transfers].reverse().concat(transfers), labels)).toEqual(flags);
  expect(flags.length).toBeGreaterThan(5);
  const ranks = flags.map((flag) => ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'].indexOf(flag.severity));
  expect(ranks).toEqual([...ranks].sort());
});

it('finds nothing in ordinary traffic and takes no failed transfer into account', () => {
  const shop = Array.from({ length: 300 }, (_, n) => transfer(address(n), address(1_000), 5 + (n % 90), n * HOUR));
  expect(screen(shop)).toEqual([]);
  expect(screen(relay(8, MINUTE, 1, 1e6).map((one) => ({ ...one, failed: true })))).toEqual([]);
});
