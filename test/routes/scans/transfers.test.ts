import { describe, expect, it } from 'vitest';
import type { Move } from '../../../fixtures/demo/model.ts';
import type { ChainTransaction } from '../../../src/chains/port.ts';
import { coinJoinAddress } from '../../../src/domain/coinjoin/transaction.ts';
import type { Label } from '../../../src/domain/label.ts';
import { createTransfer } from '../../../src/domain/transfers/transfer.ts';
import { SourceError } from '../../../src/errors.ts';
import { alertListedParties } from '../../../src/questions/transfers/watch-transfers.ts';
import { openApp, serveWorld, world } from '../../app/demo-world.ts';
import type { TestApp } from '../../app/test-app.ts';
import { workFor } from '../../app/work-for.ts';
import { putLabels } from '../../labels/label-of.ts';

serveWorld();

const MINUTE = 60_000;
const HASH = `0x${'ab'.repeat(32)}`;

/** A lone payment of the demo world to the saver. */
const payment = (): Move => {
  const counts = new Map<string, number>();
  for (const { txHash } of world.moves.ethereum) counts.set(txHash, (counts.get(txHash) ?? 0) + 1);
  return world.moves.ethereum.find(
    ({ txHash, kind, failed, from, to, amount }) =>
      counts.get(txHash) === 1 && kind === 'native' && !failed && from !== to && Number(amount) > 0,
  )!;
};

/** Answers of the chain about one transaction, which a test changes while it waits. */
async function openDesk(replies?: { transaction: ChainTransaction | null | Error }, plan: 'pro' | 'free' = 'pro') {
  const test = await openApp();
  if (replies) {
    const open = test.ctx.chainSource;
    test.ctx.chainSource = async (chain) => {
      const source = await open(chain);
      return (
        source && {
          ...source,
          transaction: async () => {
            if (replies.transaction instanceof Error) throw replies.transaction;
            return replies.transaction;
          },
        }
      );
    };
  }
  const { key, accountId } = await test.issue(plan);
  const call = async (method: 'GET' | 'POST', url: string, payload?: object, extra = {}) => {
    const headers = { 'x-api-key': key, ...extra };
    const reply = await test.app.inject({ method, url: `/api/v1${url}`, headers, payload });
    return { status: reply.statusCode, body: reply.json() };
  };
  const work = () => workFor(test.ctx);
  const job = (id: string) =>
    test.ctx.records.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  // Not over HTTP, where a plan allows so many questions a minute.
  const ended = async (id: string) => {
    const isOver = async () => /completed|failed/.test((await job(id)).status);
    await expect.poll(isOver, { interval: 20 }).toBe(true);
    return (await call('GET', `/transfers/${id}`)).body;
  };
  /** Until a worker has given the job back for the nth time. */
  const looked = async (id: string, times: number) => {
    const isBack = async () => (await job(id)).attempts >= times && (await job(id)).status === 'queued';
    await expect.poll(isBack, { interval: 20 }).toBe(true);
  };
  const events = async () =>
    (
      await test.ctx.records
        .selectFrom('events')
        .selectAll()
        .where('account_id', '=', accountId)
        .orderBy('created_at')
        .execute()
    ).map(({ type, payload }) => ({ type, ...JSON.parse(payload) }));
  const used = async () => (await call('GET', '/public/usage')).body.scans_used;
  return { test, call, work, ended, looked, events, used, job };
}

const deposit = (extra: object = {}) => ({
  chain: 'ethereum',
  tx_hash: HASH,
  direction: 'deposit',
  reference: 'dep-1',
  ...extra,
});

function transaction(transfers: ReturnType<typeof createTransfer>[], status: ChainTransaction['status'] = 'success') {
  const at = Date.parse('2026-11-19T10:00:00Z');
  return { txHash: HASH, block: 1, at, status, transfers, accounts: [], type: null } as ChainTransaction;
}

const move = (from: string, to: string, amount: string, more: object = {}) =>
  createTransfer({
    ...{ chain: 'ethereum', txHash: HASH, at: Date.parse('2026-11-19T10:00:00Z'), from, to },
    ...{ asset: 'ETH', amount, kind: 'native', ...more },
  });

const label = (address: string, more: Partial<Label> = {}): Label => ({
  ...{ chain: 'ethereum', address, category: 'sanctioned', label: 'Listed', source: 'own-list', confidence: 100 },
  ...{ entity: null, validFrom: null, validTo: null, maliciousContract: false, ...more },
});

async function put(test: TestApp, labels: Label[]) {
  await putLabels(test.ctx.labels, labels);
}

const unused = (n: number) => `0x${n.toString(16).padStart(40, 'd')}`;

