import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import type { PlanId } from '../../../src/plans.ts';
import { openTestApp, type TestApp } from '../../app/test-app.ts';
import { sceneOf } from './scenes.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

async function client(test: TestApp, planId: PlanId = 'pro') {
  const { key, accountId } = await test.issue(planId);
  const call = async (method: Method, url: string, payload?: object, headers: Record<string, string> = {}) => {
    const sent = { method, url: `/api/v1${url}`, headers: { 'x-api-key': key, ...headers } };
    const reply = await test.app.inject({ ...sent, ...(payload && { payload }) });
    return { status: reply.statusCode, body: reply.json(), etag: reply.headers.etag };
  };
  const make = async (fields: object = {}) =>
    (await call('POST', '/boards', { title: 'Theft', scene: sceneOf(2), ...fields })).body.board;
  const save = (id: string, version: number | string, fields: object) =>
    call('PUT', `/boards/${id}`, fields, { 'if-match': String(version) });
  return { call, make, save, accountId };
}

it('keeps a picture, and each saving of it as a version that can be read again', async () => {
  const test = await openTestApp();
  const { call, make, save } = await client(test);
  const board = await make();
  const at = new Date(test.time.at).toISOString();
  const facts = { case_id: null, title: 'Theft', version: 1, nodes: 2, created_at: at, saved_at: at, saved_by: 'test' };
  expect(board).toEqual({ id: expect.any(String), ...facts });
  test.time.at += 15_000;
  const saved = await save(board.id, '"1"', { title: 'Theft of May', scene: sceneOf(3) });
  const later = { title: 'Theft of May', version: 2, nodes: 3, saved_at: new Date(test.time.at).toISOString() };
  expect(saved).toMatchObject({ status: 200, body: { board: { ...board, ...later } } });
  const read = await call('GET', `/boards/${board.id}`);
  expect(read).toMatchObject({ status: 200, etag: '"2"' });
  expect(read.body.board).toEqual({ ...board, ...later, scene: sceneOf(3) });
  const { body } = await call('GET', `/boards/${board.id}/versions`);
  expect(body.versions).toEqual([
    { version: 2, title: 'Theft of May', nodes: 3, saved_at: later.saved_at, saved_by: 'test' },
    { version: 1, title: 'Theft', nodes: 2, saved_at: at, saved_by: 'test' },
  ]);
  const first = await call('GET', `/boards/${board.id}/versions/1`);
  expect(first.body.version).toEqual({ ...body.versions[1], scene: sceneOf(2) });
  expect((await call('GET', `/boards/${board.id}/versions/3`)).status).toBe(404);
  expect((await call('GET', `/boards/${board.id}/versions/x`)).status).toBe(422);
  expect((await call('GET', '/boards?limit=1')).body).toEqual({
    boards: [{ ...board, ...later }],
    total: 1,
    limit: 1,
    offset: 0,
  });
});

it('overwrites nothing: 428 without a version, 412 with the newer one', async () => {
  const test = await openTestApp();
  const { call, make, save } = await client(test);
  const { id } = await make();
  const url = `/boards/${id}`;
  const none = { detail: 'Send If-Match with the version of the board that you changed' };
  expect(await call('PUT', url, { title: 'x' })).toMatchObject({ status: 428, body: none });
  expect(await call('DELETE', url)).toMatchObject({ status: 428, body: none });
  expect((await save(id, 'newest', { title: 'x' })).status).toBe(422);
  expect(await save(id, 1, {})).toMatchObject({ status: 400, body: { detail: 'No fields to update' } });
  expect((await save(id, 1, { title: 'Second' })).status).toBe(200);
  const older = await save(id, 1, { title: 'Mine' });
  expect(older).toMatchObject({
    status: 412,
    body: {
      detail: 'The board is at version 2 now: load it, or keep yours as another board',
      version: 2,
      saved_at: new Date(test.time.at).toISOString(),
      saved_by: 'test',
    },
  });
  expect((await save(id, 3, { title: 'Mine' })).status).toBe(412);
  expect((await call('DELETE', url, undefined, { 'if-match': '"1"' })).status).toBe(412);
  // A change of the title alone keeps the picture.
  expect((await call('GET', url)).body.board).toMatchObject({ title: 'Second', scene: sceneOf(2) });
  expect((await call('DELETE', url, undefined, { 'if-match': '"2"' })).body).toEqual({ deleted: true, id });
  for (const gone of [url, `${url}/versions`, `${url}/versions/1`]) expect((await call('GET', gone)).status).toBe(404);
});

