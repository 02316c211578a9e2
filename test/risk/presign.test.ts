import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/domain/calldata/action.ts';
import { decodeCalldata } from '../../src/domain/calldata/calldata.ts';
import { ADVERSE_CATEGORIES, CATEGORIES, type Category, type Label } from '../../src/domain/label.ts';
import { DAY_MS } from '../../src/domain/time.ts';
import type { RiskLevel } from '../../src/risk/detection.ts';
import type { KnownExposure, PartyHistory, PresignCase, PresignTransaction } from '../../src/risk/presign/case.ts';
import { partiesOf } from '../../src/risk/presign/labels.ts';
import { comparedOf, findLookalikes } from '../../src/risk/presign/lookalike.ts';
import { assessPresign, unsupportedChainVerdict } from '../../src/risk/presign/verdict.ts';

const NOW = Date.parse('2026-11-20T10:00:00Z');
const NOW_S = BigInt(NOW / 1_000);
const DAY_S = 86_400n;
const TO = '0x7070707070707070707070707070707070707070';
const SIGNER = '0x5151515151515151515151515151515151515151';
const ALICE = '0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1';
const BOB = '0xb0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0';

const label = (category: Category, given: Partial<Label> = {}): Label => ({
  chain: 'evm',
  address: TO,
  category,
  label: `a ${category}`,
  source: 'test',
  confidence: 80,
  entity: null,
  validFrom: null,
  validTo: null,
  maliciousContract: false,
  ...given,
});

/** A transaction without a value that calls nothing. */
const PLAIN: PresignTransaction = {
  chain: 'ethereum',
  to: TO,
  spender: null,
  signer: SIGNER,
  asset: null,
  carriesValue: false,
  calldata: null,
};

function judge(given: Partial<PresignCase> = {}, labels: Record<string, Label[]> = {}) {
  return assessPresign({
    ...PLAIN,
    labelsOf: (address) => labels[address] ?? [],
    lookalikes: [],
    trusted: new Set(),
    seen: true,
    storesRead: true,
    asOf: NOW,
    ...given,
  });
}

const doing = (...actions: (Action & { caller?: string; contract?: string })[]) => ({
  calldata: { actions: actions.map((action) => ({ caller: null, contract: null, ...action })), faults: [] },
});
const raised = (verdict: ReturnType<typeof judge>) =>
  Object.entries(verdict.signals).flatMap(([name, on]) => (on ? [name] : []));

