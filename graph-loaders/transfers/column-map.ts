import { z } from 'zod';
import { CHAINS } from '../../src/domain/chain.ts';
import { InvalidInputError } from '../../src/errors.ts';
import { type StatedFacts, TRANSFER_FIELDS, type TransferField, type TransferFormat } from '../reading/table-format.ts';

const names = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)]);

/** A table of the operator's own: which column says what. */
const ColumnMapSchema = z.strictObject({
  name: z.string().max(64).default('columns'),
  chain: z.enum(CHAINS).optional(),
  kind: z.enum(['native', 'internal', 'token', 'erc721', 'erc1155', 'by_token']),
  units: z.enum(['decimal', 'smallest']).default('decimal'),
  token: z.string().optional(),
  address: z.string().optional(),
  coin_token: z.string().optional(),
  columns: z.partialRecord(z.enum(TRANSFER_FIELDS), names),
});

/** The table that a mapping file describes. Throws InvalidInputError with what is wrong in it. */
export function tableOfMap(map: unknown): StatedFacts & { columns: TransferFormat } {
  const parsed = ColumnMapSchema.safeParse(map);
  if (!parsed.success) throw new InvalidInputError(`The mapping of columns: ${z.prettifyError(parsed.error)}`);
  const { name, chain, kind, units, token, address, coin_token, columns: given } = parsed.data;
  const columns: TransferFormat['columns'] = {};
  for (const field of TRANSFER_FIELDS) {
    const named = given[field];
    if (named !== undefined) columns[field] = typeof named === 'string' ? [named] : named;
  }
  const needs = neededBy(kind, columns);
  const missing = needs.filter((field) => columns[field] === undefined);
  if (missing.length > 0) throw new InvalidInputError(`The mapping of columns: ${missing.join(', ')} missing`);
  const format: TransferFormat = {
    name,
    about: 'columns of the operator',
    columns,
    needs,
    kind,
    units,
    ...(coin_token !== undefined && { coinToken: coin_token }),
    example: ['', ''],
  };
  return { columns: format, ...(chain && { chain }), ...(token && { token }), ...(address && { address }) };
}

/** Returns the fields of the way to name parties, and of the way to name an amount, that the map begins. */
function neededBy(kind: TransferFormat['kind'], columns: TransferFormat['columns']): TransferField[] {
  const parties: TransferField[] = columns.counterparty ? ['direction', 'counterparty'] : ['from', 'to'];
  const amounts: Record<TransferFormat['kind'], TransferField[]> = {
    native: columns.amount_in ? ['amount_in', 'amount_out'] : ['amount'],
    internal: columns.amount_in ? ['amount_in', 'amount_out'] : ['amount'],
    token: ['amount'],
    by_token: ['token', 'amount'],
    erc721: ['token', 'token_id'],
    erc1155: ['token', 'token_id', 'quantity'],
  };
  return ['hash', 'time', ...parties, ...amounts[kind]];
}
