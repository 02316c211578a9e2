import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Context } from '../context.ts';
import { DAY_MS } from '../domain/time.ts';
import { ConflictError, ShapeError, UnavailableError } from '../errors.ts';
import {
  dropIdempotencyKey,
  type FirstRequest,
  findFirstRequest,
  type IdempotencyHolder,
  keepAnswer,
  renewIdempotencyKey,
  takeIdempotencyKey,
  takeOverIdempotencyKey,
} from '../records/accounts/idempotency-keys.ts';
import type { KeyHold } from '../records/accounts/quota.ts';
import type { Records } from '../records/database/database.ts';
import { tenantOf } from './auth.ts';
import { callerHasLeft } from './connections.ts';
import { refusals } from './refusals.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** `Idempotency-Key` counts: the same key and request within 24 h gets the first answer again. */
    idempotent?: true;
  }
  interface FastifyRequest {
    heldKey: HeldKey | null;
  }
}

interface HeldKey extends IdempotencyHolder {
  /** As the client sent it: it encrypts the kept answer, which may hold a new API key, and is not kept itself. */
  key: string;
  /** With its work, whose transaction may still fail: only a success stands for what was kept. */
  isKept: boolean;
  stopRenewing: () => void;
}

const KEPT_MS = DAY_MS;
const POLL_MS = 50;
const POLL_MAX_MS = 500;
/** The effect of the header, in the description of each of these operations. */
export const IDEMPOTENCY_NOTE =
  'With the header `Idempotency-Key`, the same request within 24 hours gets the first answer again; the same key ' +
  'with another request is refused (409).';
const SET_ASIDE =
  'The process ended twice while it answered this request: with this idempotency key it is not run again';
const KEY_FORM = /^[\x21-\x7e]{1,255}$/;

/**
 * Serves routes with `idempotent: true`. A repetition waits for the answer of the first request while that renews its
 * lease, and runs in its place afterwards. A handler that writes keeps its answer in the same transaction (`answerWithin`);
 * what has no effect, as a refusal, is kept before it is sent. Refusals that time or deleting may lift (403, 409, 429) and
 * failures (5xx) are not kept.
 */