describe('labels', () => {
  it.each([
    ['sanctioned', 100, 'critical', ['sanctioned']],
    ['terrorism', 100, 'critical', ['terrorism']],
    ['darknet', 95, 'critical', ['darknet']],
    ['child_abuse', 95, 'critical', ['child_abuse']],
    ['drainer', 95, 'critical', ['scamdb_hit', 'drainer']],
    ['theft', 95, 'critical', ['scamdb_hit', 'theft']],
    ['ransomware', 95, 'critical', ['scamdb_hit', 'ransomware']],
    ['scam', 90, 'critical', ['scamdb_hit']],
    ['mixer', 85, 'critical', ['mixer']],
  ] as const)('a destination labelled %s scores %i, as in a scan, and is danger', (category, score, level, signals) => {
    const verdict = judge({}, { [TO]: [label(category)] });
    expect(verdict).toMatchObject({ score, level, verdict: 'danger', confidence: 0.8 });
    expect(raised(verdict)).toEqual(signals);
    expect(verdict.reasons).toHaveLength(1);
    expect(verdict.reasons[0]).toContain(TO);
    expect(verdict.reasons[0]).toContain('source "test"');
  });

  it.each(CATEGORIES.filter((one) => !ADVERSE_CATEGORIES.includes(one)))(
    'a destination labelled %s is ok without a reason',
    (category) => {
      expect(judge({}, { [TO]: [label(category)] })).toMatchObject({
        verdict: 'ok',
        level: 'low',
        score: 0,
        reasons: [],
      });
    },
  );

  it('a high-risk exchange is caution, and an unsure label is danger with a lower score', () => {
    expect(judge({}, { [TO]: [label('high_risk_exchange')] })).toMatchObject({ verdict: 'caution', score: 45 });
    expect(judge({}, { [TO]: [label('scam', { confidence: 60 })] })).toMatchObject({ verdict: 'danger', score: 65 });
  });

  it('a contract known to be malicious is danger whatever its category', () => {
    const verdict = judge({}, { [TO]: [label('other', { maliciousContract: true })] });
    expect(verdict).toMatchObject({ score: 90, verdict: 'danger' });
    expect(raised(verdict)).toEqual(['malicious_contract']);
  });

  it('a delisted address does not block, and the day of its end is named', () => {
    const ended = label('sanctioned', { validTo: Date.parse('2025-03-21T00:00:00Z') });
    const verdict = judge({}, { [TO]: [ended] });
    expect(verdict).toMatchObject({ score: 20, level: 'low', verdict: 'ok' });
    expect(raised(verdict)).toEqual(['delisted']);
    expect(verdict.reasons[0]).toContain('until 2025-03-21');
    expect(raised(judge({}, { [TO]: [label('sanctioned', { validTo: NOW })] }))).toEqual(['delisted']);
  });

  it('a designation that has not begun says nothing yet; one in force beside an ended one blocks', () => {
    const future = label('sanctioned', { validFrom: NOW + 1 });
    expect(judge({}, { [TO]: [future] })).toMatchObject({ verdict: 'ok', score: 0 });
    const both = [label('sanctioned', { validTo: NOW - DAY_MS }), label('sanctioned', { validFrom: NOW })];
    expect(judge({}, { [TO]: both })).toMatchObject({ verdict: 'danger', score: 100 });
  });

  it('the whitelist of the account is named where it set something aside, and only there', () => {
    const trusted = new Set([TO]);
    const aside = judge({ trusted }, { [TO]: [label('mixer')] });
    expect([aside.verdict, aside.reasons.length]).toEqual(['ok', 1]);
    expect(aside.reasons[0]).toContain(TO);
    expect(judge({ trusted }).reasons).toEqual([]);
  });

  it.each([
    ['spender', { spender: BOB }],
    ['token', { asset: BOB }],
    ['recipient', doing({ kind: 'move', call: 'transfer', owner: null, to: BOB, signed: false })],
    ['owner', doing({ kind: 'move', call: 'transferFrom', owner: BOB, to: ALICE, signed: true })],
    ['grantee', doing({ kind: 'grant', call: 'approve', spender: BOB, amount: 1n, bits: 256, collection: false })],
    [
      'operator',
      doing({ kind: 'grant', call: 'setApprovalForAll', spender: BOB, amount: null, bits: 256, collection: true }),
    ],
    ['new master', doing({ kind: 'control', call: 'transferOwnership', to: BOB })],
    ['inner target', doing({ kind: 'target', call: 'aggregate', to: BOB })],
  ] as const)('a sanctioned %s is danger', (_role, given) => {
    const verdict = judge(given as Partial<PresignCase>, { [BOB]: [label('sanctioned')] });
    expect(verdict).toMatchObject({ score: 100, level: 'critical', verdict: 'danger' });
    expect(verdict.reasons[0]).toContain(BOB);
  });

  it('a revocation from a drainer does not warn', () => {
    const verdict = judge(doing({ kind: 'revoke', call: 'approve', spender: BOB }), { [BOB]: [label('drainer')] });
    expect(verdict).toMatchObject({ verdict: 'ok', level: 'low', score: 0, reasons: [] });
    expect(raised(verdict)).toEqual(['revocation']);
  });

  it('names each party once', () => {
    const moves = doing(
      ...[1, 2, 3].map(() => ({ kind: 'move', call: 'transfer', owner: null, to: BOB, signed: false }) as const),
    );
    expect(partiesOf({ ...PLAIN, spender: BOB, ...moves }).map(({ address }) => address)).toEqual([TO, BOB]);
  });
});

