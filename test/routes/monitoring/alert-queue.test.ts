import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type AlertChange, type AlertHead, afterEvent, NEW_ALERT } from '../../../src/domain/alert.ts';
import { recordEvent } from '../../../src/events/outbox.ts';
import { findAlert, listAlertEvents } from '../../../src/records/monitoring/alerts.ts';
import { openTestApp } from '../../app/test-app.ts';
import '../../setup/seed.ts';

const HOUR = 3_600_000;
const ADDRESS = `0x${'1'.repeat(40)}`;

async function openDesk() {
  const test = await openTestApp();
  const { accountId, key } = await test.issue('enterprise');
  const caller = (by: string) => async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) => {
    const headers = { 'x-api-key': by };
    const reply = await test.app.inject({ method, url: `/api/v1${url}`, headers, payload });
    return { status: reply.statusCode, body: reply.json() };
  };
  const call = caller(key);
  const raise = (data: object = {}, at = test.time.at) =>
    recordEvent(test.ctx.records, {
      ...{ type: 'watchlist.alert' as const, accountId, subject: 'x', at },
      data: { reason: 'high_risk', address: ADDRESS, chain: 'ethereum', risk_level: 'HIGH', ...data },
    });
  const only = async () => (await call('GET', '/alerts')).body.alerts[0];
  const act = async (event: object, by = call) => by('POST', `/alerts/${(await only()).id}/events`, event);
  return { test, accountId, call, caller, raise, only, act };
}

