/** The actions of the audit log; a new one is one line here and one call of `insertAudit`. */
export const AUDIT_ACTIONS = {
  account_created: 'an account was opened',
  plan_changed: 'an account moved to another plan',
  account_suspended: 'the operator suspended an account',
  account_resumed: 'the operator ended the suspension of an account',
  account_erased: 'the operator erased an account with all that it had; `subject` is a salted hash of its id',
  topped_up: 'the operator added scans',
  key_created: 'a key was made',
  key_revoked: 'a key was revoked',
  person_invited: 'a person was invited',
  person_joined: 'a person signed in for the first time',
  person_changed: 'the name or the roles of a person were changed',
  person_removed: 'a person was removed',
  signed_in: 'a person signed in',
  signed_out: 'a session of a person was ended by them or by the provider',
  settings_changed: 'the risk settings were changed',
  webhook_created: 'a webhook endpoint was made',
  webhook_changed: 'a webhook endpoint was changed',
  webhook_deleted: 'a webhook endpoint was deleted',
  webhook_secret_rotated: 'the secret of a webhook endpoint was replaced',
  mail_allowed: 'the operator let an account mail to an address',
  mail_confirmed: 'a recipient said yes to mails',
  mail_ended: 'a recipient ended the mails',
  watch_added: 'an address was put on the watchlist',
  watch_changed: 'Follow Mode of a watched address was set',
  watch_removed: 'an address was taken off the watchlist',
  case_created: 'a case was opened',
  case_updated: 'a case was changed',
  case_deleted: 'a case was deleted with all that it held',
  address_added: 'an address was put into a case',
  address_updated: 'an address of a case was changed',
  address_removed: 'an address was taken out of a case',
  case_viewed: 'a case was read; once for each person or key and hour',
  address_viewed:
    'a scan of an address, its exposure, its money or its counterparties were read; once for each person or key and hour',
  board_created: 'a board was made',
  board_changed: 'a board was renamed, put into a case or taken out of one',
  board_deleted: 'a board was deleted with all its versions',
  note_added: 'a note was written',
  note_deleted: 'a note was deleted',
  approval_asked: 'the approval of another person was asked for',
  approval_given: 'a person approved what another asked for, and it was done',
  approval_rejected: 'a person rejected what another asked for',
  approval_withdrawn: 'a person took back what they had asked for',
  disposition_set: 'a detection was judged',
  label_added: 'an address was given a label of the own account',
  label_removed: 'such a label was removed',
  match_decided: 'a likely match at a bridge was decided',
  bulk_scan_started: 'a bulk scan of a case was started',
  report_downloaded: 'a PDF report was made',
  case_exported: 'a case, or its addresses, was written for another system',
  case_imported: 'a case of another installation was imported',
  request_downloaded: 'a freezing request was made',
  package_requested: 'a report package was requested',
  package_downloaded: 'a file of a report package was downloaded',
  scans_deleted: 'records of scans were deleted',
  records_expired: 'the service deleted records that the operator keeps no longer; `subject` counts them by kind',
  scam_reported: 'a scam was reported',
  scam_report_decided: 'the operator verified or rejected a scam report',
  list_kept: 'the operator put a list under those that the service fetches',
  list_removed: 'the operator took a list from those',
  load_started: 'the operator, or the service for a kept list, began to load a list, labels, prices or transfers',
  load_ended: 'such a load ended',
  load_withdrawn: 'the operator, or a newer load, took a load that was cut off from those that are repeated',
  facts_forgotten: 'the operator deleted what sources had reported',
  log_shortened: 'the service deleted entries older than 400 days; `detail` is the hash of the last of them',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

export const AUDIT_OUTCOMES = ['done', 'failed'] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Why a key was not let in; counted by minute, beside the log. */
export const SIGN_IN_FAILURES = {
  unknown_key: 'no live key',
  expired_key: 'a key after its end',
  elsewhere: 'a key from an address that it does not allow',
  lacks_right: 'a key without the right for the request',
} as const;
export type SignInFailure = keyof typeof SIGN_IN_FAILURES;

/** Days that entries are kept at least: whole months are deleted, and the chain goes on from the last hash of those. */
export const AUDIT_KEPT_DAYS = 400;
