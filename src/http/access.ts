import { isIP, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { SignInFailure } from '../domain/account/audit.ts';
import type { Right } from '../domain/account/rights.ts';
import {
  AppError,
  ClosingError,
  ForbiddenError,
  OverloadError,
  PlanError,
  RateLimitError,
  SuspendedError,
  UnauthenticatedError,
  UnavailableError,
  UnknownAccountError,
} from '../errors.ts';
import { within } from '../fairness/deadline.ts';
import { FairQueue, type Leave, type QueuedCaller } from '../fairness/fair-queue.ts';
import { openMemoryLimits } from '../fairness/limits/memory.ts';
import { type RateLimitBucket, type Taken, tenantBuckets } from '../fairness/limits/port.ts';
import { REQUEST_QUEUES } from '../fairness/queues.ts';
import { hasAddress, networkList } from '../outbound/networks.ts';
import {
  FAILED_AUTH_PER_MINUTE,
  FEATURE_REFUSALS,
  type Feature,
  KEYLESS_PER_MINUTE,
  PAGES_PER_MINUTE,
} from '../plans.ts';
import { findAccount } from '../records/accounts/accounts.ts';
import { refuseRights } from '../records/accounts/keys.ts';
import { countSignInFailure } from '../records/audit/sign-in-failures.ts';
import { type Caller, findPerson, findTenant, keyFromRequest, refuseForeignPages, sessionToken } from './auth.ts';

/**
 * Names who may call a route, and what its rate limit counts by. `key`: holders of a key and people who are signed in, by key or
 * person and by account. `optional-key`: anyone, so if a key or session is sent, else by IP. `ip`: anyone, by IP, counted apart from that. `page`: the same for
 * documents and pages, of which there may be more. `public`: anyone, unlimited.
 */
export type Access = 'key' | 'optional-key' | 'ip' | 'page' | 'public';

/** Scan units that a call costs. The question behind the route reserves and settles them. */
export type Cost = 'none' | 'one scan' | 'one scan per address' | 'one scan per side' | 'one scan per transfer';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Every route below /api/v1 must name it. */
    access?: Access;
    /** Rights that the key needs; every route that takes one must name them. Checked after validation. */
    rights?: readonly Right[];
    /** The limit that a keyed call counts to each minute; `requests` by default. Of `mcp` as many are allowed. */
    bucket?: 'requests' | 'presign' | 'mcp';
    /** Feature that the plan must include; checked after validation. */
    feature?: Feature;
    /** For the OpenAPI document; `none` by default. */
    cost?: Cost;
  }
}

const KEY_LOOKUP_MS = 2_000;
const SESSION_ENDED = 'The session has ended. Sign in again.';
const UNKNOWN_KEY = 'Invalid API key';