describe('a deposit', () => {
  it('is screened once confirmed, billed one scan, announced with its reference, and watched for 30 days', async () => {
    const { test, call, work, ended, events, used } = await openDesk();
    const { txHash, from, to, amount } = payment();
    const wanted = amount.includes('.') ? `${amount}0` : amount;
    const body = deposit({ tx_hash: txHash, asset: 'eth', amount: wanted, address: to, customer_ref: 'c-7' });
    const given = await call('POST', '/transfers', body);
    expect([given.status, given.body.transfer.state]).toEqual([202, 'waiting']);
    const { id } = given.body.transfer;
    expect(await used()).toBe(1);
    work();
    const found = await ended(id);
    expect(found).toMatchObject({
      ...{ state: 'screened', reference: 'dep-1', customer_ref: 'c-7', counterparties_total: 1 },
      moved: [{ asset: 'ETH', amount }],
      counterparties: [{ address: from, state: 'scanned' }],
    });
    expect(found.risk_level).toBe(found.counterparties[0].risk_level);
    expect(await used()).toBe(1);
    const [event] = (await events()).filter(({ type }) => type === 'scan.completed');
    expect(event).toMatchObject({
      ...{ address: from, risk_level: found.risk_level, source: 'transfer', scan_id: found.counterparties[0].scan_id },
      transfer: { id, reference: 'dep-1', customer_ref: 'c-7', state: 'screened' },
    });
    // The same again is answered as it stands.
    const again = await call('POST', '/transfers', body);
    expect([again.body.transfer.id, await used()]).toEqual([id, 1]);

    test.time.at += 29 * 24 * 60 * MINUTE;
    await put(test, [label(from)]);
    expect(await alertListedParties(test.ctx)).toBe(1);
    expect(await alertListedParties(test.ctx)).toBe(0);
    const alert = (await events()).at(-1);
    expect(alert).toMatchObject({
      ...{ type: 'watchlist.alert', reason: 'transfer_counterparty', address: from, risk_level: 'CRITICAL' },
      transfer: { id, reference: 'dep-1' },
      labels: expect.arrayContaining([{ category: 'sanctioned', label: 'Listed', source: 'own-list' }]),
    });
    const { body: list } = await call('GET', '/transfers?customer_ref=c-7');
    expect([list.total, list.transfers[0].id, list.exposure[0].transfers]).toEqual([1, id, 1]);
    expect((await call('GET', '/transfers?customer_ref=c-8')).body).toMatchObject({ total: 0, exposure: [] });
    test.time.at += 2 * 24 * 60 * MINUTE;
    await put(test, [label(from, { category: 'mixer', source: 'late-list' })]);
    expect(await alertListedParties(test.ctx)).toBe(0);
  });

  it('waits while it is unconfirmed or its source is down, in growing pauses that cost no try', async () => {
    const replies: { transaction: ChainTransaction | null | Error } = { transaction: null };
    const { test, call, work, looked, ended, job } = await openDesk(replies);
    const { from, to } = payment();
    const { id } = (await call('POST', '/transfers', deposit())).body.transfer;
    const pauses: number[] = [];
    for (const [n, reply] of [null, 'pending', new SourceError('ethereum', 'down'), null].entries()) {
      replies.transaction =
        reply === 'pending' ? transaction([move(from, to, '1')], 'pending') : (reply as null | Error);
      if (n > 0) test.time.at = Math.max(test.time.at, (await job(id)).run_at) + (n === 1 ? 0 : 10 * MINUTE);
      if (n === 0) work();
      await looked(id, n + 1);
      pauses.push((await job(id)).run_at - test.time.at);
    }
    expect(pauses[0]).toBe(3_000);
    expect(Math.max(...pauses)).toBe(60_000);
    expect((await job(id)).tries_left).toBe(4);
    replies.transaction = transaction([move(from, to, '1')]);
    test.time.at = (await job(id)).run_at;
    expect((await ended(id)).state).toBe('screened');
  });

  it.each([
    ['is never seen', [null], 'not_found'],
    ['stays unconfirmed', ['pending'], 'unconfirmed'],
    ['is replaced', ['pending', null], 'dropped'],
  ] as const)('says after an hour that its transaction %s, and hands its unit back', async (_what, states, reason) => {
    const replies: { transaction: ChainTransaction | null } = { transaction: null };
    const { test, call, work, looked, ended, events, used } = await openDesk(replies);
    const { from, to } = payment();
    const as = (state: null | 'pending') => state && transaction([move(from, to, '1')], state);
    replies.transaction = as(states[0]);
    const { id } = (await call('POST', '/transfers', deposit())).body.transfer;
    work();
    await looked(id, 1);
    replies.transaction = as(states.at(-1)!);
    test.time.at += 60 * MINUTE;
    expect(await ended(id)).toMatchObject({ state: 'not_confirmed', reason, counterparties: [], watched_until: null });
    expect(await used()).toBe(0);
    expect(await events()).toMatchObject([
      { type: 'watchlist.alert', reason: 'transfer_not_screened', transfer: { id, reference: 'dep-1', reason } },
    ]);
    // A new try is a new transfer.
    expect((await call('POST', '/transfers', deposit())).body.transfer.id).not.toBe(id);
  });

  it.each([
    ['reverted', { status: 'failed' }, {}],
    ['no_such_transfer', {}, { amount: '2' }],
    ['no_such_transfer', {}, { asset: 'USDT' }],
    ['no_counterparty', { from: 'coinbase' }, {}],
  ] as const)('ends as failed with %s, and hands its unit back', async (reason, chain, asked) => {
    const { from, to } = payment();
    const { from: payer = from, status = 'success' } = chain as { from?: string; status?: 'failed' | 'success' };
    const { call, work, ended, used } = await openDesk({ transaction: transaction([move(payer, to, '1')], status) });
    const { id } = (await call('POST', '/transfers', deposit(asked))).body.transfer;
    work();
    expect(await ended(id)).toMatchObject({ state: 'failed', reason, risk_level: null });
    expect(await used()).toBe(0);
  });

  it('from many senders scans five, those on lists first, and is not LOW where others are unknown', async () => {
    const senders = Array.from({ length: 40 }, (_, n) => unused(n));
    const { to } = payment();
    const moves = senders.map((from, n) => move(from, to, String(100 - n)));
    const { test, call, work, ended } = await openDesk({ transaction: transaction(moves) });
    await put(test, [label(senders[39]!)]);
    const { id } = (await call('POST', '/transfers', deposit({ address: to }))).body.transfer;
    work();
    const found = await ended(id);
    expect(found).toMatchObject({ state: 'screened', risk_level: 'CRITICAL', counterparties_total: 40 });
    expect(found.counterparties[0].address).toBe(senders[39]);
    const states = found.counterparties.map(({ state }: { state: string }) => state);
    expect(states.filter((one: string) => one === 'not_scanned')).toHaveLength(35);
  });

  it('from an address that was never used is UNKNOWN and costs nothing', async () => {
    const { to } = payment();
    const { call, work, ended, used, events } = await openDesk({
      transaction: transaction([move(unused(1), to, '1')]),
    });
    const { id } = (await call('POST', '/transfers', deposit())).body.transfer;
    work();
    const found = await ended(id);
    expect(found).toMatchObject({ state: 'screened', reason: 'unused', risk_level: 'UNKNOWN', risk_score: 0 });
    expect(found.counterparties).toMatchObject([{ address: unused(1), state: 'unused', scan_id: null }]);
    expect(await used()).toBe(0);
    expect((await events()).at(-1)).toMatchObject({
      type: 'scan.completed',
      scan_id: null,
      transfer: { reason: 'unused' },
    });
  });

  it('out of a CoinJoin is judged by its transaction', async () => {
    const { to } = payment();
    const coinJoin = coinJoinAddress('cd'.repeat(32));
    const { call, work, ended } = await openDesk({ transaction: transaction([move(coinJoin, to, '1')]) });
    const { id } = (await call('POST', '/transfers', deposit())).body.transfer;
    work();
    expect(await ended(id)).toMatchObject({
      ...{ state: 'screened', risk_level: 'CRITICAL' },
      counterparties: [{ address: coinJoin, category: 'mixer', state: 'by_label' }],
    });
  });
});

