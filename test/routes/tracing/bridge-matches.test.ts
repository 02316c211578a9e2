import { describe, expect, it } from 'vitest';
import { addressKey } from '../../../src/domain/address/address-key.ts';
import type { Statement } from '../../../src/domain/bridges/join-statements.ts';
import type { BridgeMessage } from '../../../src/domain/bridges/message.ts';
import type { Chain } from '../../../src/domain/chain.ts';
import { iso } from '../../../src/domain/time.ts';
import { keepCrossings } from '../../../src/graph/ingest/keep-crossings.ts';
import { readParties } from '../../../src/graph/queries/presign.ts';
import { MATCH_DECISIONS_PER_ACCOUNT, PLANS } from '../../../src/plans.ts';
import { gatherAddressReport } from '../../../src/questions/cases/report/gather-address-report.ts';
import { NOW, openTestApp, type TestApp } from '../../app/test-app.ts';
import { build } from '../../graph/world.ts';
import { putLabels } from '../../labels/label-of.ts';

const person = (n: number) => `0x${n.toString(16).padStart(2, '0').repeat(20)}`;
const [THIEF, SENDER, POOL, SOLVER, RECIPIENT, EXCHANGE] = [1, 2, 3, 4, 5, 6].map(person) as [
  string,
  string,
  string,
  string,
  string,
  string,
];
const hash = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
const AT = NOW - 10 * 86_400_000;
const CROSSING = `ethereum:${hash(2)}:3`;

function side(name: BridgeMessage['side'], chain: Chain, more: Partial<BridgeMessage>): BridgeMessage {
  return {
    protocol: 'celer',
    side: name,
    chain,
    tx: hash(2),
    position: 3,
    at: AT + 1_000,
    id: null,
    route: { from: { chain: 'ethereum', raw: '1' }, to: { chain: 'arbitrum', raw: '42161' } },
    sender: SENDER,
    recipient: RECIPIENT,
    asset: 'ETH',
    token: null,
    assetId: 'coin',
    amount: '100',
    agreed: {},
    expiresAt: null,
    explains: [`ethereum:${hash(2)}:native`],
    ...more,
  };
}

const LIKELY: Statement = {
  message: side('source', 'ethereum', { id: '0x77' }),
  near: `ethereum:${SENDER}`,
  far: `ethereum:${POOL}`,
  usd: 100_000,
  missing: 'bridge_not_found',
  likely: side('destination', 'arbitrum', {
    tx: hash(3),
    at: AT + 2_000,
    sender: null,
    amount: '99.5',
    explains: [`arbitrum:${hash(3)}:native`],
  }),
  lookedUpAt: NOW - 1_000,
};

/** A theft whose money likely crossed a bridge to an exchange, and desks that look at it. */
async function openWorld() {
  const test = await openTestApp();
  const labels = [
    { chain: 'ethereum' as const, address: THIEF, category: 'theft' as const, label: 'Pantry exploiter' },
    { chain: 'arbitrum' as const, address: EXCHANGE, category: 'exchange' as const, label: 'Counter' },
  ].map((label) => ({ ...label, source: 'desk', confidence: 100 }));
  await putLabels(test.ctx.labels, labels as never);
  const coin = { asset: 'ETH', kind: 'native' as const };
  await build(test.ctx.graph, {
    labels: {
      [THIEF]: { category: 'theft', label: 'Pantry exploiter' },
      [EXCHANGE]: { category: 'exchange', label: 'Counter' },
    },
    transfers: [
      { ...coin, at: AT, from: THIEF, to: SENDER, usd: 100_000, amount: '100', txHash: hash(1) },
      {
        ...coin,
        id: `ethereum:${hash(2)}:native`,
        at: AT + 1_000,
        from: SENDER,
        to: POOL,
        usd: 100_000,
        amount: '100',
        txHash: hash(2),
      },
      {
        ...coin,
        chain: 'arbitrum',
        at: AT + 2_000,
        id: `arbitrum:${hash(3)}:native`,
        from: SOLVER,
        to: RECIPIENT,
        usd: 99_500,
        amount: '99.5',
        txHash: hash(3),
      },
      {
        ...coin,
        chain: 'arbitrum',
        at: AT + 3_000,
        from: RECIPIENT,
        to: EXCHANGE,
        usd: 99_500,
        amount: '99.5',
        txHash: hash(4),
      },
    ],
  });
  await keepCrossings(test.ctx.graph, [LIKELY]);
  return test;
}