/** Enforces each route's `config`: access, rate limit, plan. Key and rate are checked before the body is read. */
export function guardAccess(api: FastifyInstance, ctx: Context): void {
  const ownCount = openMemoryLimits(ctx.now);
  const willTakeTurn = openTurns(api);
  /** Falls back to a limit of this process alone when the shared limits are late: someone is waiting to sign. */
  const spendPresign = async (reply: FastifyReply, buckets: [RateLimitBucket, ...RateLimitBucket[]]) => {
    const late = () => new UnavailableError('Rate limits cannot be read', 1);
    const asked = ctx.limits.take(...buckets);
    const taken = await within(ctx.config.PRESIGN_STORES_MS, asked, late).catch((err: unknown) => {
      if (!(err instanceof UnavailableError)) throw err;
      ctx.warnRarely(err, 'presign was counted by this process alone');
      return ownCount.take(...buckets);
    });
    refuseOver(reply, taken);
  };

  // Fastify passes on to the handler of all errors what this one throws.
  api.setErrorHandler(async (error, { tenant }) => {
    const isRefusal = error instanceof AppError && error.status < 500 && !(error instanceof UnknownAccountError);
    // What refuses a burst, or for a store that is away, must not ask that store once more for each request.
    const isBusy = error instanceof UnavailableError || error instanceof ClosingError;
    throw (isRefusal || isBusy || !tenant ? null : await endOfAccount(ctx, tenant)) ?? error;
  });

  api.addHook('onRoute', (route) => {
    const { access, bucket = 'requests', feature, rights } = route.config ?? {};
    const turn = route.config?.turn ?? (bucket === 'requests' ? 'answers' : bucket);
    if (!access) throw new Error(`${route.method} ${route.url} does not say who may use it`);
    const takesKey = access === 'key' || access === 'optional-key';
    if (takesKey && !rights) throw new Error(`${route.method} ${route.url} does not say which rights a key needs`);
    if (feature && access !== 'key') throw new Error(`${route.method} ${route.url} needs a plan but no key`);
    if (access === 'public') return;

    const admit = async (request: FastifyRequest, reply: FastifyReply) => {
      const key = keyFromRequest(request);
      // A key in a header was sent on purpose; the browser sends the cookie by itself.
      const session = key === undefined ? sessionToken(ctx, request) : undefined;
      const isKeyless = key === undefined && session === undefined;
      if (access === 'ip' || access === 'page' || (access === 'optional-key' && isKeyless)) {
        const limit = access === 'page' ? PAGES_PER_MINUTE : KEYLESS_PER_MINUTE;
        await spend(ctx, reply, [{ name: `${access}:${addressBlock(ipOf(request))}`, limit }]);
        if (takesKey) willTakeTurn(request, reply, { turn, caller: callerOf(request) });
        return;
      }
      const tenant = await authenticate(ctx, { key, session }, request);
      request.tenant = tenant;
      const { presignPerMinute, requestsPerMinute } = tenant.plan;
      const perMinute = bucket === 'presign' ? presignPerMinute : requestsPerMinute;
      const buckets = tenantBuckets(bucket, tenant, perMinute);
      await (bucket === 'presign' ? spendPresign(reply, buckets) : spend(ctx, reply, buckets));
      willTakeTurn(request, reply, { turn, caller: { ...callerOf(request), atOnce: tenant.plan.requestsAtOnce } });
    };
    route.onRequest = [admit, route.onRequest ?? []].flat();

    if (!feature && !rights?.length) return;
    const admitKey = async ({ tenant }: FastifyRequest) => {
      if (!tenant) return;
      if (rights?.some((right) => !tenant.rights.includes(right))) await countFailure(ctx, 'lacks_right', tenant);
      refuseRights(tenant.rights, rights ?? [], tenant.session && 'Your roles lack');
      if (feature && !tenant.plan[feature]) throw new PlanError(FEATURE_REFUSALS[feature]);
    };
    route.preHandler = [admitKey, route.preHandler ?? []].flat();
  });
}

/** The caller for fair sharing of work: its account, or without a key its block of IP addresses (/24, /64). */
export function callerOf(request: FastifyRequest): QueuedCaller {
  if (request.tenant) return { id: request.tenant.accountId };
  return { id: addressBlock(ipOf(request)).replace(/\.\d+$/, ''), keyless: true };
}

async function authenticate(
  ctx: Context,
  { key, session }: { key?: string; session?: string },
  request: FastifyRequest,
): Promise<Caller> {
  const find = async () => (key !== undefined ? findTenant(ctx, key) : session && findPerson(ctx, session));
  const tenant = (await within(KEY_LOOKUP_MS, find(), recordsLate)) || undefined;
  const ip = ipOf(request);
  const failure = failureOf(tenant, ip, ctx.now());
  if (tenant && !failure) {
    if (session !== undefined) refuseForeignPages(ctx, request, session);
    if (tenant.isSuspended) throw new SuspendedError();
    return { ...tenant, ip };
  }
  const failed = await ctx.limits.take({
    name: `failed-auth:${addressBlock(ip)}`,
    limit: FAILED_AUTH_PER_MINUTE,
  });
  if (!failed.allowed) throw new RateLimitError(FAILED_AUTH_PER_MINUTE, failed.retryAfterS);
  if (session !== undefined) throw new UnauthenticatedError(SESSION_ENDED);
  if (key === undefined) throw new UnauthenticatedError('API key required');
  if (failure) await countFailure(ctx, failure, tenant);
  if (failure === 'elsewhere') throw new ForbiddenError(`This key may not be used from ${ip}`);
  throw new UnauthenticatedError(UNKNOWN_KEY);
}

function recordsLate(): UnavailableError {
  return new UnavailableError('Records cannot be reached', KEY_LOOKUP_MS / 1_000);
}

