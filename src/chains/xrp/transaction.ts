import { z } from 'zod';
import { XRP_TAG_MAX } from '../../domain/transfers/tags.ts';
import { canonicalTxHash } from '../../domain/tx-hash.ts';
import { blockTimeMs, whole, wholeUpTo } from '../reply.ts';
import { amountShape, dropsShape, issuedShape, mptUnitsShape, trustBalanceShape, xrpAddressShape } from './asset.ts';

const RIPPLE_EPOCH_S = 946_684_800;

/** The fields read of entries that hold value; where one has another shape, sums would silently be wrong. */
const holdingShapes: Record<string, z.ZodType> = {
  AccountRoot: z.object({
    Account: xrpAddressShape.optional(),
    Balance: dropsShape.optional(),
  }),
  Escrow: z.object({ Account: xrpAddressShape.optional(), Amount: amountShape.optional() }),
  PayChannel: z.object({
    Account: xrpAddressShape.optional(),
    Amount: amountShape.optional(),
    Balance: amountShape.optional(),
  }),
  RippleState: z.object({
    Balance: trustBalanceShape.optional(),
    LowLimit: issuedShape.optional(),
    HighLimit: issuedShape.optional(),
  }),
  Sponsorship: z.object({ Owner: xrpAddressShape.optional(), FeeAmount: dropsShape.optional() }),
  MPToken: z.object({ Account: xrpAddressShape.optional(), MPTAmount: mptUnitsShape.optional() }),
};
/** Without a tag beyond 32 bits, which the ledger does not have; the transaction is read all the same. */
const tagShape = wholeUpTo(XRP_TAG_MAX).optional().catch(undefined);
const fields = z.record(z.string(), z.unknown());
const nodeBody = z
  .object({
    LedgerEntryType: z.string(),
    LedgerIndex: z.string().max(64).optional(),
    NewFields: fields.optional(),
    FinalFields: fields.optional(),
    PreviousFields: fields.optional(),
  })
  .refine(({ LedgerEntryType, NewFields = {}, FinalFields = {}, PreviousFields = {} }) => {
    const shape = holdingShapes[LedgerEntryType];
    return !shape || [NewFields, FinalFields, PreviousFields].every((part) => shape.safeParse(part).success);
  }, 'an entry that holds value has another shape');
const affectedNode = z.union([
  z.object({ CreatedNode: nodeBody }),
  z.object({ ModifiedNode: nodeBody }),
  z.object({ DeletedNode: nodeBody }),
]);
const metaShape = z.object({
  AffectedNodes: z.array(affectedNode),
  TransactionIndex: whole.nullable().default(null),
  TransactionResult: z.string(),
  delivered_amount: z.union([amountShape, z.literal('unavailable')]).optional(),
  DeliveredAmount: z.union([amountShape, z.literal('unavailable')]).optional(),
});
const taggedEnds = z.object({
  Account: xrpAddressShape.optional(),
  Destination: xrpAddressShape.optional(),
  DestinationTag: tagShape,
  SourceTag: tagShape,
});
export type TaggedEnds = z.output<typeof taggedEnds>;
const txShape = z.object({
  Account: xrpAddressShape,
  TransactionType: z.string().min(1).max(64),
  Fee: dropsShape,
  Flags: whole.default(0),
  Destination: xrpAddressShape.optional(),
  DestinationTag: tagShape,
  SourceTag: tagShape,
  Delegate: xrpAddressShape.optional(),
  Sponsor: xrpAddressShape.optional(),
  SponsorFlags: whole.default(0),
  /** Empty where several signed. */
  SigningPubKey: z
    .string()
    .regex(/^(?:[0-9A-Fa-f]{66})?$/)
    .optional()
    .catch(undefined),
  Amount: z.unknown().optional(),
  DeliverMax: z.unknown().optional(),
  SendMax: z.unknown().optional(),
  Memos: z
    .array(
      z.object({
        Memo: z.object({
          MemoData: z
            .string()
            .regex(/^(?:[0-9a-fA-F]{2})*$/)
            .optional(),
        }),
      }),
    )
    .max(100)
    .optional()
    .catch(undefined),
  hash: z.string().optional(),
  date: whole.optional(),
  ledger_index: whole.optional(),
});
const row = {
  hash: z.string().optional(),
  ledger_index: whole.optional(),
  ledger_hash: z.string().optional(),
  close_time_iso: z.string().optional(),
  validated: z.boolean().default(false),
};
const rowV2 = z.object({ ...row, tx_json: txShape, meta: metaShape.optional() });
const rowV1 = z.object({ ...row, tx: txShape, meta: metaShape.optional() });
const flatV1 = txShape.extend({ ...row, meta: metaShape.optional() });