async function openDesk(test: TestApp, planId: 'pro' | 'business' | 'starter' = 'business') {
  const { key, accountId, keyId } = await test.issue(planId);
  const ask = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const headers = { 'x-api-key': key };
    const reply = await test.app.inject({ method, url: `/api/v1${url}`, headers, ...(payload && { payload }) });
    return { status: reply.statusCode, body: reply.json() };
  };
  const decide = (decision: string, more: object = {}) =>
    ask('PUT', '/graph/bridge-matches', {
      address: RECIPIENT,
      chain: 'arbitrum',
      crossing_id: CROSSING,
      tx_hash: hash(3),
      decision,
      reason: 'Same amount within a minute',
      ...more,
    });
  const terminals = async (query = '') => {
    const { body } = await ask('GET', `/exposure/${SENDER}/terminals?chain=ethereum&max_hops=5${query}`);
    return body.terminals as { address: string; path: { bridge?: Record<string, unknown> }[] }[];
  };
  const path = async () => {
    const [from, to] = [
      { from_address: SENDER, chain: 'ethereum' },
      { to_address: EXCHANGE, to_chain: 'arbitrum' },
    ];
    return (await ask('POST', '/graph/flow-path', { ...from, ...to })).body;
  };
  const origins = async () => {
    const { body } = await ask('GET', `/exposure/${RECIPIENT}?chain=arbitrum&max_hops=5`);
    return JSON.stringify(body).includes('Pantry exploiter');
  };
  return { ask, decide, terminals, path, origins, accountId, keyId };
}