/** How the next request of an account will be refused that was suspended or erased while this one failed; null for others. */
async function endOfAccount({ records }: Context, { accountId, session }: Caller): Promise<AppError | null> {
  try {
    const { suspended_at } = await within(KEY_LOOKUP_MS, findAccount(records, accountId), recordsLate);
    return suspended_at === null ? null : new SuspendedError();
  } catch (err) {
    if (!(err instanceof UnknownAccountError)) return null;
    return new UnauthenticatedError(session ? SESSION_ENDED : UNKNOWN_KEY);
  }
}

function failureOf(tenant: Caller | undefined, ip: string, now: number): SignInFailure | null {
  if (!tenant) return 'unknown_key';
  if (tenant.expiresAt !== null && tenant.expiresAt <= now) return 'expired_key';
  const { allowedIps } = tenant;
  return allowedIps.length > 0 && !hasAddress(networkList(allowedIps), ip) ? 'elsewhere' : null;
}

/** Refuses all the same where it cannot be counted. */
async function countFailure(ctx: Context, reason: SignInFailure, tenant: Caller | undefined): Promise<void> {
  const failure = { accountId: tenant?.accountId ?? null, reason };
  await countSignInFailure(ctx.records, failure, ctx.now()).catch((err: unknown) =>
    ctx.log.warn({ err, reason }, 'a refused key was not counted'),
  );
}

async function spend(
  ctx: Context,
  reply: FastifyReply,
  buckets: [RateLimitBucket, ...RateLimitBucket[]],
): Promise<void> {
  refuseOver(reply, await ctx.limits.take(...buckets));
}

function refuseOver(reply: FastifyReply, { allowed, limit, remaining, retryAfterS }: Taken): void {
  if (!allowed) throw new RateLimitError(limit, retryAfterS);
  reply.header('X-RateLimit-Limit', limit).header('X-RateLimit-Remaining', remaining);
}

/** A trusted proxy may pass on any text, however long, as the address that it asks for. */
function ipOf({ ip }: FastifyRequest): string {
  return isIP(ip) === 0 ? 'an unknown address' : ip;
}

/** The IP, or the /64 network of an IPv6 address, which usually belongs to one user. */
function addressBlock(ip: string): string {
  if (!isIPv6(ip) || ip.toLowerCase().startsWith('::ffff:')) return ip.replace(/^::ffff:/i, '');
  const [head = '', tail] = ip.split('::');
  const groups = head === '' ? [] : head.split(':');
  const after = tail ? tail.split(':') : [];
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - groups.length - after.length }, () => '0');
  return [...groups, ...zeros, ...after].slice(0, 4).join(':');
}

/**
 * The kinds of requests; each has places that no other can take.
 *
 * @internal
 */
export type Turn = keyof typeof REQUEST_QUEUES;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The places that a request takes; by default those of its bucket, `answers` of the bucket `requests`. */
    turn?: Turn;
  }
  interface FastifyRequest {
    /** Waits for the request's turn, once; null where it needs none. */
    takeTurn: (() => Promise<void>) | null;
    turn: Leave | null;
  }
}

/**
 * Lets requests wait for their turn, so that a burst of one account waits behind itself. Places go to others once an
 * answer is made; those of the account itself stay taken until its client has the answer, so that unread ones are few.
 *
 * @internal
 */
export function openTurns(
  app: FastifyInstance,
): (request: FastifyRequest, reply: FastifyReply, wanted: { turn: Turn; caller: QueuedCaller }) => void {
  const queues = Object.fromEntries(
    Object.entries(REQUEST_QUEUES).map(([turn, limits]) => [turn, new FairQueue(limits)]),
  ) as Record<Turn, FairQueue>;
  app.decorateRequest('takeTurn', null);
  app.decorateRequest('turn', null);
  app.addHook('preValidation', async (request) => request.takeTurn?.());
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.turn?.share();
    done(null, payload);
  });
  return (request, reply, { turn, caller }) => {
    let taking: Promise<void> | undefined;
    request.takeTurn = () => {
      taking ??= take(queues[turn], caller, request, reply);
      return taking;
    };
  };
}

async function take(
  queue: FairQueue,
  caller: QueuedCaller,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const gone = new AbortController();
  const leave = () => {
    request.turn?.();
    gone.abort(new OverloadError('The caller has left', 1));
  };
  reply.raw.once('close', leave);
  if (reply.raw.destroyed) leave();
  request.turn = await queue.enter(caller, gone.signal);
}
