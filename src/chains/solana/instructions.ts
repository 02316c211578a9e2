import { base58 } from '@scure/base';
import { z } from 'zod';
import { SourceError } from '../../errors.ts';
import { units, wholeUpTo } from '../reply.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  STAKE_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
  VOTE_PROGRAM,
} from './address.ts';
import { type SolanaTransaction, shownAmount, solanaAddress } from './shapes.ts';

/** One instruction that a program's parser understood, with its place: top-level, or inside another one. */
export interface Instruction {
  index: string;
  /** The program of the top-level instruction it belongs to. */
  outerProgram: string;
  program: 'system' | 'token' | 'token-2022' | 'associated-token' | 'stake' | 'vote';
  type: string;
  info: z.output<typeof infoShape>;
}

const PROGRAMS: Record<string, Instruction['program']> = {
  [SYSTEM_PROGRAM]: 'system',
  [TOKEN_PROGRAM]: 'token',
  [TOKEN_2022_PROGRAM]: 'token-2022',
  [ASSOCIATED_TOKEN_PROGRAM]: 'associated-token',
  [STAKE_PROGRAM]: 'stake',
  [VOTE_PROGRAM]: 'vote',
};

const address = solanaAddress.optional();
const uiAmount = z.object({ amount: units, decimals: wholeUpTo(255).optional(), uiAmountString: shownAmount });
const infoShape = z.object({
  source: address,
  destination: address,
  newAccount: address,
  nonceAccount: address,
  stakeAccount: address,
  newSplitAccount: address,
  voteAccount: address,
  account: address,
  owner: address,
  wallet: address,
  mint: address,
  authority: address,
  /** The owner, where several sign for it. */
  multisigAuthority: address,
  authorityType: z.string().optional(),
  newAuthority: solanaAddress.nullish(),
  lamports: units.optional(),
  amount: units.optional(),
  tokenAmount: uiAmount.optional(),
  feeAmount: uiAmount.optional(),
});
const typedShape = z.object({ type: z.string() });
const parsedShape = z.object({ type: z.string(), info: infoShape });

/** Moves of confidential amounts, as nodes name them and by the first two bytes: the extension and the instruction in it. */
const HIDDEN = /^(?:confidential(?:Transfer|Mint|Burn)|depositConfidential|withdraw\w*Confidential|applyPendingBurn)/;
const HIDDEN_BYTES: Readonly<Record<number, readonly number[]>> = { 27: [5, 6, 7, 13], 37: [1, 2], 42: [3, 4, 5] };

/** True where Token-2022 moves amounts that only their parties can read. */
export function hidesAmounts({ transaction, meta }: SolanaTransaction): boolean {
  const inner = (meta.innerInstructions ?? []).flatMap(({ instructions }) => instructions);
  return [...transaction.message.instructions, ...inner].some(({ programId, parsed, data }) => {
    if (programId !== TOKEN_2022_PROGRAM) return false;
    const named = typedShape.safeParse(parsed);
    if (named.success) return HIDDEN.test(named.data.type);
    if (data === undefined || !/^[1-9A-HJ-NP-Za-km-z]{2,2000}$/.test(data)) return false;
    const [extension, instruction] = base58.decode(data);
    return HIDDEN_BYTES[extension ?? -1]?.includes(instruction ?? -1) ?? false;
  });
}

/** Instructions that move value or name the owner of a token account; everything else is left to the balances. */
const TYPES = new Set([
  'transfer',
  'transferWithSeed',
  'createAccount',
  'createAccountWithSeed',
  'withdrawFromNonce',
  'withdraw',
  'split',
  'transferChecked',
  'transferCheckedWithFee',
  'mintTo',
  'mintToChecked',
  'burn',
  'burnChecked',
  'closeAccount',
  'initializeAccount',
  'initializeAccount2',
  'initializeAccount3',
  'create',
  'createIdempotent',
  'setAuthority',
  'freezeAccount',
]);

/** Every instruction that matters, in the order of execution. Throws SourceError for one of another shape. */
export function instructionsOf({ transaction, meta }: SolanaTransaction): Instruction[] {
  const inner = new Map((meta.innerInstructions ?? []).map(({ index, instructions }) => [index, instructions]));
  return transaction.message.instructions.flatMap((outer, n) => {
    const all = [outer, ...(inner.get(n) ?? [])];
    return all.flatMap(({ programId, parsed }, m) => {
      const program = PROGRAMS[programId];
      const named = typedShape.safeParse(parsed);
      if (!program || !named.success || !TYPES.has(named.data.type)) return [];
      const read = parsedShape.safeParse(parsed);
      if (!read.success) throw new SourceError('solana', `${named.data.type}: ${read.error.issues[0]?.message}`);
      const { type, info } = read.data;
      return [{ index: m === 0 ? `ix:${n}` : `ix:${n}_${m - 1}`, outerProgram: outer.programId, program, type, info }];
    });
  });
}