describe('calls', () => {
  const approve = (amount: bigint | null, bits: 160 | 256 = 256) =>
    judge(doing({ kind: 'grant', call: 'approve', spender: BOB, amount, bits, collection: false }));

  it('a grant is endless from half of what its type can hold', () => {
    for (const [amount, bits] of [
      [2n ** 255n, 256],
      [2n ** 256n - 1n, 256],
      [2n ** 159n, 160],
      [null, 256],
    ] as const) {
      const verdict = approve(amount, bits);
      expect(verdict).toMatchObject({ verdict: 'caution', level: 'medium' });
      expect(raised(verdict)).toEqual(['unlimited_approval']);
    }
    for (const [amount, bits] of [
      [2n ** 255n - 1n, 256],
      [2n ** 159n, 256],
      [2n ** 159n - 1n, 160],
    ] as const) {
      expect(approve(amount, bits)).toMatchObject({ verdict: 'ok', reasons: [] });
    }
  });

  it('a whole collection for an operator is caution, unless the operator is whitelisted', () => {
    const all = doing({
      kind: 'grant',
      call: 'setApprovalForAll',
      spender: BOB,
      amount: null,
      bits: 256,
      collection: true,
    });
    expect(raised(judge(all))).toEqual(['operator_approval']);
    expect(judge(all)).toMatchObject({ verdict: 'caution' });
    expect(judge(all, { [BOB]: [label('whitelist')] })).toMatchObject({ verdict: 'ok' });
    expect(judge(all, { [BOB]: [label('whitelist', { validTo: NOW })] })).toMatchObject({ verdict: 'caution' });
  });

  it('a permit may live 30 days and no second more', () => {
    const until = (moment: bigint) => judge(doing({ kind: 'lifetime', call: 'permit', until: moment }));
    expect(until(NOW_S + 30n * DAY_S)).toMatchObject({ verdict: 'ok' });
    expect(until(NOW_S + 30n * DAY_S + 1n)).toMatchObject({ verdict: 'caution', score: 30 });
    expect(raised(until(2n ** 256n - 1n))).toEqual(['long_permit']);
    expect(until(2n ** 256n - 1n).reasons[0]).toContain('for ever');
  });

  it('a lure is danger only where coins go along', () => {
    const lure = (value: bigint | null, carriesValue: boolean) =>
      judge({ ...doing({ kind: 'lure', call: 'claim', value }), carriesValue });
    expect(lure(null, true)).toMatchObject({ verdict: 'danger', level: 'high', score: 60 });
    expect(raised(lure(3n, false))).toEqual(['payable_lure']);
    expect(lure(null, false)).toMatchObject({ verdict: 'ok', reasons: [] });
    expect(lure(0n, true)).toMatchObject({ verdict: 'ok', reasons: [] });
  });

  it('a call is named with the contract that is called, inside another call too', () => {
    const approve = {
      kind: 'grant',
      call: 'approve',
      spender: BOB,
      amount: null,
      bits: 256,
      collection: false,
    } as const;
    expect(judge(doing(approve)).reasons).toEqual([
      `approve at ${TO} lets ${BOB} take any amount of the token, now and later.`,
    ]);
    expect(judge(doing({ ...approve, contract: ALICE })).reasons[0]).toContain(`approve at ${ALICE} lets ${BOB}`);
  });

  it('a change of control is caution', () => {
    expect(raised(judge(doing({ kind: 'control', call: 'upgradeTo', to: BOB })))).toEqual(['control_change']);
  });

  const pull = (given: { to?: string; owner?: string; signed?: boolean; caller?: string } = {}) =>
    doing({ kind: 'move', call: 'transferFrom', owner: ALICE, to: BOB, signed: false, ...given });

  it("another owner's assets for an unlabelled recipient are danger", () => {
    const verdict = judge(pull());
    expect(verdict).toMatchObject({ verdict: 'danger', level: 'high', score: 70 });
    expect(raised(verdict)).toEqual(['foreign_transfer']);
    expect(judge(pull(), { [BOB]: [label('unknown')] })).toMatchObject({ verdict: 'danger' });
  });

  it.each([
    ['for a recipient that is known', pull(), { [BOB]: [label('exchange', { address: BOB })] }],
    ['that are the own ones', pull({ owner: SIGNER }), {}],
    ['of the contract that makes the call', pull({ caller: ALICE }), {}],
    ['that come with the signature of their owner', pull({ signed: true }), {}],
    ['that stay where they are', pull({ to: ALICE }), {}],
  ])('assets %s may move', (_what, given, labels) => {
    expect(judge(given, labels)).toMatchObject({ verdict: 'ok', reasons: [] });
  });

  it('without a signer it is unknown whose assets move: caution, never a guess', () => {
    expect(judge({ ...pull(), signer: null })).toMatchObject({ verdict: 'caution', level: 'medium', score: 30 });
  });
});