describe('the queue', () => {
  it('holds what monitoring raised, the same while open once with a count, and the time by which it is due', async () => {
    const { test, call, raise, only, act } = await openDesk();
    await raise({ risk_level: 'MEDIUM' });
    test.time.at += 1_000;
    await raise();
    await raise({ address: `0x${'2'.repeat(40)}` });
    const { body } = await call('GET', '/alerts');
    expect(body.total).toBe(2);
    const joined = body.alerts.find(({ address }: { address: string }) => address === ADDRESS);
    expect(joined).toMatchObject({
      state: 'open',
      severity: 'high',
      rule: 'high_risk',
      count: 2,
      seq: 2,
      overdue: false,
    });
    expect(Date.parse(joined.due_at)).toBe(test.time.at + 4 * HOUR);
    // The list of monitoring reads what was raised, each time.
    expect((await call('GET', '/watchlist/alerts')).body.total).toBe(3);
    test.time.at += 4 * HOUR;
    expect((await call('GET', '/alerts?overdue=true')).body.total).toBe(2);
    await act({ kind: 'closed', disposition: 'benign', comment: 'known' });
    const { id } = await only();
    await raise({ address: `0x${'2'.repeat(40)}` });
    // What is raised after the end is another alert.
    expect((await call('GET', '/alerts')).body.total).toBe(3);
    expect((await call('POST', `/alerts/${id}/events`, { kind: 'reopened' })).status).toBeGreaterThan(199);
  });

  it('derives the state of an alert from its events, whatever is done to it', async () => {
    const { test, accountId, act, raise, only } = await openDesk();
    await raise();
    const { id } = await only();
    const step = fc.oneof(
      fc.constantFrom('Aiko', 'Ben', null).map((assignee) => ({ kind: 'assigned', assignee, seq: -1 })),
      fc.constant({ kind: 'commented', comment: 'seen' }),
      fc.integer({ min: 1, max: 60 }).map((minutes) => ({ kind: 'muted', minutes })),
      fc.constantFrom('benign', 'true_positive').map((disposition) => ({ kind: 'closed', disposition, comment: 'x' })),
      fc.constant({ kind: 'reopened' }),
      fc.constant({ kind: 'escalated' }),
      fc.constant({ kind: 'raised' }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        for (const { minutes, ...one } of steps as { kind: string; minutes?: number; seq?: number }[]) {
          test.time.at += 60_000;
          if (one.kind === 'raised') await raise();
          const until = minutes && new Date(test.time.at + minutes * 60_000).toISOString();
          const { seq } = await findAlert(test.ctx.records, accountId, id);
          if (one.kind !== 'raised') await act({ ...one, ...(until && { until }), ...(one.seq && { seq }) });
        }
        const row = await findAlert(test.ctx.records, accountId, id);
        let head: AlertHead = NEW_ALERT;
        for (const { kind, at, data } of await listAlertEvents(test.ctx.records, id, 1_000)) {
          const { until, ...change } = JSON.parse(data);
          head = afterEvent(head, { ...change, kind, ...(until && { until: Date.parse(until) }) } as AlertChange, at);
        }
        expect(row).toMatchObject(head);
      }),
      { numRuns: 10 },
    );
  });

  it('lets one of two win who act at once, and says to the other what holds', async () => {
    const { test, accountId, caller, call, raise, only, act } = await openDesk();
    await raise();
    const { insertKey } = await import('../../../src/records/accounts/keys.ts');
    const other = caller((await insertKey(test.ctx.records, { accountId, name: 'Ben' }, test.time.at)).key);
    const { seq } = await only();
    const close = { kind: 'closed', disposition: 'benign', comment: 'known', seq };
    const both = await Promise.all([act(close), act(close, other)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await act({ kind: 'assigned' })).body.detail).toBe('Alert is closed');
    expect((await act({ kind: 'reopened' })).body.alert).toMatchObject({ state: 'open', disposition: null });
    expect((await act({ kind: 'assigned' })).body.alert).toMatchObject({ state: 'assigned', assignee: 'test' });
    expect((await act({ kind: 'assigned' }, other)).body.detail).toBe('Alert is assigned to test');
    expect((await act({ kind: 'commented', comment: 'mine' }, other)).status).toBe(200);
    const taken = await act({ kind: 'assigned', seq: (await only()).seq }, other);
    expect(taken.body.alert.assignee).toBe('Ben');
    expect((await act({ ...close, seq: 1 })).body.detail).toBe('Alert has changed: read it again');
    const { id } = await only();
    const { body } = await call('GET', `/alerts/${id}`);
    expect(body.events.map(({ kind }: { kind: string }) => kind)).toEqual([
      ...['raised', 'closed', 'reopened', 'assigned', 'commented', 'assigned'],
    ]);
    expect(body.events[4]).toMatchObject({ actor: 'Ben', data: { comment: 'mine' } });
  });

  it('goes to a case with its address and a note, mutes until a moment, and refuses what lacks its part', async () => {
    const { test, call, raise, only, act } = await openDesk();
    await raise();
    const escalated = await act({ kind: 'escalated', comment: 'look' });
    const { case_id } = escalated.body.alert;
    const { body } = await call('GET', `/cases/${case_id}`);
    expect([body.addresses[0].address, body.case.priority]).toEqual([ADDRESS, 'high']);
    expect(body.notes.some(({ content }: { content: string }) => content.includes('look'))).toBe(true);
    expect((await act({ kind: 'escalated', case_id: '11111111-2222-4333-8444-555555555555' })).status).toBe(404);
    const until = new Date(test.time.at + HOUR).toISOString();
    expect((await act({ kind: 'muted', until })).body.alert.state).toBe('muted');
    expect((await call('GET', '/alerts?state=muted')).body.total).toBe(1);
    test.time.at += HOUR;
    expect((await only()).state).toBe('escalated');
    expect((await call('GET', '/alerts?state=escalated')).body.total).toBe(1);
    for (const lacking of [
      ...[{ kind: 'closed', comment: 'x' }, { kind: 'closed', disposition: 'benign' }, { kind: 'commented' }],
      ...[{ kind: 'muted' }, { kind: 'muted', until: new Date(test.time.at).toISOString() }],
    ]) {
      expect([(await act(lacking)).status, lacking]).toEqual([400, lacking]);
    }
  });

  it('is paged by a cursor that what comes meanwhile does not move, narrowed by views, and assigned in turns', async () => {
    const { test, call, raise } = await openDesk();
    expect((await call('PUT', '/alert-turns', { assignees: ['Aiko', 'Ben'], in_turns: true })).status).toBe(200);
    for (let n = 0; n < 5; n++) {
      test.time.at += 1;
      await raise({ address: `0x${String(n).repeat(40)}`, transfer: { reference: `dep-${n}` } });
    }
    const first = (await call('GET', '/alerts?limit=2')).body;
    test.time.at += 1;
    await raise({ address: `0x${'9'.repeat(40)}` });
    const rest = (await call('GET', `/alerts?limit=10&cursor=${first.next_cursor}`)).body;
    expect([...first.alerts, ...rest.alerts].map(({ address }: { address: string }) => address[2])).toEqual([
      ...['4', '3', '2', '1', '0'],
    ]);
    expect(rest.next_cursor).toBeNull();
    expect(rest.alerts.map(({ assignee }: { assignee: string }) => assignee)).toEqual(['Aiko', 'Ben', 'Aiko']);
    expect((await call('GET', '/alerts?cursor=x')).status).toBe(400);
    expect((await call('GET', '/alerts?reference=dep-3')).body.total).toBe(1);
    const view = (await call('POST', '/alert-views', { name: "Ben's", filter: { assignee: 'Ben' } })).body;
    expect((await call('GET', `/alerts?view=${view.id}`)).body.total).toBe(3);
    expect((await call('GET', `/alerts?view=${view.id}&assignee=Aiko`)).body.total).toBe(3);
    const again = await call('POST', '/alert-views', { name: "Ben's", filter: { assignee: '' } });
    expect([again.body.id, (await call('GET', '/alert-views')).body.views.length]).toEqual([view.id, 1]);
    expect((await call('DELETE', `/alert-views/${view.id}`)).status).toBe(200);
    const ids = first.alerts.map(({ id }: { id: string }) => id);
    const bulk = {
      ids: [...ids, '11111111-2222-4333-8444-555555555555'],
      kind: 'closed',
      disposition: 'benign',
      comment: 'x',
    };
    const { results } = (await call('POST', '/alerts/events', bulk)).body;
    expect(results.map(({ error }: { error: string | null }) => error)).toEqual([null, null, 'Not found']);
  });

  it('of another account is empty, and each of its alerts and views unknown', async () => {
    const { test, caller, call, raise, only } = await openDesk();
    await raise();
    const { id } = await only();
    const view = (await call('POST', '/alert-views', { name: 'All', filter: {} })).body;
    const stranger = caller((await test.issue('enterprise')).key);
    expect((await stranger('GET', '/alerts')).body.total).toBe(0);
    for (const [method, url, body] of [
      ['GET', `/alerts/${id}`],
      ['POST', `/alerts/${id}/events`, { kind: 'commented', comment: 'x' }],
      ['GET', `/alerts?view=${view.id}`],
      ['DELETE', `/alert-views/${view.id}`],
    ] as ['GET', string, object?][]) {
      expect([url, (await stranger(method, url, body)).status]).toEqual([url, 404]);
    }
    const reader = caller((await test.issue('enterprise', ['read'])).key);
    expect((await reader('POST', `/alerts/${id}/events`, { kind: 'commented', comment: 'x' })).status).toBe(403);
  });
});
