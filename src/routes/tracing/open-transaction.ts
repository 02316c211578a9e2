import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CHAINS } from '../../domain/chain.ts';
import { address, asset, timestamp, txHash } from '../../domain/fields.ts';
import { TRANSFER_FIELDS } from '../../domain/transfers/transfer.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { OUTPUT_PARTS, openTransaction, readTransaction } from '../../questions/graph/open-transaction.ts';
import { parseTxHash } from '../../questions/parse-address.ts';
import { askGraph } from '../ask-graph.ts';
import { knownAddress } from './tracing-fields.ts';

const TIME_MS = 10_000;

const amount = z.string().describe('Exact decimal');
const usd = z.number().nullable().describe('US dollars at that time; null without a price');
const coin = {
  address: address.nullable().describe('Null for a script without an address'),
  amount,
  usd,
};
const rest = z
  .object({ count: z.int().describe('How many'), amount: amount.describe('Exact decimal, of all of them') })
  .meta({ id: 'UnlistedCoins' })
  .nullable()
  .describe('Those beyond the 500 largest; null where there are no more');

export const OpenedTransactionSchema = z
  .object({
    chain: z.enum(CHAINS),
    tx_hash: txHash,
    block_number: z.int().nullable().describe('Null while it waits for a block'),
    timestamp: timestamp.nullable().describe('Time of the block; null without one'),
    status: z.enum(['success', 'failed', 'pending']).describe('What the chain says of it'),
    type: z.string().nullable().describe("The chain's name of the kind of transaction, where it has one"),
    fee: z
      .object({
        amount,
        asset,
        payer: address.nullable().describe('Null on Bitcoin, where all inputs pay it, and where it is not known'),
      })
      .meta({ id: 'TransactionFee' })
      .nullable()
      .describe('On Bitcoin inputs minus outputs; null of newly mined coins, and where the source does not say'),
    inputs: z
      .array(z.object(coin).meta({ id: 'TransactionInput' }))
      .nullable()
      .describe('Bitcoin: what it spends, the largest first; null on other chains'),
    outputs: z
      .array(
        z
          .object({
            ...coin,
            part: z
              .enum(OUTPUT_PARTS)
              .describe(
                '`own`: of the holder of an input; `change`: as signs of the transaction alone say; else `payment`',
              ),
          })
          .meta({ id: 'TransactionOutput' }),
      )
      .nullable()
      .describe('Bitcoin: what it pays, the largest first; null on other chains'),
    transfers: z
      .array(
        z
          .object({
            from: address.nullable().describe('Who gave; null where it has no address'),
            to: address.nullable().describe('Who got; null where it has no address'),
            asset,
            token: z.string().nullable().describe("Contract, mint or `CURRENCY.issuer`; null for the chain's own coin"),
            token_id: z.string().nullable().describe('Id of an `nft`; null for others'),
            amount,
            usd,
            kind: z.enum(TRANSFER_FIELDS.kind.values).describe('`internal`: paid by a contract that was called'),
          })
          .meta({ id: 'TransactionTransfer' }),
      )
      .nullable()
      .describe('What moved between addresses, the main transfer first; null on Bitcoin'),
    unlisted: z
      .object({
        inputs: rest,
        outputs: rest,
        transfers: z.int().describe('Transfers beyond the first 500'),
      })
      .meta({ id: 'UnlistedParts' })
      .describe('What the lists have no room for'),
    call: z
      .object({
        from: address.describe('Who signed'),
        to: address.nullable().describe('The contract or address that was called; null where one was created'),
        method: z.string().nullable().describe('Name of a known call, else its selector; null for a plain payment'),
      })
      .meta({ id: 'TransactionCall' })
      .nullable()
      .describe("The call of the transaction itself; null on chains without contracts of Ethereum's kind"),
    addresses: z.array(knownAddress.meta({ id: 'PartyOfTransaction' })).describe('Every address in it, each once'),
  })
  .meta({ id: 'OpenedTransaction' });

/** Opens one transaction. */
export async function openTransactionRoutes(api: App, ctx: Context): Promise<void> {
  api.get(
    '/graph/transaction/:tx_hash/parts',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'openTransaction',
        tags: ['Investigation'],
        summary: 'Inputs and outputs of a transaction, or its transfers and its call',
        description:
          'Asks the source of the chain for this transaction alone. On Bitcoin the inputs are the outputs and the fee; elsewhere it ' +
          'lists coin, tokens and what contracts paid on. Costs no scan, and keeps nothing.',
        params: z.object({ tx_hash: z.string().max(128).describe('Hash or signature, as the chain writes it') }),
        querystring: z.object({
          chain: z.string().meta({ enum: [...CHAINS], description: 'Chain of the transaction' }),
        }),
        response: { 200: OpenedTransactionSchema, ...refusals(400, 404, 500) },
      },
    },
    async (request) => {
      const asked = parseTxHash(request.params.tx_hash, request.query.chain);
      const signal = AbortSignal.timeout(TIME_MS);
      // A slow source keeps no place of the graph.
      const read = await readTransaction(ctx, tenantOf(request).accountId, asked, signal);
      return askGraph(ctx, request, {}, (inquiry) => openTransaction(inquiry, read));
    },
  );
}
