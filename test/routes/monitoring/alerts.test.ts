import { expect, it } from 'vitest';
import type { EventType } from '../../../src/domain/event.ts';
import { recordEvent } from '../../../src/events/outbox.ts';
import { openTestApp } from '../../app/test-app.ts';

it('what monitoring found is listed newest first until it is read, for its account alone', async () => {
  const test = await openTestApp();
  const [mine, other] = [await test.issue(), await test.issue()];
  const record = (type: EventType, accountId: string, n: number) =>
    recordEvent(test.ctx.records, { type, accountId, subject: 'x', data: { n }, at: test.time.at + n });
  const first = await record('risk.changed', mine.accountId, 1);
  // Repeats the change for endpoints that ask for high levels alone.
  await record('risk.high_detected', mine.accountId, 1);
  await record('scan.completed', mine.accountId, 2);
  const second = await record('watchlist.alert', mine.accountId, 3);
  const foreign = await record('watchlist.alert', other.accountId, 4);

  const ask = async (key: string, method: 'GET' | 'POST', path: string, payload?: object) => {
    const sent = { method, url: `/api/v1/watchlist/alerts${path}`, headers: { 'x-api-key': key } };
    return (await test.app.inject({ ...sent, ...(payload && { payload }) })).json();
  };
  const at = (n: number) => new Date(test.time.at + n).toISOString();
  expect(await ask(mine.key, 'GET', '')).toEqual({
    alerts: [
      { id: second, event: 'watchlist.alert', data: { n: 3 }, created_at: at(3), read_at: null },
      { id: first, event: 'risk.changed', data: { n: 1 }, created_at: at(1), read_at: null },
    ],
    total: 2,
    unread: 2,
    limit: 50,
    offset: 0,
  });
  expect(await ask(mine.key, 'POST', '/read', { ids: [second, foreign] })).toEqual({ success: true, read: 1 });
  expect(await ask(mine.key, 'GET', '?unread=true')).toMatchObject({ alerts: [{ id: first }], total: 1, unread: 1 });
  expect(await ask(mine.key, 'GET', '?limit=1')).toMatchObject({ alerts: [{ read_at: at(0) }], total: 2, unread: 1 });
  expect(await ask(mine.key, 'POST', '/read', {})).toEqual({ success: true, read: 1 });
  expect(await ask(mine.key, 'POST', '/read', {})).toEqual({ success: true, read: 0 });
  expect(await ask(other.key, 'GET', '')).toMatchObject({ alerts: [{ id: foreign }], unread: 1 });
});
