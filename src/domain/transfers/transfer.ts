import { CHAINS } from '../chain.ts';
import { compare } from '../compare.ts';
import { transferId } from './transfer-id.ts';

interface TransferField {
  type: 'text' | 'integer' | 'number' | 'boolean';
  /** The texts it can be, where they are a closed list. */
  values?: readonly string[];
  /** True where null means that the source does not give it. */
  nullable?: true;
  /** The property of a TRANSFER relationship; absent where the graph keeps it elsewhere or not at all. */
  column?: string;
  /** True where a report of transactions shows it. */
  report?: true;
  about: string;
}

/**
 * The only list of a transfer's fields. The type `Transfer`, the properties of the graph, their reader, the export and
 * the table in docs/graph-model.md are derived from it or compared with it.
 */
export const TRANSFER_FIELDS = {
  id: {
    type: 'text',
    column: 'id',
    about: 'digest of transaction, token, ends, amount and number among equals, 22 characters of base64url',
  },
  chain: { type: 'text', values: CHAINS, report: true, about: 'the chain; the graph keeps it on the addresses' },
  txHash: { type: 'text', column: 'tx_hash', report: true, about: 'the transaction' },
  index: {
    type: 'text',
    nullable: true,
    column: 'index',
    report: true,
    about:
      'place in the transaction, where the source gives it: `native`, `log:12`, `trace:0_1`, `out:3`, or a plain number' +
      ' from a file',
  },
  seq: {
    type: 'integer',
    nullable: true,
    column: 'seq',
    about: 'order inside the transaction among places of one kind; smaller is earlier',
  },
  block: {
    type: 'integer',
    nullable: true,
    column: 'block',
    report: true,
    about: 'number (slot, ledger) of the block',
  },
  blockHash: { type: 'text', nullable: true, column: 'block_hash', report: true, about: 'hash of the block' },
  position: {
    type: 'integer',
    nullable: true,
    column: 'position',
    about: 'position of the transaction in its block, from 0',
  },
  at: { type: 'integer', column: 'at', report: true, about: 'time of the block, epoch ms' },
  from: { type: 'text', report: true, about: 'canonical address of the sender' },
  to: { type: 'text', report: true, about: 'canonical address of the receiver' },
  asset: { type: 'text', column: 'asset', report: true, about: 'symbol as answers show it' },
  token: {
    type: 'text',
    nullable: true,
    column: 'token',
    report: true,
    about: "contract, mint or `CURRENCY.issuer`; absent for the chain's own coin",
  },
  amount: { type: 'text', column: 'amount', report: true, about: 'exact decimal string' },
  amountRaw: {
    type: 'text',
    nullable: true,
    column: 'amount_raw',
    report: true,
    about:
      'the amount in smallest units; the graph keeps it only where `amount` and `decimals` do not give it; issued' +
      ' currencies of the XRP Ledger have none',
  },
  decimals: {
    type: 'integer',
    nullable: true,
    column: 'decimals',
    report: true,
    about: 'decimals of the asset; absent where nothing states them: `amount` is then in smallest units',
  },
  usd: {
    type: 'number',
    nullable: true,
    column: 'usd',
    report: true,
    about: 'US dollars at the time of the transfer; absent where no price is known, never 0 for unknown',
  },
  kind: {
    type: 'text',
    values: ['native', 'token', 'internal', 'nft', 'dex'],
    column: 'kind',
    about:
      '`native`, `token`, `internal`, `nft`, or `dex`: a side of an exchange inside a payment across currencies, to or from `tx:<hash>`',
  },
  assetType: {
    type: 'text',
    values: ['erc721', 'erc1155'],
    nullable: true,
    column: 'asset_type',
    report: true,
    about: 'standard of an `nft` on an EVM chain; `kind` and the chain determine the type of every other asset',
  },
  failed: {
    type: 'boolean',
    report: true,
    about: 'moved nothing: counted, never followed, and never in the graph',
  },
  apportioned: {
    type: 'boolean',
    column: 'apportioned',
    about: 'true where the chain does not record who paid whom and the amount is a share',
  },
  joint: {
    type: 'boolean',
    nullable: true,
    column: 'joint',
    about:
      'Bitcoin, of several payers: true where the shape of the transaction and its signatures speak for one owner of them' +
      ' all, false where a source sees that strangers may have signed together; absent where the whole transaction was not read',
  },
  change: {
    type: 'boolean',
    nullable: true,
    column: 'change',
    about:
      'Bitcoin: true of what at least two of three signs call the change of who paid, and none speaks against; never false; says nothing where `joint` is false',
  },
  txSender: {
    type: 'text',
    nullable: true,
    column: 'tx_sender',
    report: true,
    about: 'signer of the transaction; absent where several signed',
  },
  method: {
    type: 'text',
    nullable: true,
    column: 'method',
    report: true,
    about:
      'four-byte selector or method name; on Bitcoin `coinjoin_preparation` for what a wallet divides for a CoinJoin, `sale` of a payer who may have sold to the others',
  },
  asked: {
    type: 'boolean',
    nullable: true,
    about:
      'true where the call that the sender signed asked the token for this transfer, false for other calls; absent where the' +
      ' call was not read',
  },
  fee: {
    type: 'text',
    nullable: true,
    column: 'fee',
    report: true,
    about: "fee of the whole transaction in the chain's own coin, decimal string",
  },
  feePayer: { type: 'text', nullable: true, column: 'fee_payer', about: 'who paid the fee, if not `tx_sender`' },
  feeShare: {
    type: 'text',
    nullable: true,
    column: 'fee_share',
    about: 'part of the fee that the sender paid, where several senders, or a fee payer, shared it',
  },
  tokenId: { type: 'text', nullable: true, column: 'token_id', report: true, about: 'id of an `nft`' },
  destinationTag: {
    type: 'integer',
    nullable: true,
    column: 'destination_tag',
    report: true,
    about: "XRP Ledger: which of the receiver's customers is paid",
  },
  sourceTag: {
    type: 'integer',
    nullable: true,
    column: 'source_tag',
    report: true,
    about: "XRP Ledger: which of the sender's customers pays",
  },
  source: {
    type: 'text',
    nullable: true,
    column: 'source',
    about: 'the sources whose reading is stored, e.g. `explorer+rpc`; absent for a loaded file',
  },
  readAt: { type: 'integer', nullable: true, column: 'read_at', about: 'when that was read, epoch ms' },
} as const satisfies Record<string, TransferField>;