describe('what cannot be known', () => {
  const undecodable = { calldata: { actions: [], faults: [{ fault: 'unknown_call', call: '0x12345678' } as const] } };

  it('calldata that cannot be read in full is unknown and caution, with the call named', () => {
    const verdict = judge(undecodable);
    expect(verdict).toMatchObject({ level: 'unknown', verdict: 'caution', score: 0, confidence: 0 });
    expect(raised(verdict)).toEqual(['undecodable']);
    expect(verdict.reasons[0]).toContain('0x12345678');
  });

  it('stores that cannot be read are unknown and caution, never a first sight', () => {
    const verdict = judge({ storesRead: false, seen: false });
    expect(verdict).toMatchObject({ level: 'unknown', verdict: 'caution' });
    expect(raised(verdict)).toEqual(['stores_unreadable']);
  });

  it('danger stays danger however little else is known', () => {
    const verdict = judge({ ...undecodable, storesRead: false }, { [TO]: [label('drainer')] });
    expect(verdict).toMatchObject({ level: 'critical', verdict: 'danger', score: 95 });
    expect(verdict.reasons.length).toBe(3);
  });

  it('an address never seen is low and ok, with less confidence than a known one', () => {
    const fresh = judge({ seen: false });
    expect(fresh).toMatchObject({ level: 'low', verdict: 'ok', score: 0, reasons: [] });
    expect(raised(fresh)).toEqual(['never_seen']);
    expect(fresh.confidence).toBeLessThan(judge().confidence);
  });

  it('an unsupported chain is unknown and caution, and bnb gets its name', () => {
    const verdict = unsupportedChainVerdict('bnb');
    expect(verdict).toMatchObject({ level: 'unknown', verdict: 'caution', signals: { unsupported_chain: true } });
    expect(verdict.reasons[0]).toContain("'bsc'");
  });
});

describe('look-alikes', () => {
  const genuine = '0xabcd000000000000000000000000000000001234';
  const bait = '0xabcd999999999999999999999999999999991234';
  const paid = (address: string) => ({ address, lastAt: NOW - DAY_MS, txHash: '0xfeed' });

  it('shares both ends with an earlier recipient and is another address', () => {
    expect(findLookalikes('ethereum', [bait], [paid(genuine)], 2)).toEqual([{ address: bait, genuine: paid(genuine) }]);
    expect(findLookalikes('ethereum', [genuine], [paid(genuine)], 2)).toEqual([]);
    expect(findLookalikes('ethereum', [bait], [paid(genuine), paid(bait)], 2)).toEqual([]);
    expect(findLookalikes('ethereum', [bait.replace('0xabcd', '0xabed')], [paid(genuine)], 2)).toEqual([]);
    expect(findLookalikes('ethereum', [bait.replace(/1234$/, '1334')], [paid(genuine)], 2)).toEqual([]);
  });

  it('is danger, and the reason shows both addresses, the evidence and the whole difference', () => {
    const verdict = judge({ lookalikes: [{ address: bait, genuine: paid(genuine) }] });
    expect(verdict).toMatchObject({ verdict: 'danger', level: 'high', signals: { lookalike: true } });
    for (const part of [bait, genuine, '0xfeed', '2026-11-19', `"${'9'.repeat(32)}"`, `"${'0'.repeat(32)}"`]) {
      expect(verdict.reasons[0]).toContain(part);
    }
  });

  it('compares who receives, who is granted and who takes control, not the signer', () => {
    const calldata = doing(
      { kind: 'move', call: 'transfer', owner: null, to: ALICE, signed: false },
      { kind: 'grant', call: 'approve', spender: BOB, amount: 1n, bits: 256, collection: false },
      { kind: 'control', call: 'upgradeTo', to: bait },
      { kind: 'move', call: 'transfer', owner: null, to: SIGNER, signed: false },
    );
    expect(comparedOf({ ...PLAIN, spender: genuine, ...calldata })).toEqual([TO, genuine, ALICE, BOB, bait]);
  });
});

