import type { Chain } from '../../src/domain/chain.ts';

/** Fields of a transfer that a row of a table may state. */
export const TRANSFER_FIELDS = [
  'hash',
  'block',
  'time',
  'from',
  'to',
  'created',
  'direction',
  'counterparty',
  'amount',
  'amount_in',
  'amount_out',
  'token',
  'symbol',
  'decimals',
  'multiplier',
  'token_id',
  'quantity',
  'standard',
  'fee',
  'status',
  'error',
  'method',
  'parent_from',
  'chain',
] as const;
export type TransferField = (typeof TRANSFER_FIELDS)[number];

/**
 * One kind of table: by which columns it is known, and what they mean. Names of columns are compared without case, blanks and
 * underscores; `(*)` stands for the coin that explorers write into a name, such as `Value_IN(BNB)`.
 */
export interface TransferFormat {
  name: string;
  /** Its exporter, for the table of formats. */
  about: string;
  /** Columns of each field; the first of them that the header has. */
  columns: Partial<Record<TransferField, readonly string[]>>;
  /** A table is of the format whose needed fields it has; the first such format counts. */
  needs: readonly TransferField[];
  kind: 'native' | 'internal' | 'token' | 'erc721' | 'erc1155' | 'by_token';
  /** `smallest`: amounts are whole numbers of wei, sun or lamports. */
  units: 'decimal' | 'smallest';
  /** Left out: by the coin in the header, else asked for. */
  chain?: Chain;
  /** The token that stands for the chain's own coin. */
  coinToken?: string;
  /** Texts of `status` of what went through; default: everything that does not read as a failure. */
  succeeds?: readonly string[];
  /** A header and a row, invented. */
  example: readonly [header: string, row: string];
}

/** Facts that neither the rows nor the header of a table say: the operator, or the mapping of its columns, states them. */
export interface StatedFacts {
  chain?: Chain;
  /** Contract of the token that the table is about. */
  token?: string;
  /** The address that a table of directions is about. */
  address?: string;
}

/** Facts of a table that the operator states. */
export interface StatedTable extends StatedFacts {
  /** Name of a format; by default it is found by the header. */
  format?: string;
  /** The file is declared to have every transfer of its addresses. */
  isWhole?: boolean;
}

export interface AskedTable extends StatedTable {
  /** A format of the operator's own. */
  columns?: TransferFormat;
}
