import { type OutboundProblem, problemIn } from './outbound/use.ts';

/** Every `code` of a refusal; new ones may be added. */
export const ERROR_CODES = [
  'account_suspended',
  'address_not_on_chain',
  'bad_request',
  'body_too_large',
  'closing',
  'conflict',
  'expectation_failed',
  'forbidden',
  'gone',
  'graph_failed',
  'graph_timeout',
  'graph_unavailable',
  'headers_too_large',
  'internal',
  'invalid_input',
  'invalid_shape',
  'legal_hold',
  'limit_reached',
  'method_not_allowed',
  'not_found',
  'overloaded',
  'pipeline_failed',
  'plan_lacks_feature',
  'plan_limit_reached',
  'precondition_failed',
  'precondition_required',
  'quota_exhausted',
  'range_not_satisfiable',
  'rate_limited',
  'report_failed',
  'request_timeout',
  'source_unavailable',
  'too_many',
  'unauthenticated',
  'unavailable',
  'upstream_failed',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/**
 * The closed list of what the service can answer with. Each error knows its status and the text that
 * a client may see; its cause is logged and never shown. Workers retry on `retryable`, never on text.
 */
export abstract class AppError extends Error {
  abstract readonly status: number;
  /** Code that a program acts on: it stays when the text changes. */
  abstract readonly code: ErrorCode;
  readonly retryable: boolean = false;
  /** Extra answer headers, e.g. `Retry-After`. */
  readonly headers: Record<string, string> = {};
  /** Fields of the answer beside `detail`. */
  readonly fields: Record<string, unknown> = {};

  constructor(publicMessage: string, options?: { cause?: unknown }) {
    super(publicMessage, options);
    this.name = new.target.name;
  }
}

/** 400: the request is well-formed but asks for something that cannot be. */
export class InvalidInputError extends AppError {
  readonly status = 400;
  readonly code = 'invalid_input';
  override readonly fields: Record<string, unknown>;

  constructor(publicMessage: string, options?: { cause?: unknown; hint?: string }) {
    super(publicMessage, options);
    this.fields = options?.hint === undefined ? {} : { hint: options.hint };
  }
}

/** 401 */
export class UnauthenticatedError extends AppError {
  readonly status = 401;
  readonly code = 'unauthenticated';
}

/** 403: the plan lacks the feature. */
export class PlanError extends AppError {
  readonly status = 403;
  readonly code: ErrorCode = 'plan_lacks_feature';
}

/** 403: the plan allows no more of them. */
export class PlanLimitError extends PlanError {
  override readonly code = 'plan_limit_reached';
}

/** 403: there is as much of it as there may be; deleting makes room. */
export class LimitError extends AppError {
  readonly status = 403;
  readonly code = 'limit_reached';
  /** `most` as in `2000 notes in a case`. */
  constructor(most: string) {
    super(`Limit reached: ${most}`);
  }
}

/** 403: it may not be done, whatever the plan. */
export class ForbiddenError extends AppError {
  readonly status = 403;
  readonly code: ErrorCode = 'forbidden';
}

/** 403: the operator suspended the account. */
export class SuspendedError extends ForbiddenError {
  override readonly code = 'account_suspended';
  constructor() {
    super('The account is suspended: ask the operator of this service');
  }
}

/** 404, also for what belongs to another tenant; built fresh so that nothing leaks. */
export class NotFoundError extends AppError {
  readonly status = 404;
  readonly code: ErrorCode = 'not_found';
  constructor(message = 'Not found') {
    super(message);
  }
}

/** 404 for the operator; a request whose own account it is gets 401. */
export class UnknownAccountError extends NotFoundError {
  constructor(id: string) {
    super(`Account not found: ${id}`);
  }
}

/** 404: neither its source nor a list nor the graph knows the address on this chain. */
export class AddressNotFoundError extends NotFoundError {
  override readonly code = 'address_not_on_chain';
  override readonly fields: Record<string, unknown>;
  /** `activeOn`: other chains on which it is in use. */
  constructor(chain: string, activeOn: readonly string[] = []) {
    super(`Address not found on ${chain}`);
    this.fields = activeOn.length > 0 ? { active_on: activeOn } : {};
  }
}

/** 405 */
export class MethodNotAllowedError extends AppError {
  readonly status = 405;
  readonly code = 'method_not_allowed';
  constructor() {
    super('Method not allowed');
  }
}

/** 409 */
export class ConflictError extends AppError {
  readonly status = 409;
  readonly code: ErrorCode = 'conflict';
}

/** 409: a case on hold has it. */
export class HeldError extends ConflictError {
  override readonly code = 'legal_hold';
  constructor() {
    super('The case is under legal hold: nothing of it is deleted');
  }
}

/** 410: it was there and cannot be given any more. */
export class GoneError extends AppError {
  readonly status = 410;
  readonly code = 'gone';
}

/** 412: it is not as the request's condition wants it. */
export class PreconditionError extends AppError {
  readonly status = 412;
  readonly code = 'precondition_failed';
  override readonly fields: Record<string, unknown>;
  constructor(message = 'Precondition failed', fields: Record<string, unknown> = {}) {
    super(message);
    this.fields = fields;
  }
}

/** 428: the request must name the version that it changes. */
export class PreconditionRequiredError extends AppError {
  readonly status = 428;
  readonly code = 'precondition_required';
}

/** 416 */
export class FileRangeError extends AppError {
  readonly status = 416;
  readonly code = 'range_not_satisfiable';
  constructor() {
    super('Range is outside the file');
  }
}

/** 413 */
export class BodyTooLargeError extends AppError {
  readonly status = 413;
  readonly code = 'body_too_large';
  constructor(message = 'Request body is larger than 1 MiB') {
    super(message);
  }
}

export interface Issue {
  type: string;
  loc: (string | number)[];
  msg: string;
}

/** 422: type or shape mismatch; the answer's `detail` is the array of issues. */
export class ShapeError extends AppError {
  readonly status = 422;
  readonly code = 'invalid_shape';
  readonly issues: Issue[];
  constructor(issues: Issue[]) {
    super('Request does not have the right shape');
    this.issues = issues;
  }
}

/** 429 of the per-minute limit; waiting clears it. */
export class RateLimitError extends AppError {
  readonly status = 429;
  readonly code = 'rate_limited';
  override readonly headers: Record<string, string>;
  constructor(limit: number, retryAfterS: number) {
    super(`Rate limit exceeded. Max ${limit} requests per minute.`);
    this.headers = {
      'Retry-After': String(retryAfterS),
      'X-RateLimit-Limit': String(limit),
      'X-RateLimit-Remaining': '0',
    };
  }
}

/** 429: the account has too much of one kind at once or in a day; waiting clears it. */
export class TooManyError extends AppError {
  readonly status = 429;
  readonly code = 'too_many';
  override readonly headers: Record<string, string>;
  constructor(message: string, retryAfterS: number) {
    super(message);
    this.headers = { 'Retry-After': String(retryAfterS) };
  }
}

/** 429 of the monthly quota: no `Retry-After`, waiting does not help. */
export class QuotaError extends AppError {
  readonly status = 429;
  readonly code = 'quota_exhausted';
}

/** 500: a chain's data source is down, slow, limits our rate for too long, or sends invalid replies. */
export class SourceError extends AppError {
  readonly status = 500;
  readonly code = 'source_unavailable';
  override readonly retryable = true;
  readonly chain: string;
  /** Reason of the failure, for the log. */
  readonly reason: string;
  /** The same for everybody. */
  readonly problem: OutboundProblem;
  constructor(chain: string, reason: string, options?: { cause?: unknown; problem?: OutboundProblem }) {
    super(`Scan failed: ${chain} data source unavailable`, options);
    this.chain = chain;
    this.reason = reason;
    this.problem = options?.problem ?? problemIn(reason);
  }
}

/** 500: the graph cannot be reached or a query failed. */
export class GraphError extends AppError {
  readonly status = 500;
  readonly code: ErrorCode = 'graph_failed';
  override readonly retryable = true;
  constructor(options?: { cause?: unknown }) {
    super('Graph query failed', options);
  }
}

/** The server of the graph cannot be reached or does not answer. */
export class GraphUnavailableError extends GraphError {
  override readonly code = 'graph_unavailable';
}

/** The time budget of a graph query ended; questions turn it into a truncated answer. */
export class GraphTimeoutError extends GraphError {
  override readonly code = 'graph_timeout';
  /** Settles when the engine has ended the query too; absent where it ends queries itself. */
  readonly ended?: Promise<unknown>;
  constructor(options?: { cause?: unknown; ended?: Promise<unknown> }) {
    super(options);
    this.ended = options?.ended;
  }
}

/** 500 with a text of its own, e.g. the deadline of a synchronous scan. */
export class PipelineError extends AppError {
  readonly status = 500;
  readonly code = 'pipeline_failed';
  override readonly retryable = true;
}

/** 500: drawing a report takes too much time or memory; the same report would again. */
export class ReportError extends AppError {
  readonly status = 500;
  readonly code = 'report_failed';
  constructor(reason: string) {
    super(`Report could not be drawn: ${reason}`);
  }
}

/** 502: a rescan failed upstream. */
export class UpstreamError extends AppError {
  readonly status = 502;
  readonly code = 'upstream_failed';
  override readonly retryable = true;
}

/** 503: overload or a store that cannot be reached. */
export class UnavailableError extends AppError {
  readonly status = 503;
  readonly code: ErrorCode = 'unavailable';
  override readonly retryable = true;
  override readonly headers: Record<string, string>;
  constructor(message: string, retryAfterS: number, options?: { cause?: unknown }) {
    super(message, options);
    this.headers = { 'Retry-After': String(retryAfterS) };
  }
}

/** 503 by design under load. Counted as an answer, not logged as a failure: a flood must not fill the log. */
export class OverloadError extends UnavailableError {
  override readonly code = 'overloaded';
}

/** 503: the process is ending; work that is not done is given up at once. */
export class ClosingError extends AppError {
  readonly status = 503;
  readonly code = 'closing';
  override readonly retryable = true;
  override readonly headers = { 'Retry-After': '10' };
  constructor() {
    super('The server is closing');
  }
}