it("is nobody else's to see, save or delete, nor can it join another's case", async () => {
  const test = await openTestApp();
  const owner = await client(test);
  const other = await client(test);
  const { id } = await owner.make();
  const { body } = await owner.call('POST', '/cases', { title: 'Theft' });
  const tries = [
    other.call('GET', `/boards/${id}`),
    other.call('GET', `/boards/${id}/versions`),
    other.call('GET', `/boards/${id}/versions/1`),
    other.save(id, 1, { title: 'x' }),
    other.call('DELETE', `/boards/${id}`, undefined, { 'if-match': '1' }),
    other.call('POST', '/boards', { title: 'x', case_id: body.case.id, scene: sceneOf(1) }),
    other.save((await other.make()).id, 1, { case_id: body.case.id }),
    owner.call('GET', `/boards/${randomUUID()}`),
  ];
  for (const { status, body } of await Promise.all(tries)) {
    expect([status, body]).toMatchObject([404, { detail: 'Not found' }]);
  }
  expect((await other.call('GET', '/boards')).body.total).toBe(1);
});

it('is attached to a case and stays when that is deleted', async () => {
  const { call, make, save } = await client(await openTestApp());
  const { body } = await call('POST', '/cases', { title: 'Theft' });
  const case_id = body.case.id;
  const { id } = await make();
  expect((await call('GET', `/boards?case_id=${case_id}`)).body).toMatchObject({ boards: [], total: 0 });
  expect((await save(id, 1, { case_id })).body.board).toMatchObject({ case_id, version: 2 });
  expect((await call('GET', `/boards?case_id=${case_id}`)).body).toMatchObject({ boards: [{ id }], total: 1 });
  const { body: log } = await call('GET', '/audit?action=board_changed');
  expect(log.entries).toMatchObject([{ subject: id, detail: `case_id: ${case_id}`, case_id }]);
  await call('DELETE', `/cases/${case_id}`);
  expect((await call('GET', `/boards/${id}`)).body.board).toMatchObject({ case_id: null, scene: sceneOf(2) });
});

it('makes a copy of what was read, whose file can be sent to another account', async () => {
  const test = await openTestApp();
  const { call, make } = await client(test);
  const other = await client(test);
  const { id } = await make({ scene: sceneOf(2, '<script>alert(1)</script>') });
  const { board } = (await call('GET', `/boards/${id}`)).body;
  const copy = (await other.call('POST', '/boards', board)).body.board;
  expect(copy.id).not.toBe(id);
  expect((await other.call('GET', `/boards/${copy.id}`)).body.board.scene).toEqual(board.scene);
});

it('refuses scenes that no canvas could draw, and more than a board or a body holds', async () => {
  const { call } = await client(await openTestApp());
  const send = (scene: unknown) => call('POST', '/boards', { title: 'x', scene });
  const twice = [...sceneOf(1).nodes, ...sceneOf(1).nodes];
  for (const [scene, loc] of [
    ['a picture', ['body', 'scene']],
    [{ ...sceneOf(1), version: 2 }, ['body', 'scene', 'version']],
    [sceneOf(2_001), ['body', 'scene', 'nodes']],
    [{ ...sceneOf(1), nodes: twice }, ['body', 'scene']],
  ] as const) {
    const { status, body } = await send(scene);
    expect([status, body.detail[0].loc]).toEqual([422, loc]);
  }
  expect((await send(sceneOf(50_000))).status).toBe(413);
  // Longer than any other body may be, though not too long for this route.
  expect(await send(sceneOf(2_000, 'x'.repeat(300)))).toMatchObject({
    status: 413,
    body: { detail: 'Scene is larger than 1 MiB' },
  });
});

it('holds as many as the plan has', async () => {
  const { call, make } = await client(await openTestApp(), 'free');
  for (let i = 0; i < 5; i++) await make();
  expect(await call('POST', '/boards', { title: 'x', scene: sceneOf(1) })).toMatchObject({
    status: 403,
    body: { detail: 'Board limit reached (5 boards)' },
  });
});
