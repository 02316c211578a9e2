import { createRequire } from 'node:module';
import { base58 } from '@scure/base';
import type { FailedTransactionMetadata, LiteSVM, TransactionMetadata } from 'litesvm';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/chains/solana/address.ts';
import type { Upstream } from '../../contract/upstream.ts';
import type { Instruction } from './svm-instructions.ts';
import { type Keypair, type SignedMessage, signedMessage } from './svm-message.ts';
import {
  isTokenProgram,
  mintState,
  parsedInstruction,
  type TokenAccount,
  tokenAccount,
  uiAmount,
} from './svm-parsed.ts';

type Address = Parameters<LiteSVM['getAccount']>[0];
type SvmTransaction = Parameters<LiteSVM['sendTransaction']>[0];

const FIRST_SLOT = 250_000_000n;
const FIRST_SECOND = 1_700_000_000n;

const machine = loadMachine();

/** Why no virtual machine can run here; null where it can. Its binary is built for some platforms only. */
export const svmMissing: string | null = typeof machine === 'string' ? machine : null;

function loadMachine(): typeof import('litesvm') | string {
  try {
    return createRequire(import.meta.url)('litesvm');
  } catch (error) {
    return `no litesvm for ${process.platform} ${process.arch}: ${(error as Error).message.split('.')[0]}`;
  }
}

/** An account as the virtual machine holds it now. */
export interface SvmAccount {
  lamports: bigint;
  program: string;
  executable: boolean;
  data: Uint8Array;
}

interface AccountState {
  lamports: bigint;
  program: string;
  token: TokenAccount | null;
}

export type SolanaChain = ReturnType<typeof solanaChain>;
type Recorded = ReturnType<typeof record>;

/** A Solana virtual machine with the real programs, whose transactions a node in front of it can show. */
export function solanaChain() {
  if (typeof machine === 'string') throw new Error(machine);
  const svm = new machine.LiteSVM().withNativeMints();
  const ledger: Recorded[] = [];

  function account(address: string): SvmAccount | null {
    const found = svm.getAccount(address as Address);
    if (!found.exists) return null;
    const { lamports, programAddress, executable, data } = found;
    return { lamports, program: programAddress, executable, data: Uint8Array.from(data) };
  }

  function state(address: string): AccountState {
    const found = account(address);
    if (!found) return { lamports: 0n, program: '', token: null };
    return { lamports: found.lamports, program: found.program, token: tokenAccount(found.program, found.data) };
  }

  function decimalsOf(mint: string): number {
    const found = account(mint);
    return (found && mintState(found.program, found.data)?.decimals) ?? 0;
  }

  function tick(): { slot: number; second: number } {
    const clock = svm.getClock();
    clock.slot = FIRST_SLOT + BigInt(ledger.length);
    clock.unixTimestamp = FIRST_SECOND + BigInt(ledger.length);
    svm.setClock(clock);
    svm.expireBlockhash();
    return { slot: Number(clock.slot), second: Number(clock.unixTimestamp) };
  }

  /** Open token accounts of an owner under one token program. */
  const tokenAccounts = (owner: string, program: string) =>
    svm
      .getProgramAccounts(program as Address)
      .map(({ address, data, lamports }) => ({
        address: String(address),
        lamports: BigInt(lamports),
        token: tokenAccount(program, Uint8Array.from(data)),
      }))
      .flatMap(({ token, ...rest }) => (token?.owner === owner ? [{ ...rest, token }] : []));

  return {
    ledger: ledger as readonly Recorded[],
    account,
    rent: (space: number) => svm.minimumBalanceForRentExemption(BigInt(space)),

    /** Lamports from nowhere, outside of any transaction. */
    endow(address: string, lamports: bigint): void {
      svm.setAccount({
        address: address as Address,
        lamports: lamports as Parameters<LiteSVM['setAccount']>[0]['lamports'],
        programAddress: '11111111111111111111111111111111' as Address,
        executable: false,
        data: new Uint8Array(),
        space: 0n,
      });
    },

    decimalsOf,

    /** Runs a transaction, kept whether it succeeds or fails. The first signer pays. */
    send(instructions: Instruction[], ...signers: Keypair[]): Recorded {
      const at = tick();
      const message = signedMessage(instructions, signers, svm.latestBlockhash());
      const before = message.keys.map(({ pubkey }) => state(pubkey));
      const outcome = svm.sendTransaction(message as unknown as SvmTransaction);
      const after = message.keys.map(({ pubkey }) => state(pubkey));
      const recorded = record(message, at, outcome, before, after, decimalsOf);
      ledger.push(recorded);
      return recorded;
    },

    tokenAccounts,

    /** What an owner has: SOL with the lamports of its token accounts, and tokens by mint. */
    held(owner: string): { lamports: bigint; tokens: Map<string, bigint> } {
      const accounts = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].flatMap((program) => tokenAccounts(owner, program));
      const lamports = accounts.reduce((sum, open) => sum + open.lamports, account(owner)?.lamports ?? 0n);
      const tokens = new Map<string, bigint>();
      for (const { token } of accounts) tokens.set(token.mint, (tokens.get(token.mint) ?? 0n) + token.amount);
      return { lamports, tokens };
    },
  };
}