type Fields = typeof TRANSFER_FIELDS;
type ValueOf<F extends TransferField> =
  | (F extends { values: readonly (infer Text)[] }
      ? Text
      : F['type'] extends 'text'
        ? string
        : F['type'] extends 'boolean'
          ? boolean
          : number)
  | (F extends { nullable: true } ? null : never);

/** One movement of one asset between two addresses, as a chain source reports it. Everything else is computed from it. */
export type Transfer = { -readonly [Name in keyof Fields]: ValueOf<Fields[Name]> };
export type TransferKind = Transfer['kind'];

type ColumnOf<Name extends keyof Fields> = Fields[Name] extends { column: infer Column extends string }
  ? Column
  : never;

/** The properties of a TRANSFER in the graph, null where unknown. */
export type TransferProperties = { [Name in keyof Fields as ColumnOf<Name>]: Transfer[Name] };

/** Fields that the graph keeps on the relationship, each with its property, in the order of the table. */
export const TRANSFER_COLUMNS = Object.entries<TransferField>(TRANSFER_FIELDS).flatMap(
  ([field, { column, nullable }]) => (column === undefined ? [] : [{ field, column, nullable: nullable === true }]),
) as { field: keyof Transfer; column: keyof TransferProperties; nullable: boolean }[];

type Needed = 'chain' | 'txHash' | 'at' | 'from' | 'to' | 'asset' | 'amount' | 'kind';

const FIELDS = Object.keys(TRANSFER_FIELDS) as (keyof Transfer)[];
/** All fields in one order: objects of one shape take half the memory of others, and are read several times faster. */
const BLANK = Object.fromEntries(FIELDS.map((field) => [field, null])) as Record<keyof Transfer, unknown>;

/** A transfer whose fields that are not given are unknown; it is neither failed nor apportioned, and the first of its equals. */
export function createTransfer(given: Pick<Transfer, Needed> & Partial<Transfer>): Transfer {
  const transfer = { ...BLANK, failed: false, apportioned: false };
  for (const field of FIELDS) if (given[field] !== undefined) transfer[field] = given[field] as never;
  transfer.id ??= transferId(transfer as unknown as Transfer);
  return transfer as unknown as Transfer;
}

/** How answers name a transfer as evidence: `<tx_hash>#<place>`, or its id where the place is not known. */
export function transferName({ txHash, index, id }: Pick<Transfer, 'txHash' | 'index' | 'id'>): string {
  return `${txHash}#${index ?? id}`;
}

/** True when value really moved: such transfers are edges of the graph and enter every sum. */
export function movedValue(transfer: Transfer): boolean {
  return !transfer.failed && /[1-9]/.test(transfer.amount);
}

/** Total order: time, block, position in the block, place in the transaction, id. */
export function compareTransfers(a: Transfer, b: Transfer): number {
  return (
    a.at - b.at ||
    (a.block ?? 0) - (b.block ?? 0) ||
    (a.position ?? 0) - (b.position ?? 0) ||
    (a.txHash === b.txHash ? (a.seq ?? 0) - (b.seq ?? 0) : 0) ||
    compare(a.id, b.id)
  );
}
