import { WRAPPED_SOL } from './address.ts';
import type { Instruction } from './instructions.ts';
import type { SolanaTransaction } from './shapes.ts';

interface TokenAccount {
  owner: string | null;
  mint: string | null;
}

/** The owners of token accounts at the present point of a transaction, and the decimals of its mints. */
export interface TokenAccounts {
  /** The owner of a token account, or the account itself where it is not one or its owner is unknown. */
  ownerOf(account: string): string;
  mintOf(account: string): string | null;
  decimalsOf(mint: string): number | null;
  /** Records what an instruction says about token accounts, before its own movement counts. */
  follow(instruction: Instruction): void;
}

/**
 * Balances before and after name owner and mint; accounts opened and closed in the same transaction stand in
 * neither and are known from their initialisation. `hints` are owners known from elsewhere, for old
 * transactions whose balances name none.
 */
export function tokenAccounts(
  transaction: SolanaTransaction,
  instructions: Instruction[],
  hints: ReadonlyMap<string, string>,
): TokenAccounts {
  const { meta } = transaction;
  const keys = transaction.transaction.message.accountKeys;
  const accounts = new Map<string, TokenAccount>();
  const decimals = new Map<string, number>([[WRAPPED_SOL, 9]]);
  for (const balance of [...(meta.postTokenBalances ?? []), ...(meta.preTokenBalances ?? [])]) {
    const account = keys[balance.accountIndex]?.pubkey;
    if (account === undefined) continue;
    const owner = balance.owner ?? accounts.get(account)?.owner ?? hints.get(account) ?? null;
    accounts.set(account, { owner, mint: balance.mint });
    decimals.set(balance.mint, balance.uiTokenAmount.decimals);
  }
  const learn = (account: string | undefined, facts: Partial<TokenAccount>) => {
    if (account !== undefined) accounts.set(account, { owner: null, mint: null, ...accounts.get(account), ...facts });
  };

  for (const { type, info } of instructions) {
    const opened = type.startsWith('initializeAccount') && info.account && !accounts.has(info.account);
    if (opened && info.owner && info.mint) learn(info.account, { owner: info.owner, mint: info.mint });
  }

  return {
    ownerOf: (account) => accounts.get(account)?.owner ?? hints.get(account) ?? account,
    mintOf: (account) => accounts.get(account)?.mint ?? null,
    decimalsOf: (mint) => decimals.get(mint) ?? null,
    follow({ program, type, info }) {
      if (info.mint && info.tokenAmount?.decimals !== undefined) decimals.set(info.mint, info.tokenAmount.decimals);
      if (program === 'associated-token' && info.wallet && info.mint) {
        learn(info.account, { owner: info.wallet, mint: info.mint });
      }
      if (program !== 'token' && program !== 'token-2022') return;
      if (type.startsWith('initializeAccount') && info.owner && info.mint) {
        learn(info.account, { owner: info.owner, mint: info.mint });
      }
      if (type === 'setAuthority' && info.authorityType === 'accountOwner' && info.newAuthority) {
        learn(info.account, { owner: info.newAuthority });
      }
      if (type.startsWith('transfer') && info.source && info.authority && !accounts.get(info.source)?.owner) {
        learn(info.source, { owner: info.authority });
      }
    },
  };
}