it('verdict, level and score always agree, what decides names its address, and more findings never lower the score', () => {
  const action = fc.constantFrom<Action>(
    { kind: 'move', call: 'transferFrom', owner: ALICE, to: BOB, signed: false },
    { kind: 'move', call: 'transfer', owner: null, to: BOB, signed: false },
    { kind: 'grant', call: 'approve', spender: BOB, amount: null, bits: 256, collection: false },
    { kind: 'revoke', call: 'approve', spender: BOB },
    { kind: 'lure', call: 'claim', value: null },
    { kind: 'control', call: 'upgradeTo', to: ALICE },
    { kind: 'lifetime', call: 'permit', until: 2n ** 255n },
  );
  const labels = fc.array(
    fc.constantFrom(...CATEGORIES).map((category) => label(category)),
    { maxLength: 3 },
  );
  const given = fc.record({
    actions: fc.array(action, { maxLength: 5 }),
    broken: fc.boolean(),
    carriesValue: fc.boolean(),
    storesRead: fc.boolean(),
    seen: fc.boolean(),
    ofTo: labels,
    ofBob: labels,
  });
  fc.assert(
    fc.property(given, action, (one, more) => {
      const run = (actions: Action[]) =>
        judge(
          {
            ...one,
            calldata: { ...doing(...actions).calldata, faults: one.broken ? [{ fault: 'dirty', call: 'x' }] : [] },
          },
          { [TO]: one.ofTo, [BOB]: one.ofBob },
        );
      const verdict = run(one.actions);
      const { level, score, reasons, confidence } = verdict;
      const unknown = level === 'unknown';
      if (unknown) expect(score).toBe(0);
      else expect(level).toBe(score >= 85 ? 'critical' : score >= 60 ? 'high' : score >= 30 ? 'medium' : 'low');
      expect(verdict.verdict).toBe(score >= 60 ? 'danger' : unknown || score >= 30 ? 'caution' : 'ok');
      if (verdict.verdict !== 'ok') expect(reasons.length).toBeGreaterThan(0);
      if (score > 0) expect([TO, ALICE, BOB].some((address) => reasons[0]?.includes(address))).toBe(true);
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(1);
      const longer = run([...one.actions, more]);
      const order = ['ok', 'caution', 'danger'];
      expect(order.indexOf(longer.verdict)).toBeGreaterThanOrEqual(order.indexOf(verdict.verdict));
      expect(longer.score).toBeGreaterThanOrEqual(score);
    }),
    { numRuns: 2_000 },
  );
});

describe('what graph and scans know', () => {
  const history = (given: Partial<PartyHistory>): PartyHistory => ({
    lastScan: null,
    exposures: [],
    subject: 'address',
    isBait: false,
    ...given,
  });
  const known = (given: Partial<PartyHistory>, more: Partial<PresignCase> = {}) =>
    judge({ historyOf: (address) => (address === TO ? history(given) : null), ...more });
  const scan = (level: RiskLevel, score: number, days: number, isOwn = false) => ({
    lastScan: { level, score, at: NOW - days * DAY_MS, ownAt: isOwn ? NOW - days * DAY_MS : null, isPartial: false },
  });
  const exposure = (given: Partial<KnownExposure>): KnownExposure => ({
    category: 'sanctioned',
    direction: 'in',
    usd: 0,
    share: 0,
    recentUsd: 0,
    recentShare: 0,
    unpricedShare: null,
    hasUnpriced: false,
    ...given,
  });

  it.each([
    ['CRITICAL', 95, 29, 'danger', 95],
    ['HIGH', 75, 30, 'danger', 75],
    ['HIGH', 75, 31, 'caution', 59],
    ['MEDIUM', 45, 1, 'caution', 45],
    ['UNKNOWN', 0, 1, 'caution', 30],
    ['LOW', 20, 1, 'ok', 0],
    ['LOW', 20, 400, 'ok', 0],
  ] as const)(
    'a scan that rated the destination %s (%i) %i days ago makes it %s',
    (level, score, days, verdict, shown) => {
      expect(known(scan(level, score, days))).toMatchObject({ verdict, score: shown });
    },
  );

  it('a LOW that rests on a part says so, and cautions where 1,000 USD, coins without a price or an unsaid value are sent', () => {
    const partly = { lastScan: { ...scan('LOW', 20, 1).lastScan, isPartial: true } };
    const sending = (more: Partial<PresignCase>) => known(partly, more);
    expect(sending({ valueUsd: 999, carriesValue: true })).toMatchObject({
      verdict: 'ok',
      signals: { scan_risk: false },
    });
    expect(sending({ valueUsd: 999 }).reasons.join()).toContain('rated it LOW on a part');
    // Without a value it may be any; a call without one carries none.
    expect(sending({ valueUsd: null, calldata: { actions: [], faults: [] } })).toMatchObject({ verdict: 'ok' });
    expect(sending({ valueUsd: 0 })).toMatchObject({ verdict: 'ok' });
    const named = { labelsOf: () => [label('exchange')] };
    expect(sending({ valueUsd: null, ...named })).toMatchObject({ verdict: 'ok' });
    for (const more of [{ valueUsd: 1_000 }, { valueUsd: null }, { valueUsd: null, carriesValue: true }]) {
      expect(sending(more)).toMatchObject({ verdict: 'caution', score: 30, signals: { scan_risk: true } });
    }
    expect(known(scan('LOW', 20, 1), { valueUsd: 5_000 })).toMatchObject({ verdict: 'ok', reasons: [] });
  });

  it('names the day of a scan only to whoever made it', () => {
    expect(known(scan('HIGH', 75, 2, true)).reasons[0]).toContain('of 2026-11-18');
    expect(known(scan('HIGH', 75, 2, false)).reasons[0]).not.toMatch(/\d{4}-\d{2}/);
  });

  it('grades direct exposure by the table of the rule set', () => {
    const of = (given: Partial<KnownExposure>) => known({ exposures: [exposure(given)] });
    const paidBack = { category: 'theft', usd: 8_500_000, share: 0.9 } as const;
    expect(of(paidBack).verdict).toBe('danger');
    expect(of({ ...paidBack, isReturned: true }).verdict).toBe('caution');
    expect(of({ usd: 50, share: 0.001 })).toMatchObject({ verdict: 'ok', score: 0 });
    expect(of({ usd: 150, share: 0.001 })).toMatchObject({ verdict: 'caution', score: 30 });
    expect(of({ usd: 5_000, share: 0.5 })).toMatchObject({ verdict: 'danger', score: 85 });
    expect(of({ usd: 5_000, share: 0.5 }).reasons[0]).toContain('received 5,000 USD (50.0% of its known inflow)');
    // Sums do not distinguish a victim from a customer.
    expect(of({ category: 'scam', direction: 'out', usd: 5_000, share: 1 })).toMatchObject({ verdict: 'caution' });
  });

  it('cautions of a known bait whoever signs', () => {
    expect(known({ isBait: true }, { signer: null })).toMatchObject({ verdict: 'caution' });
  });

  it('cautions of a large payment to somebody never scanned, and of a service without lists', () => {
    expect(known({}, { valueUsd: 1_000 })).toMatchObject({ verdict: 'caution' });
    expect(known({}, { valueUsd: 1_000 }).reasons[0]).toContain('Never scanned');
    expect(known({}, { valueUsd: 999 })).toMatchObject({ verdict: 'ok' });
    expect(known(scan('LOW', 0, 3), { valueUsd: 1_000 })).toMatchObject({ verdict: 'ok' });
    for (const [listGap, reason] of [
      ['no_labels', 'No label lists are loaded.'],
      ['no_lists', 'No sanctions list is loaded.'],
      ['lists_stale', 'A sanctions list is older than twice its interval.'],
    ] as const) {
      expect(judge({ listGap })).toMatchObject({ verdict: 'caution', reasons: [reason] });
    }
    expect(judge({ listGap: null }).verdict).toBe('ok');
  });
});

