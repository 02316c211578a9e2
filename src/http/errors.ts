import { randomUUID } from 'node:crypto';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import {
  AppError,
  BodyTooLargeError,
  ClosingError,
  type ErrorCode,
  FileRangeError,
  InvalidInputError,
  MethodNotAllowedError,
  NotFoundError,
  OverloadError,
  PreconditionError,
  ShapeError,
  UnavailableError,
} from '../errors.ts';
import { BODY_BYTES_MAX } from './body.ts';
import { callerHasLeft } from './connections.ts';
import { SECURITY_HEADERS } from './traffic.ts';

const DISK_RETRY_AFTER_S = 60;

/** The one place where an error becomes an answer. The log gets the cause of failures, and of refusals that have one. */
export function answerErrors(app: FastifyInstance, log: Logger, allowedMethods: (path: string) => string[]): void {
  app.setErrorHandler((error: FastifyError | AppError, request, reply) => {
    // Where no route is, what Fastify holds against the body does not matter: the path or the method is the refusal.
    const isNowhere = request.is404 ? !(error instanceof AppError) : error instanceof ShapeError && endsEarly(request);
    answerError(log, isNowhere ? refusal(request, reply) : error, request, reply);
  });

  app.setNotFoundHandler((request, reply) => {
    const refused = refusal(request, reply);
    if (request.method === 'OPTIONS' && refused instanceof MethodNotAllowedError) return reply.code(204).send();
    throw refused;
  });

  answerForNode(app);

  function refusal(request: FastifyRequest, reply: FastifyReply): AppError {
    const methods = allowedMethods(request.url.split('?')[0]!);
    // A method that the path has was refused by the route itself: it holds no such thing.
    const isServed = methods.includes(request.method) && request.method !== 'OPTIONS';
    if (methods.length === 0 || isServed) return new NotFoundError();
    reply.header('Allow', methods.join(', '));
    return new MethodNotAllowedError();
  }
}

/** Finds a path that has nothing where a name should stand. */
function endsEarly({ params }: FastifyRequest): boolean {
  return Object.values(params ?? {}).includes('');
}

/** Answers what Fastify refuses before routing: a path that cannot be decoded or holds an over-long segment. */
export function answerBadPath(log: Logger) {
  return (_error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.headers(SECURITY_HEADERS).header('X-Request-Id', request.id);
    answerError(log, new NotFoundError(), request, reply);
  };
}

/** Answers what is not HTTP, or has more headers than Node reads; there is no request object then. */
export function answerBadConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const refusals: Record<string, [number, ErrorCode]> = {
    HPE_HEADER_OVERFLOW: [431, 'headers_too_large'],
    ERR_HTTP_REQUEST_TIMEOUT: [408, 'request_timeout'],
  };
  endWith(socket, ...(refusals[error.code ?? ''] ?? [400, 'bad_request']));
}

/** Answers what Node would answer by itself, without an id: a request for no host, an expectation, a tunnel. */
function answerForNode(app: FastifyInstance): void {
  Object.assign(app.server, { requireHostHeader: false });
  app.addHook('onRequest', (request, _reply, done) => {
    const hosts = hostHeaders(request.raw);
    if (hosts > 1) return done(new InvalidInputError('Host header was sent more than once'));
    const isForNobody = hosts === 0 && request.raw.httpVersion === '1.1';
    done(isForNobody ? new InvalidInputError('Host header is required') : undefined);
  });
  app.server.on('checkExpectation', ({ socket }: IncomingMessage) => endWith(socket, 417, 'expectation_failed'));
  app.server.on('connect', (_request: IncomingMessage, socket: Duplex) => {
    // Node has let go of the socket: an error that nobody hears would end the process.
    socket.on('error', () => {});
    endWith(socket, 405, 'method_not_allowed');
  });
}

/** Node keeps the first of several, and a proxy before it may have gone by the last. */
function hostHeaders({ rawHeaders }: IncomingMessage): number {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]!.toLowerCase() === 'host') count += 1;
  return count;
}

function endWith(socket: Duplex, status: number, code: ErrorCode): void {
  const body = JSON.stringify({ detail: STATUS_CODES[status], code });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    'X-Request-Id': randomUUID(),
    Connection: 'close',
    ...SECURITY_HEADERS,
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`);
}

function answerError(log: Logger, error: FastifyError | AppError, request: FastifyRequest, reply: FastifyReply): void {
  const named = error instanceof AppError ? error : fromFramework(error, request);
  const known = named && named.status < 500 ? named : (fullDisk(error) ?? named);
  const status = known?.status ?? 500;
  const isFailure = status >= 500 && !(known instanceof OverloadError || known instanceof ClosingError);
  if (isFailure && !callerHasLeft(request)) log.error({ err: error, request_id: request.id }, 'request failed');
  // A refusal with a cause is not the caller's fault: a chain's source failed, and the answer is a 400 by contract.
  else if (known?.cause) log.warn({ err: known.cause, request_id: request.id }, 'request refused');
  if (status === 401) reply.header('WWW-Authenticate', 'Bearer');
  reply
    .code(status)
    .headers(known?.headers ?? {})
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({
      detail: known instanceof ShapeError ? known.issues : (known?.message ?? 'Internal server error'),
      code: known?.code ?? 'internal',
      ...known?.fields,
    });
}

/** Says of any store that there is no room to write: what was asked was not written, and may be tried again. */
function fullDisk(error: FastifyError | AppError): AppError | undefined {
  // The text of an error of ours may repeat the caller's: a store's own error is its cause.
  const ofStores = error instanceof AppError ? [error.cause] : [error, error.cause];
  const isFull = ofStores.some((one) => {
    const { code, message } = (one ?? {}) as { code?: string; message?: string };
    return /^(SQLITE_FULL|53100|ENOSPC|EDQUOT)$/.test(code ?? '') || message?.includes('No space left on device');
  });
  return isFull ? new UnavailableError('The disk is full', DISK_RETRY_AFTER_S, { cause: error }) : undefined;
}

/** Returns what Fastify itself refuses about a request, in the contract's terms. */
function fromFramework(error: FastifyError, request: FastifyRequest): AppError | undefined {
  const tooLarge = Number(request.headers['content-length']) > BODY_BYTES_MAX;
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE' || (error.statusCode === 415 && tooLarge))
    return new BodyTooLargeError();
  if (error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new ShapeError([{ type: 'content_type', loc: ['body'], msg: 'Content-Type should be application/json' }]);
  }
  if (error.statusCode === 412) return new PreconditionError();
  if (error.statusCode === 416) return new FileRangeError();
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new ShapeError([{ type: 'body_invalid', loc: ['body'], msg: 'Request body could not be read' }]);
  }
  return undefined;
}