export function answerOnce(api: FastifyInstance, ctx: Context): void {
  const leaseMs = ctx.config.JOB_LEASE_MS;

  api.decorateRequest('heldKey', null);

  api.addHook('onRoute', (route) => {
    if (!route.config?.idempotent || !route.schema) return;
    const schema = route.schema as FastifySchema & { response?: object };
    schema.description = [schema.description, IDEMPOTENCY_NOTE].filter(Boolean).join(' ');
    schema.response = { ...refusals(409), ...schema.response };
    // Of these routes alone: all others would wait for hooks that have nothing to do.
    route.preHandler = [route.preHandler ?? [], takeTurn].flat();
    route.onSend = [route.onSend ?? [], keepForNext].flat();
  });

  async function takeTurn(request: FastifyRequest, reply: FastifyReply) {
    const key = idempotencyKey(request);
    if (key === undefined) return;
    const tenant = tenantOf(request);
    const owner = { accountId: tenant.accountId, keyHash: sha256(key) };
    const { method, routeOptions, params, query, body } = request;
    // A new key has the limits of the one that asks: a narrower one must not get it.
    const limits = routeOptions.config.rights?.includes('admin') && [
      tenant.rights,
      tenant.allowedIps,
      tenant.expiresAt,
    ];
    const requestHash = sha256(JSON.stringify([method, routeOptions.url, params, query, body, limits]));
    const mine = { ...owner, holder: randomUUID() };
    for (let pauseMs = POLL_MS; ; pauseMs = Math.min(2 * pauseMs, POLL_MAX_MS)) {
      const first = await takeKey(mine, requestHash);
      if (first === 'taken') {
        const held = { ...mine, key, isKept: false, stopRenewing: keepRenewing(mine) };
        request.heldKey = held;
        request.tenant = { ...tenant, hold: holdOf(held, reply) };
        return;
      }
      const isLive = first && first.expiresAt > ctx.now();
      if (isLive && first.requestHash !== requestHash) {
        throw new ConflictError('Idempotency key was used with another request');
      }
      if (isLive && first.answer && first.statusCode !== null) {
        return sendStored(reply, first.statusCode, unlock(first.answer, key));
      }
      // Nobody would hear an answer, and nothing may be done without the key.
      if (callerHasLeft(request)) return reply.hijack();
      // Others have the place meanwhile.
      request.turn?.share();
      await sleep(pauseMs);
    }
  }

  /** Takes the key unless another request has it, and returns that one otherwise; undefined where it has just ended. */
  async function takeKey(mine: IdempotencyHolder, requestHash: string): Promise<'taken' | FirstRequest | undefined> {
    const request = { requestHash, expiresAt: ctx.now() + leaseMs };
    if (await takeIdempotencyKey(ctx.records, mine, request)) return 'taken';
    const first = await findFirstRequest(ctx.records, mine, ctx.now());
    if (first?.isSetAside) throw new ConflictError(SET_ASIDE);
    const isExpired = first !== undefined && first.expiresAt <= ctx.now();
    return isExpired && (await takeOverIdempotencyKey(ctx.records, mine, request, ctx.now())) ? 'taken' : first;
  }

  function keepRenewing(mine: IdempotencyHolder): () => void {
    const heartbeat = setInterval(() => {
      renewIdempotencyKey(ctx.records, mine, ctx.now() + leaseMs).then(
        (isMine) => isMine || clearInterval(heartbeat),
        (err) => ctx.log.warn({ err }, 'the lease of an idempotency key was not renewed'),
      );
    }, leaseMs / 3).unref();
    return () => clearInterval(heartbeat);
  }

  /** Its writes lock the key until the transaction ends: no request takes it over meanwhile. */
  function holdOf(held: HeldKey, reply: FastifyReply): KeyHold {
    const checked = async (write: Promise<boolean>) => {
      if (!(await write)) throw new UnavailableError('Another request has taken over the idempotency key', 1);
    };
    return {
      holder: held.holder,
      confirm: (transaction) => checked(renewIdempotencyKey(transaction, held, ctx.now() + leaseMs)),
      keepAnswer: async (transaction, body) => {
        // As every answer is written.
        await checked(keepText(transaction, held, reply.statusCode, JSON.stringify(body)));
        held.isKept = true;
      },
    };
  }

  function keepText(records: Records, held: HeldKey, statusCode: number, text: string): Promise<boolean> {
    const answer = lock(text, held.key);
    return keepAnswer(records, held, { statusCode, answer, expiresAt: ctx.now() + KEPT_MS });
  }

  async function keepForNext(request: FastifyRequest, reply: FastifyReply, payload: unknown) {
    const held = request.heldKey;
    if (!held) return payload;
    request.heldKey = null;
    held.stopRenewing();
    const { statusCode } = reply;
    const isPassing = [403, 409, 429].includes(statusCode) || statusCode >= 500;
    try {
      // What was kept with its work stays, however the request ended.
      if (isPassing || typeof payload !== 'string') await dropIdempotencyKey(ctx.records, held);
      else if (!held.isKept || statusCode >= 400) await keepText(ctx.records, held, statusCode, payload);
    } catch (err) {
      // A refusal has been through every handler of errors: none is left to answer this one. The lease ends by itself.
      if (statusCode < 400) throw err;
      ctx.log.warn({ err, request_id: request.id }, 'a refusal was not kept under its idempotency key');
    }
    return payload;
  }
}

function idempotencyKey(request: FastifyRequest): string | undefined {
  const key = request.headers['idempotency-key'];
  if (!request.routeOptions.config.idempotent || key === undefined) return undefined;
  if (typeof key === 'string' && KEY_FORM.test(key)) return key;
  const msg = 'String should have 1 to 255 visible ASCII characters';
  throw new ShapeError([{ type: 'string_pattern_mismatch', loc: ['header', 'Idempotency-Key'], msg }]);
}

function sendStored(reply: FastifyReply, statusCode: number, body: string): FastifyReply {
  return reply
    .code(statusCode)
    .header('Idempotency-Replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer((text: string) => text)
    .send(body);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function cipherKey(key: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'traceflow idempotent answer', 32));
}

function lock(text: string, key: string): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', cipherKey(key), nonce);
  return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

function unlock(answer: string, key: string): string {
  const bytes = Buffer.from(answer, 'base64');
  const decipher = createDecipheriv('aes-256-gcm', cipherKey(key), bytes.subarray(0, 12));
  decipher.setAuthTag(bytes.subarray(-16));
  return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8');
}