describe('trading', () => {
  const unknownCall = { calldata: { actions: [], faults: [{ fault: 'unknown_call', call: '0x12345678' } as const] } };

  it('a call of its own at a labelled router is not a reason to caution; elsewhere it is', () => {
    const router = { [TO]: [label('dex_router')] };
    expect(judge(unknownCall, router)).toMatchObject({ verdict: 'ok', reasons: [] });
    expect(judge(unknownCall, { [TO]: [label('dex_router', { confidence: 60 })] }).verdict).toBe('caution');
    expect(judge(unknownCall).verdict).toBe('caution');
  });

  it('the receiver of a swap is looked at like every other', () => {
    const swap = (to: string) => decodeCalldata('ethereum', swapData(to), TO);
    const labels = { [TO]: [label('dex_router')], [BOB]: [label('drainer', { address: BOB })] };
    expect(judge({ calldata: swap(SIGNER) }, labels)).toMatchObject({ verdict: 'ok', score: 0 });
    expect(judge({ calldata: swap(BOB) }, labels)).toMatchObject({ verdict: 'danger', score: 95 });
  });

  it('a token that the product prices was seen', () => {
    const usdc = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';
    expect(raised(judge({ to: usdc, seen: false }))).toEqual([]);
    expect(raised(judge({ seen: false }))).toEqual(['never_seen']);
  });
});

/** swapExactETHForTokens with a path of two tokens. */
function swapData(to: string): string {
  const word = (hex: string) => hex.replace(/^0x/, '').padStart(64, '0');
  const words = ['1', '80', to, 'ffffffff', '2', ALICE, ALICE].map(word);
  return `0x7ff36ab5${words.join('')}`;
}
