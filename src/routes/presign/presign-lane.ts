import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../context.ts';
import { type KeyCheck, keyOf, presignBucket } from '../../http/auth.ts';
import { readQuery } from '../../http/query.ts';
import { requestId, SECURITY_HEADERS, type Traffic } from '../../http/traffic.ts';
import { type PresignCheck, type PresignQuestion, readPresign } from '../../questions/presign/check-presign.ts';
import { PRESIGN_PATH, writeVerdict } from './presign.ts';

/** Answers a request, or says false and leaves it as it is. */
export type Lane = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

const ROUTE = `/api/v1${PRESIGN_PATH}`;
const HEADERS = Object.entries({ ...SECURITY_HEADERS, 'content-type': 'application/json; charset=utf-8' }).flat();

/** Whether the lane may take a request at all. */
export function isPresignRequest({ method, url }: IncomingMessage): boolean {
  return method === 'GET' && url!.startsWith(`${ROUTE}?`);
}

/**
 * Checks before signing that go well, without the framework, whose routing, hooks and replies cost as much as the check.
 * Everything else is the route's to answer: each refusal and each error stands in one place.
 */
export function openPresignLane(
  ctx: Context,
  { traffic, keys, presign }: { traffic: Traffic; keys: KeyCheck; presign: PresignCheck },
): Lane {
  const answer: Lane = async (request, response) => {
    const startedAt = performance.now();
    const key = keyOf(request);
    const tenant = key && keys.known(key);
    if (!tenant || request.headers.host === undefined) return false;
    const { accountId, keyId, plan } = tenant;
    const id = requestId(request);
    const visit = { id, method: 'GET', route: ROUTE, startedAt, accountId: () => accountId };
    if (!traffic.enter(response, visit)) return false;

    const asked = request.url!;
    const known = await presign.again(asked, accountId);
    const question = known ? null : readQuestion(asked);
    const { allowed, remaining } = await ctx.limits.take(presignBucket(keyId), plan.presignPerMinute);
    if (!allowed) return false;
    const text = writeVerdict(known ?? (await presign.check(question!, accountId, asked)));
    const limits = ['x-ratelimit-limit', plan.presignPerMinute, 'x-ratelimit-remaining', remaining];
    const length = Buffer.byteLength(text);
    response.writeHead(200, [...HEADERS, 'x-request-id', id, ...limits, 'content-length', length] as string[]);
    response.end(text);
    return true;
  };
  return (request, response) => answer(request, response).catch(() => false);
}

/** Throws where the route would refuse it. */
function readQuestion(asked: string): PresignQuestion {
  const query = readQuery(asked.slice(ROUTE.length + 1));
  if (query.chain === undefined || query.to === undefined) throw new TypeError('a parameter is missing');
  return readPresign(query as Record<'chain' | 'to', string>);
}