function record(
  message: SignedMessage,
  { slot, second }: { slot: number; second: number },
  outcome: TransactionMetadata | FailedTransactionMetadata,
  before: AccountState[],
  after: AccountState[],
  decimalsOf: (mint: string) => number,
) {
  const failed = 'err' in outcome;
  const meta = failed ? outcome.meta() : outcome;
  const keys = message.keys.map(({ pubkey }) => pubkey);
  const sum = (states: AccountState[]) => states.reduce((total, { lamports }) => total + lamports, 0n);
  const balances = (states: AccountState[]) =>
    states.flatMap(({ token, program }, accountIndex) =>
      token
        ? [
            {
              accountIndex,
              mint: token.mint,
              owner: token.owner,
              programId: program,
              uiTokenAmount: uiAmount(token.amount, decimalsOf(token.mint)),
            },
          ]
        : [],
    );
  const inner = meta.innerInstructions().map((list, index) => ({
    index,
    instructions: list.map((entry) => {
      const compiled = entry.instruction();
      const accounts = [...compiled.accounts()].map((place) => keys[place]!);
      const shown = parsedInstruction(keys[compiled.programIdIndex()]!, accounts, compiled.data());
      return { ...shown, stackHeight: entry.stackHeight() };
    }),
  }));
  return {
    slot,
    blockTime: second,
    version: 'legacy',
    meta: {
      err: failed ? errorOf(outcome) : null,
      // Lamports are neither made nor lost by a transaction, save for its fee.
      fee: sum(before) - sum(after),
      preBalances: before.map(({ lamports }) => lamports),
      postBalances: after.map(({ lamports }) => lamports),
      preTokenBalances: balances(before),
      postTokenBalances: balances(after),
      innerInstructions: inner.filter(({ instructions }) => instructions.length > 0),
      logMessages: meta.logs(),
      computeUnitsConsumed: meta.computeUnitsConsumed(),
    },
    transaction: {
      signatures: Object.values(message.signatures).map((bytes) => base58.encode(bytes)),
      message: {
        accountKeys: message.keys.map((key) => ({ ...key, source: 'transaction' })),
        instructions: message.instructions.map(({ program, accounts, data }) => ({
          ...parsedInstruction(program, accounts, data),
          stackHeight: null,
        })),
      },
    },
  };
}

function errorOf(outcome: FailedTransactionMetadata): unknown {
  const error = outcome.err();
  if (typeof error !== 'object' || !('index' in error) || !('err' in error)) return String(error);
  const reason = error.err();
  // Errors without a field come as numbers here.
  const shown = typeof reason === 'object' && 'code' in reason ? { Custom: reason.code } : String(reason);
  return { InstructionError: [error.index, shown] };
}

/** A JSON-RPC node over a chain: every answer is what ran, or what the accounts hold now. */
export function svmNode(chain: SolanaChain): Upstream {
  const context = () => ({ slot: Number(FIRST_SLOT) + chain.ledger.length, apiVersion: '3.0.0' });
  const shown = (address: string) => accountShown(chain.account(address), chain.decimalsOf);
  const methods: Record<string, (params: unknown[]) => unknown> = {
    getSignaturesForAddress: ([address, config]) => {
      const { limit = 1_000, before } = config as { limit?: number; before?: string };
      const own = chain.ledger
        .filter(({ transaction }) => transaction.message.accountKeys.some(({ pubkey }) => pubkey === address))
        .toReversed();
      const start = before ? own.findIndex(({ transaction }) => transaction.signatures[0] === before) + 1 : 0;
      return own.slice(start, start + limit).map(({ slot, blockTime, meta, transaction }) => ({
        signature: transaction.signatures[0],
        slot,
        blockTime,
        err: meta.err,
        memo: null,
        confirmationStatus: 'finalized',
      }));
    },
    getTransaction: ([signature]) =>
      chain.ledger.find(({ transaction }) => transaction.signatures[0] === signature) ?? null,
    getTokenAccountsByOwner: ([owner, filter]) => {
      const { programId, mint } = filter as { programId?: string; mint?: string };
      const program = programId ?? chain.account(mint!)?.program;
      const own = program ? chain.tokenAccounts(String(owner), program) : [];
      const value = own
        .filter(({ token }) => mint === undefined || token.mint === mint)
        .map(({ address }) => ({ pubkey: address, account: shown(address) }));
      return { context: context(), value };
    },
    getBalance: ([address]) => ({ context: context(), value: chain.account(String(address))?.lamports ?? 0n }),
    getAccountInfo: ([address]) => ({ context: context(), value: shown(String(address)) }),
    getMultipleAccounts: ([addresses]) => ({ context: context(), value: (addresses as string[]).map(shown) }),
  };
  return ({ body }) => {
    const { method, params, id } = body as { method: string; params: unknown[]; id: number };
    const answer = methods[method];
    if (!answer) return { json: { jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } } };
    return { text: exactJson({ jsonrpc: '2.0', id, result: answer(params) }) };
  };
}

function accountShown(account: SvmAccount | null, decimalsOf: (mint: string) => number) {
  if (!account) return null;
  const { lamports, program, executable, data } = account;
  const held = tokenAccount(program, data);
  const mint = mintState(program, data);
  const parsed = held
    ? {
        type: 'account',
        info: {
          mint: held.mint,
          owner: held.owner,
          state: 'initialized',
          tokenAmount: uiAmount(held.amount, decimalsOf(held.mint)),
        },
      }
    : mint && { type: 'mint', info: { supply: mint.supply.toString(), decimals: mint.decimals, isInitialized: true } };
  const shown =
    parsed && isTokenProgram(program)
      ? { program: 'spl-token', parsed, space: data.length }
      : [Buffer.from(data).toString('base64'), 'base64'];
  return { lamports, owner: program, executable, data: shown, space: data.length };
}

/** Lamports beyond 2^53 stand in JSON with all their digits, as a node writes them. */
function exactJson(value: unknown): string {
  const text = JSON.stringify(value, (_, held) => (typeof held === 'bigint' ? `raw:${held}` : held));
  return text.replace(/"raw:(\d+)"/g, '$1');
}
