import { z } from 'zod';
import { addressShape, blockTimeS, txHashShape, units, whole, wholeUpTo } from '../reply.ts';

export const solanaAddress = addressShape('solana');
const signature = txHashShape('solana');

export const signatureShape = z.object({
  signature,
  slot: whole,
  blockTime: blockTimeS.nullish(),
});

/** A block of thousands of signatures, of which only the last one counts. */
export const blockShape = z
  .object({
    signatures: z.preprocess((all) => (Array.isArray(all) ? all.at(-1) : null), signature.optional()),
    blockTime: blockTimeS.nullish(),
  })
  .transform(({ signatures: last, blockTime }) => ({ last, blockTime }));

/** The amount as the node shows it; one that cannot be read says nothing. */
export const shownAmount = z
  .union([z.string().max(200), z.number().transform(String)])
  .optional()
  .catch(undefined);

const statedAmount = z.object({ amount: units, decimals: wholeUpTo(255), uiAmountString: shownAmount });
const tokenBalance = z.object({
  accountIndex: whole,
  mint: solanaAddress,
  owner: solanaAddress.optional(),
  uiTokenAmount: statedAmount,
});

const instruction = z.object({
  programId: z.string(),
  parsed: z.unknown().optional(),
  /** Base58 of the bytes, where the node does not parse them. */
  data: z.string().optional().catch(undefined),
});

export const solanaTransactionShape = z.object({
  slot: whole,
  blockTime: blockTimeS.nullish(),
  meta: z.object({
    err: z.unknown().optional(),
    fee: units,
    preBalances: z.array(units),
    postBalances: z.array(units),
    preTokenBalances: z.array(tokenBalance).nullish(),
    postTokenBalances: z.array(tokenBalance).nullish(),
    innerInstructions: z.array(z.object({ index: whole, instructions: z.array(instruction) })).nullish(),
  }),
  transaction: z.object({
    signatures: z.array(signature).min(1),
    message: z.object({
      accountKeys: z.array(z.object({ pubkey: solanaAddress })).min(1),
      instructions: z.array(instruction),
    }),
  }),
});

export const solanaAccountShape = z.object({
  lamports: units,
  owner: z.string(),
  executable: z.boolean().default(false),
  data: z.union([
    z.object({ parsed: z.object({ type: z.string(), info: z.record(z.string(), z.unknown()) }) }),
    z.tuple([z.string(), z.string()]),
    z.string(),
  ]),
});

const parsedTokenAccount = z.object({
  parsed: z.object({
    info: z.object({
      mint: solanaAddress,
      tokenAmount: statedAmount.optional(),
      state: z.string().optional().catch(undefined),
    }),
  }),
});
export const tokenAccountShape = z.object({
  pubkey: solanaAddress,
  account: z.object({ lamports: units, data: parsedTokenAccount.nullable().catch(null) }),
});

export type StatedAmount = z.output<typeof statedAmount>;
export type SolanaSignature = z.output<typeof signatureShape>;
export type SolanaTransaction = z.output<typeof solanaTransactionShape>;
export type SolanaAccount = z.output<typeof solanaAccountShape>;