describe('a likely match of a bridge', { timeout: 120_000 }, () => {
  it('is shown and ends the money, and is followed where the question asks for it', async () => {
    const { terminals, ask } = await openDesk(await openWorld());
    const bridge = {
      crossing_id: CROSSING,
      match: 'likely',
      reason: 'bridge_likely',
      source: { tx_hash: hash(2), amount: '100' },
      destination: { chain: 'arbitrum', address: RECIPIENT, tx_hash: hash(3), amount: '99.5' },
      bridge_fee: '0.5',
    };
    expect(await terminals()).toMatchObject([{ address: POOL, terminal_category: 'bridge', path: [{ bridge }] }]);
    expect(await terminals('&likely_matches=follow')).toMatchObject([
      { address: EXCHANGE, chain: 'arbitrum', path: [{ bridge: { ...bridge, reason: null } }, {}] },
    ]);
    expect(await terminals('&likely_matches=follow&cross_chain=off')).toMatchObject([{ address: POOL }]);
    const exposure = (query: string) => ask('GET', `/exposure/${RECIPIENT}?chain=arbitrum&max_hops=5${query}`);
    expect(JSON.stringify((await exposure('')).body)).not.toContain('Pantry exploiter');
    expect((await exposure('')).body.note).not.toMatch(/likely/);
    const followed = (await exposure('&likely_matches=follow')).body;
    expect(JSON.stringify(followed)).toContain('Pantry exploiter');
    const said = 'was followed over bridges whose other side is only likely (likely_matches=follow).';
    expect(followed.note).toContain(`99,500 USD ${said}`);
    const ends = `/exposure/${SENDER}/terminals?chain=ethereum&max_hops=5`;
    expect((await ask('GET', `${ends}&likely_matches=follow`)).body.note).toContain(`100,000 USD ${said}`);
    expect((await ask('GET', ends)).body.note).not.toContain('likely_matches');
    expect((await exposure('&likely_matches=yes')).status).toBe(422);
  });

  it('that an account confirms is followed by its answers alone, with who confirmed it and when', async () => {
    const test = await openWorld();
    const [desk, other] = [await openDesk(test), await openDesk(test)];
    const before = await other.terminals();
    const { status, body } = await desk.decide('confirmed');
    expect(status).toBe(200);
    const decision = {
      crossing_id: CROSSING,
      source: { chain: 'ethereum', tx_hash: hash(2) },
      destination: { chain: 'arbitrum', tx_hash: hash(3) },
      decision: 'confirmed',
      reason: 'Same amount within a minute',
      author: 'test',
      created_at: new Date(NOW).toISOString(),
      in_force: true,
    };
    expect(body).toEqual({ decision });
    const confirmed = { by: 'test', at: new Date(NOW).toISOString() };
    expect(await desk.terminals()).toMatchObject([
      { address: EXCHANGE, path: [{ bridge: { match: 'confirmed', confirmed, reason: null } }, {}] },
    ]);
    expect(await desk.origins()).toBe(true);
    expect(await desk.path()).toMatchObject({
      found: true,
      paths: [{ hops: [{ bridge: { match: 'confirmed' } }, {}] }],
    });

    expect(await other.terminals()).toEqual(before);
    expect(await other.origins()).toBe(false);
    expect(await other.path()).toMatchObject({ found: false, coverage: { reasons: ['bridge_likely', 'not_read'] } });
    expect((await other.ask('GET', '/graph/bridge-matches')).body).toEqual({
      decisions: [],
      total: 0,
      limit: 50,
      offset: 0,
    });
    const keyless = await test.app.inject({ url: `/api/v1/exposure/${RECIPIENT}?chain=arbitrum&max_hops=5` });
    expect(keyless.body).not.toContain('Pantry exploiter');
  });

  it('that an account rejects is no longer shown to it', async () => {
    const test = await openWorld();
    const [desk, other] = [await openDesk(test), await openDesk(test)];
    await desk.decide('rejected');
    for (const query of ['', '&likely_matches=follow']) {
      expect(await desk.terminals(query)).toMatchObject([
        {
          address: POOL,
          path: [{ bridge: { match: null, reason: 'bridge_not_found', destination: { tx_hash: null, amount: null } } }],
        },
      ]);
    }
    expect(await other.terminals()).toMatchObject([{ path: [{ bridge: { match: 'likely' } }] }]);
  });

  it('can be decided again: the newest decision counts, and all stay listed', async () => {
    const test = await openWorld();
    const desk = await openDesk(test);
    for (const decision of ['confirmed', 'rejected', 'withdrawn']) {
      expect((await desk.decide(decision)).status).toBe(200);
      test.time.at += 1_000;
    }
    expect(await desk.terminals()).toMatchObject([{ path: [{ bridge: { match: 'likely' } }] }]);
    const listed = async (query: string) => (await desk.ask('GET', `/graph/bridge-matches${query}`)).body;
    const rows = (await listed('')).decisions as { decision: string; in_force: boolean }[];
    expect(rows.map(({ decision, in_force }) => [decision, in_force])).toEqual([
      ['withdrawn', true],
      ['rejected', false],
      ['confirmed', false],
    ]);
    expect(await listed('?limit=1&offset=2')).toMatchObject({ decisions: [{ decision: 'confirmed' }], total: 3 });
  });

  it('counts as decided last, also by several at once or with a clock that went back, and all stay listed', async () => {
    const test = await openWorld();
    const desk = await openDesk(test);
    const decisions = ['confirmed', 'rejected', 'confirmed', 'rejected'];
    const at = (await Promise.all(decisions.map((decision) => desk.decide(decision)))).map(
      ({ body }) => body.decision.created_at,
    );
    expect(new Set(at).size).toBe(4);
    test.time.at -= 60_000;
    expect((await desk.decide('withdrawn')).status).toBe(200);
    const { body } = await desk.ask('GET', '/graph/bridge-matches');
    expect(body.total).toBe(5);
    expect(body.decisions[0]).toMatchObject({ decision: 'withdrawn', in_force: true });
    expect(body.decisions.filter((one: { in_force: boolean }) => one.in_force)).toHaveLength(1);
    expect(await desk.terminals()).toMatchObject([{ path: [{ bridge: { match: 'likely' } }] }]);
  });

  it('dates the newest decision on the ways of its money in the report of an address, withdrawn or not', async () => {
    const test = await openWorld();
    const [desk, other] = [await openDesk(test), await openDesk(test)];
    const decidedAt = async ({ accountId, keyId }: typeof desk) => {
      const tenant = { accountId, keyId, planId: 'business', plan: PLANS.business } as const;
      const request = { chain: 'arbitrum', address: RECIPIENT, maxHops: 5, language: 'en' } as const;
      return (await gatherAddressReport(test.ctx, tenant, request)).input.decidedAt;
    };
    expect(await decidedAt(desk)).toBeNull();
    for (const decision of ['confirmed', 'rejected', 'withdrawn']) {
      test.time.at += 1_000;
      await desk.decide(decision);
      expect(await decidedAt(desk)).toBe(iso(test.time.at));
    }
    expect(await decidedAt(other)).toBeNull();
  });

  it('can be withdrawn once no more decisions can be made', async () => {
    const test = await openWorld();
    const desk = await openDesk(test);
    await desk.decide('confirmed');
    const [row] = await test.ctx.records.selectFrom('match_decisions').selectAll().execute();
    const old = (n: number) => ({ ...row!, crossing_id: `old ${n}` });
    for (let start = 1; start < MATCH_DECISIONS_PER_ACCOUNT; start += 500) {
      const length = Math.min(500, MATCH_DECISIONS_PER_ACCOUNT - start);
      const rows = Array.from({ length }, (_, i) => old(start + i));
      await test.ctx.records.insertInto('match_decisions').values(rows).execute();
    }
    expect((await desk.decide('rejected')).status).toBe(400);
    expect((await desk.decide('withdrawn')).status).toBe(200);
    expect((await desk.decide('withdrawn')).status).toBe(400);
    expect(await desk.terminals()).toMatchObject([{ path: [{ bridge: { match: 'likely' } }] }]);
  });

  it('changes the scans of the account that confirmed it, and not the score that others use', async () => {
    const test = await openWorld();
    const [desk, other] = [await openDesk(test), await openDesk(test)];
    const scan = async ({ ask }: typeof desk) =>
      (await ask('POST', '/public/scan', { address: RECIPIENT, chain: 'arbitrum' })).body;
    const key = addressKey('arbitrum', RECIPIENT);
    const kept = async () => {
      const bounds = { counterpartiesMax: 0, recentMs: 0, timeoutMs: 10_000 };
      return (await readParties(test.ctx.graph, [key], bounds)).get(key)?.lastScore ?? null;
    };
    await desk.decide('confirmed');
    const mine = await scan(desk);
    expect(JSON.stringify(mine.detections)).toContain('Pantry exploiter');
    expect(await kept()).toBeNull();
    const theirs = await scan(other);
    expect(JSON.stringify(theirs.detections)).not.toContain('Pantry exploiter');
    expect(theirs.risk_score).toBeLessThan(mine.risk_score);
    expect(await kept()).toMatchObject({ score: theirs.risk_score });
    test.time.at += 1_000;
    await scan(desk);
    expect(await kept()).toMatchObject({ score: theirs.risk_score });
  });

  it('is written into the timeline and the audit log of a case of the account', async () => {
    const test = await openWorld();
    const [desk, other] = [await openDesk(test), await openDesk(test)];
    const { id } = (await desk.ask('POST', '/cases', { title: 'Pantry' })).body.case;
    expect((await other.decide('confirmed', { case_id: id })).status).toBe(404);
    expect(await other.terminals()).toMatchObject([{ address: POOL }]);
    expect((await desk.decide('confirmed', { case_id: id })).status).toBe(200);
    const { notes } = (await desk.ask('GET', `/cases/${id}`)).body;
    expect(notes.at(-1)).toMatchObject({
      content: `Likely match of ethereum ${hash(2)} with arbitrum ${hash(3)} confirmed: Same amount within a minute`,
      note_type: 'decision',
      author: 'test',
      event: {
        kind: 'match_decided',
        decision: 'confirmed',
        source: { chain: 'ethereum', tx_hash: hash(2) },
        destination: { chain: 'arbitrum', tx_hash: hash(3) },
        reason: 'Same amount within a minute',
      },
    });
    const audit = await test.ctx.records
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'match_decided')
      .where('case_id', '=', id)
      .execute();
    expect(audit).toMatchObject([
      {
        chain: desk.accountId,
        key_id: desk.keyId,
        case_id: id,
        subject: `${CROSSING} arbitrum:${hash(3)} confirmed`,
      },
    ]);
  });

  it('is the only thing that can be decided, by plans with tracing', async () => {
    const test = await openWorld();
    const desk = await openDesk(test);
    const refused = await Promise.all([
      desk.decide('confirmed', { crossing_id: `ethereum:${hash(2)}:4` }),
      desk.decide('confirmed', { tx_hash: hash(4) }),
      desk.decide('confirmed', { address: EXCHANGE }),
      desk.decide('confirmed', { address: 'nobody' }),
      desk.decide('sure'),
      desk.decide('confirmed', { reason: ' ' }),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 400, 422, 422]);
    expect(refused[0]!.body).toMatchObject({ detail: 'This crossing has no likely match with that transaction' });
    expect((await desk.decide('confirmed', { address: SENDER, chain: 'ethereum' })).status).toBe(200);
    const starter = await openDesk(test, 'starter');
    expect(await starter.decide('confirmed')).toMatchObject({
      status: 403,
      body: { detail: 'Tracing is a Pro feature.' },
    });
    const joined = { ...LIKELY, missing: null, likely: null, lookedUpAt: NOW };
    const arrived = { ...joined, message: { ...(LIKELY.likely as BridgeMessage), id: '0x77' } };
    await keepCrossings(test.ctx.graph, [joined, { ...arrived, near: `arbitrum:${RECIPIENT}` }]);
    expect((await desk.decide('rejected')).status).toBe(404);
    expect(await desk.terminals()).toMatchObject([{ address: EXCHANGE, path: [{ bridge: { match: 'id' } }, {}] }]);
  });
});
