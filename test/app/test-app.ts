import type { FastifyRequest } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { z } from 'zod';
import { type AppOptions, buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import type { KeyRight } from '../../src/domain/account/rights.ts';
import { MINUTE_MS } from '../../src/domain/time.ts';
import { guardAccess } from '../../src/http/access.ts';
import type { App } from '../../src/http/typed-app.ts';
import type { PlanId } from '../../src/plans.ts';
import { createAccount } from '../../src/records/accounts/accounts.ts';
import { insertKey } from '../../src/records/accounts/keys.ts';
import { pingRecords, type Records } from '../../src/records/database/database.ts';
import { wholeNumber } from '../../src/routes/schemas.ts';
import { expectSoundRecords, expectUnbrokenAudit } from '../records/sound-records.ts';
import { appStores } from './app-stores.ts';
import { strictAnswers } from './strict-answers.ts';

export const NOW = Date.parse('2026-11-20T10:00:00Z');

export interface TestApp {
  app: App;
  ctx: Context;
  /** The clock: change `at` to let time pass. */
  time: { at: number };
  /** Every log line so far. */
  logged: () => string;
  /** A new account with one key. */
  issue: (planId?: PlanId, scopes?: readonly KeyRight[]) => Promise<{ key: string; keyId: string; accountId: string }>;
  /** A key in the header, ready for `inject`. */
  headers: (planId?: PlanId) => Promise<{ 'x-api-key': string }>;
}

/** A busy machine must not look like a store that does not answer, nor cut a trace. */
const UNHURRIED = { PRESIGN_STORES_MS: '10000', TRACE_MS: '60000' };

type TestOptions = AppOptions & { comparesLists?: boolean };

/** The whole app over stores in memory, or the servers of `appStores`; closed when the test ends. */
export async function openTestApp(env: Record<string, string> = {}, options: TestOptions = {}): Promise<TestApp> {
  const { close, ...test } = await startTestApp(env, options);
  onTestFinished(close);
  return test;
}

/** What the tests of a suite share, and how it is opened. */
interface Shared {
  env?: () => Record<string, string>;
  /** Puts in what all of them ask about. */
  fill?: (test: TestApp) => Promise<void>;
}

/**
 * One app, which is most of what a small test costs, for the tests of a suite that leave each other alone: each asks with
 * an account of its own, a minute after the one before it, and changes nothing that another one sees.
 */
export function shareTestApp({ env = () => ({}), fill = async () => {} }: Shared = {}): TestApp {
  const shared = {} as TestApp;
  let close = async () => {};
  beforeAll(async () => {
    ({ close } = Object.assign(shared, await startTestApp(env())));
    await fill(shared);
  });
  // Who asks without a key is counted by address: each test has the requests of a minute.
  beforeEach(() => {
    shared.time.at += MINUTE_MS;
  });
  afterAll(() => close());
  return shared;
}

async function startTestApp(
  env: Record<string, string> = {},
  { comparesLists = false, ...options }: TestOptions = {},
): Promise<TestApp & { close: () => Promise<void> }> {
  const time = { at: NOW };
  const lines: string[] = [];
  const log = pino({ level: 'trace', base: undefined }, { write: (line: string) => void lines.push(line) });
  const stores = await appStores.empty?.();
  const ctx = await openContext(readConfig({ ...UNHURRIED, ...env, ...stores }), {
    now: () => time.at,
    log,
    inMemory: true,
  });
  // Most tests load what they need of labels, or none, and ask what a desk with current lists is answered.
  if (!comparesLists) ctx.labels.gap = async () => null;
  const app = await buildApp(ctx, { writeAnswers: strictAnswers, ...options });
  const close = async () => {
    await app.close();
    await expectSound(ctx.records);
    // A test may have closed a store before, to see what happens then.
    await ctx.close().catch(() => {});
  };

  const issue: TestApp['issue'] = async (planId = 'pro', scopes) => {
    const account = await createAccount(ctx.records, { name: 'Desk', planId }, time.at);
    const { id, key } = await insertKey(ctx.records, { accountId: account.id, name: 'test', scopes }, time.at);
    return { key, keyId: id, accountId: account.id };
  };
  const headers: TestApp['headers'] = async (planId) => ({ 'x-api-key': (await issue(planId)).key });
  return { app, ctx, time, logged: () => lines.join(''), issue, headers, close };
}

/** The store that a test leaves, unless it closed it. */
async function expectSound(records: Records): Promise<void> {
  if (await pingRecords(records).catch((error: unknown) => error)) return;
  await expectSoundRecords(records);
  await expectUnbrokenAudit(records);
}

/** Routes below `/probe` that stand for any route: one per access, one that validates, one that throws what the request names. */
export async function addProbes({ app, ctx }: TestApp, thrown: Record<string, Error> = {}): Promise<void> {
  await app.register(
    async (scope: App) => {
      guardAccess(scope, ctx);
      const whoAsks = async (request: FastifyRequest) => ({ account: request.tenant?.accountId ?? null });
      for (const access of ['key', 'optional-key', 'ip', 'public'] as const) {
        scope.get(`/${access}`, { config: { access, rights: [] } }, whoAsks);
      }
      scope.get('/presign', { config: { access: 'key', rights: [], bucket: 'presign' } }, whoAsks);
      scope.post(
        '/shape/:id',
        {
          config: { access: 'key', rights: [] },
          schema: {
            params: z.object({ id: z.guid() }),
            querystring: z.object({ limit: wholeNumber({ min: 1, max: 100, fallback: 20 }) }),
            body: z.object({
              name: z.string().min(2).max(5),
              kind: z.enum(['a', 'b', 'c']).optional(),
              count: z.int().min(1).max(9).optional(),
              ratio: z.number().gt(0).lt(1).optional(),
              on: z.boolean().optional(),
              at: z.iso.datetime().optional(),
              ref: z.guid().optional(),
              list: z.array(z.string()).min(1).max(2).optional(),
              nested: z.object({ list: z.array(z.object({ x: z.int() })) }).optional(),
              either: z.union([z.string(), z.object({ address: z.string() })]).optional(),
            }),
          },
        },
        async (request) => ({ ...request.params, ...request.query, ...request.body }),
      );
      scope.post('/throw/:what', { config: { access: 'key', rights: [] } }, async (request) => {
        throw thrown[(request.params as { what: string }).what];
      });
    },
    { prefix: '/probe' },
  );
}
