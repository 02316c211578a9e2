import type { AuditAction, AuditOutcome, SignInFailure } from '../../../domain/account/audit.ts';
import type { DeliveryStatus, EventType } from '../../../domain/event.ts';

/** Something that happened, written in the transaction that caused it. */
export interface RecordedEvent {
  id: string;
  type: EventType;
  account_id: string;
  /** Id of what it is about: a scan, a job, a watched item. */
  subject: string;
  /** JSON of the event's data. */
  payload: string;
  created_at: number;
  /** When its deliveries were written; null until then. */
  dispatched_at: number | null;
  /** Its deliveries are not written before this: 0, or later where that failed. */
  dispatch_after: number;
  /** When the account read it in its list of alerts; null before. */
  read_at: number | null;
}

/** The receiver of a delivery, and the way to it. */
export interface Recipient {
  subscriber: 'mail' | 'webhook';
  /** A mail address, or the id of a webhook config. */
  recipient: string;
}

/** One event for one recipient. */
export interface DeliveryRow extends Recipient {
  /** The same in every attempt. */
  id: string;
  event_id: string;
  account_id: string;
  status: DeliveryStatus;
  attempts: number;
  /** Attempts since it was created or last replayed: the place in the schedule. */
  tries: number;
  /** HTTP status of the last attempt. */
  status_code: number | null;
  error: string | null;
  created_at: number;
  last_attempt_at: number | null;
  /** Null unless pending. */
  next_attempt_at: number | null;
}

/** One attempt of a delivery. */
export interface DeliveryAttemptRow {
  delivery_id: string;
  /** 1 for the first. */
  attempt: number;
  /** When it began. */
  at: number;
  /** Null while it runs, and for good where its process died. */
  duration_ms: number | null;
  status_code: number | null;
  error: string | null;
}

/** Names the queue of one recipient. */
export interface QueueKey {
  account_id: string;
  recipient: string;
}

/** Queue of one recipient. */
export interface DeliveryQueue extends QueueKey {
  /** When the next attempt may begin; null while nothing is pending. */
  due_at: number | null;
  /** 1 where the last attempt failed. */
  failing: number;
  /** Attempts that failed one after another. */
  failures: number;
  /** Nothing begins before: 0, or the next probe of a recipient that keeps failing. */
  hold_until: number;
}

/** An endpoint of an account; secrets are encrypted. */
export interface WebhookConfigRow {
  id: string;
  account_id: string;
  webhook_url: string;
  description: string;
  /** JSON list of event types. */
  events: string;
  is_active: number;
  secret: string;
  /** JSON of `PreviousSecret[]`, newest first. */
  previous_secrets: string;
  /** First failed attempt since the last one that succeeded. */
  failing_since: number | null;
  created_at: number;
}

/** Consent of a mail address to the mails of an account. */
export interface MailRecipientRow {
  account_id: string;
  /** In lower case. */
  address: string;
  /** `failed`: the mail that asks did not go out. */
  state: 'asked' | 'failed' | 'confirmed' | 'ended';
  asked_at: number;
  /** UTC day of the last mail, and the mails of that day; empty before the first. */
  sent_day: string;
  sent_count: number;
}

/** Columns of the audit log that the hash of an entry always covers. */
export interface AuditColumns {
  /** Id of the account, or `operator`. */
  chain: string;
  /** 1 for the first of the chain, without gaps. */
  seq: number;
  at: number;
  /** Null for a person and for the operator. */
  key_id: string | null;
  /** Name of the key or person, or `operator`. */
  actor: string;
  ip: string | null;
  action: AuditAction;
  /** An id, an address, a title. */
  subject: string;
  detail: string;
  case_id: string | null;
  outcome: AuditOutcome;
}

/** One action, in the chain of its account or of the operator. It outlives what it speaks of, so it refers to nothing. */
export interface AuditRow extends AuditColumns {
  /** The person who acted. */
  person_id: string | null;
  /** SHA-256 over the hash before it and the columns above, `person_id` last where there is one. */
  hash: string;
}

/** A view of an object in an hour that the log has. */
export interface AuditViewRow {
  chain: string;
  /** Key or person. */
  actor_id: string;
  subject: string;
  /** Its first moment. */
  hour: number;
}

/** Where a chain ends, and the anchor where it begins: the newest entry that was deleted for its age. */
export interface AuditChainRow {
  chain: string;
  seq: number;
  hash: string;
  anchor_seq: number;
  anchor_hash: string;
}

/** Refusals of one minute. `account_id` is empty where the key belongs to none. */
export interface SignInFailureRow {
  account_id: string;
  minute: number;
  reason: SignInFailure;
  count: number;
}
