import { DAY_MS } from './time.ts';

/** Which side the account is on: it received a deposit, or sent a withdrawal. */
export const TRANSFER_DIRECTIONS = ['deposit', 'withdrawal'] as const;
export type TransferDirection = (typeof TRANSFER_DIRECTIONS)[number];

/** `waiting` until the transaction is confirmed and its other side is scanned; the others are final. */
export const TRANSFER_STATES = ['waiting', 'screened', 'not_confirmed', 'failed'] as const;
export type TransferState = (typeof TRANSFER_STATES)[number];

/** Why a transfer is not screened, or its level is unknown. */
export const TRANSFER_REASONS = {
  not_found: 'no source knew the transaction within an hour',
  unconfirmed: 'no block held it within an hour',
  dropped: 'it was seen unconfirmed and is not known any more: replaced, or dropped by the network',
  source_unavailable: 'the source of the chain did not answer within an hour',
  reverted: 'the chain took the transaction and undid it: nothing moved',
  no_such_transfer: 'the transaction has no transfer with that asset, amount and address',
  ambiguous: 'several transfers fit: name the asset, amount or address that is meant',
  no_counterparty: 'the other side has no address, as with newly mined coins',
  no_source: 'no data source is configured for the chain',
  scan_failed: 'the other side could not be scanned',
  unused: 'the other side was never used on the chain: nothing is known of it',
  not_all_screened: 'some of the senders were not scanned, and the others are low',
} as const;
export type TransferReason = keyof typeof TRANSFER_REASONS;

/** The other side of a screened transfer is watched for so long. */
export const WATCHED_MS = 30 * DAY_MS;