/**
 * A transaction in any of the shapes in which rippled and Clio send it: API v2 (`tx_json`), API v1 in a list (`tx`)
 * and API v1 of the `tx` method (all in one object).
 */
export const xrpTransactionShape = z
  .union([
    rowV2.transform(({ tx_json, ...rest }) => ({ ...rest, tx: tx_json })),
    rowV1,
    flatV1.transform((flat) => ({
      hash: flat.hash,
      ledger_index: flat.ledger_index,
      ledger_hash: flat.ledger_hash,
      close_time_iso: flat.close_time_iso,
      validated: flat.validated,
      meta: flat.meta,
      tx: flat,
    })),
  ])
  .transform((entry, context) => {
    const hash = canonicalTxHash('xrp', entry.hash ?? entry.tx.hash ?? '');
    if (hash === null) {
      context.addIssue({ code: 'custom', message: 'transaction without a hash' });
      return z.NEVER;
    }
    const { TransactionType, Amount, DeliverMax, SendMax } = entry.tx;
    const stated = [Amount, DeliverMax, SendMax].filter((amount) => amount !== undefined);
    if (TransactionType === 'Payment' && !stated.every((amount) => amountShape.safeParse(amount).success)) {
      context.addIssue({ code: 'custom', message: 'a payment of an impossible amount' });
      return z.NEVER;
    }
    const closed = entry.close_time_iso === undefined ? Number.NaN : Date.parse(entry.close_time_iso);
    const at = entry.tx.date === undefined ? closed : (entry.tx.date + RIPPLE_EPOCH_S) * 1_000;
    const block = entry.ledger_index ?? entry.tx.ledger_index ?? null;
    if (entry.validated && (block === null || !blockTimeMs.safeParse(at).success || !entry.meta)) {
      context.addIssue({ code: 'custom', message: 'validated transaction without ledger, time or metadata' });
      return z.NEVER;
    }
    return {
      hash,
      block,
      blockHash: entry.ledger_hash ?? null,
      at: Number.isFinite(at) ? at : null,
      validated: entry.validated,
      tx: entry.tx,
      meta: entry.meta ?? null,
    };
  });

export type XrpTransaction = z.output<typeof xrpTransactionShape>;
export type XrpMeta = z.output<typeof metaShape>;

const SPONSORS_FEE = 1;

/** Returns the account that pays the fee: a sponsor, else the delegate who signs in the name of the sender, else the sender. */
export function feePayerOf({ tx }: XrpTransaction): string {
  const sponsor = (tx.SponsorFlags & SPONSORS_FEE) === 0 ? undefined : tx.Sponsor;
  return sponsor ?? tx.Delegate ?? tx.Account;
}

/** Entries that hold what one account is to pay another. */
const OWED: readonly string[] = ['Escrow', 'Check', 'PayChannel'];

/** Payer and payee by the entries that a transaction changed or closed. */
export function paidOutBy(meta: XrpMeta | null): TaggedEnds[] {
  return (meta?.AffectedNodes ?? []).flatMap((node) => {
    const { LedgerEntryType, FinalFields } = Object.values(node)[0]!;
    const ends = OWED.includes(LedgerEntryType) ? taggedEnds.safeParse(FinalFields) : null;
    return ends?.success ? [ends.data] : [];
  });
}

/** Epoch ms of a moment of the ledger. */
export function rippleTime(seconds: number): number {
  return (seconds + RIPPLE_EPOCH_S) * 1_000;
}

export function succeeded(transaction: XrpTransaction): boolean {
  return transaction.validated && transaction.meta?.TransactionResult === 'tesSUCCESS';
}