describe('a withdrawal', () => {
  const payout = () => {
    const { from, to } = payment();
    return [move(from, to, '5'), ...Array.from({ length: 299 }, (_, n) => move(from, unused(n), '1'))];
  };

  it('of 300 outputs is ambiguous until the address or amount says which', async () => {
    const { call, work, ended } = await openDesk({ transaction: transaction(payout()) });
    const ask = async (more: object) =>
      (await call('POST', '/transfers', { ...deposit(more), direction: 'withdrawal' })).body.transfer.id;
    const { to } = payment();
    const [vague, byAddress, byAmount] = [await ask({}), await ask({ address: to }), await ask({ amount: '5.0' })];
    work();
    expect(await ended(vague)).toMatchObject({ state: 'failed', reason: 'ambiguous' });
    for (const id of [byAddress, byAmount]) {
      expect(await ended(id)).toMatchObject({
        state: 'screened',
        counterparties: [{ address: to }],
        counterparties_total: 1,
      });
    }
  });

  it('in a transaction of several tokens is the one of its asset, and a counterfeit is none', async () => {
    const { from, to } = payment();
    const usdt = '0xdac17f958d2ee523a2206206994597c13d831ec7';
    const fake = unused(77);
    const token = (receiver: string, contract: string, asset: string) =>
      move(from, receiver, '3', { kind: 'token', token: contract, asset });
    const moves = [move(from, unused(1), '3'), token(to, usdt, 'USDT'), token(unused(2), fake, `USDT:${fake}`)];
    const { call, work, ended } = await openDesk({ transaction: transaction(moves) });
    const ask = async (asset: string) =>
      (await call('POST', '/transfers', { ...deposit({ asset }), direction: 'withdrawal' })).body.transfer.id;
    const [bySymbol, byContract] = [await ask('usdt'), await ask(usdt.toUpperCase().replace('0X', '0x'))];
    work();
    for (const id of [bySymbol, byContract]) {
      expect(await ended(id)).toMatchObject({ state: 'screened', counterparties: [{ address: to }] });
    }
  });
});

describe('requests', () => {
  it('of many are answered one by one, under one idempotency key once, and refused whole for want of quota', async () => {
    const { call, used } = await openDesk({ transaction: null });
    const wrong = [deposit({ tx_hash: '0x12' }), {}, null, deposit({ amount: 5 })];
    const transfers = [deposit(), ...wrong, deposit({ reference: 'dep-2' })];
    const first = await call('POST', '/transfers/batch', { transfers }, { 'idempotency-key': 'one' });
    expect(first).toMatchObject({
      status: 202,
      body: {
        results: [
          { transfer: { reference: 'dep-1' }, error: null },
          { transfer: null, error: 'Invalid transaction hash for ethereum' },
          {
            transfer: null,
            error: ['chain', 'tx_hash', 'direction', 'reference'].map((name) => `${name}: Field required`).join('; '),
          },
          { transfer: null, error: 'Input should be a valid dictionary or object to extract fields from' },
          { transfer: null, error: 'amount: Input should be a valid string' },
          { transfer: { reference: 'dep-2' }, error: null },
        ],
      },
    });
    expect(await call('POST', '/transfers/batch', { transfers }, { 'idempotency-key': 'one' })).toEqual(first);
    expect(await used()).toBe(2);
    const many = Array.from({ length: 100 }, (_, n) => deposit({ reference: `more-${n}` }));
    for (let n = 0; n < 9; n++) {
      const batch = many.map((one) => ({ ...one, reference: `${one.reference}-${n}` }));
      expect((await call('POST', '/transfers/batch', { transfers: batch })).status).toBe(202);
    }
    const over = await call('POST', '/transfers/batch', { transfers: many });
    expect([over.status, over.body.detail]).toEqual([
      429,
      'Insufficient scan quota: 98 scans remaining but 100 requested.',
    ]);
    expect((await call('POST', '/transfers/batch', { transfers: [...many, deposit()] })).status).toBe(422);
    expect(await call('POST', '/transfers/batch', { transfers: [deposit({ chain: 'bnb' })] })).toMatchObject({
      status: 400,
      body: { detail: 'No valid transfers' },
    });
    const none = await call('POST', '/transfers/batch', { transfers: [deposit({ tx_hash: '0x12' }), {}] });
    expect([none.status, none.body.detail[0]]).toEqual([
      422,
      { type: 'missing', loc: ['body', 'transfers', 1, 'chain'], msg: 'Field required' },
    ]);
    const long = await call('POST', '/transfers', deposit({ reference: 'x'.repeat(129) }));
    expect(long.status).toBe(422);
    expect((await call('POST', '/transfers', deposit({ amount: '-1' }))).status).toBe(422);
    const other = await call('POST', '/transfers', deposit({ address: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp' }));
    expect([other.status, other.body.detail]).toEqual([400, 'Address does not match chain ethereum']);
  });

  it('of another tenant find nothing, and lists hold nothing of others', async () => {
    const { test, call } = await openDesk({ transaction: null });
    const { id } = (await call('POST', '/transfers', deposit({ customer_ref: 'c-1' }))).body.transfer;
    const headers = await test.headers();
    const ask = (url: string) => test.app.inject({ url: `/api/v1${url}`, headers });
    expect((await ask(`/transfers/${id}`)).statusCode).toBe(404);
    expect((await ask('/transfers?customer_ref=c-1')).json()).toMatchObject({ total: 0, exposure: [] });
    const { key } = await test.issue('free');
    const free = {
      method: 'POST',
      url: '/api/v1/transfers',
      headers: { 'x-api-key': key },
      payload: deposit(),
    } as const;
    expect((await test.app.inject(free)).statusCode).toBe(403);
  });
});
