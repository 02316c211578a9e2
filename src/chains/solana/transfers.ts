import { formatUnits } from '../../domain/amount.ts';
import { assetName } from '../../domain/tokens/token.ts';
import { createTransfer, type Transfer } from '../../domain/transfers/transfer.ts';
import { numberEquals } from '../../domain/transfers/transfer-id.ts';
import { matchBalances } from '../balance-matching.ts';
import { ASSOCIATED_TOKEN_PROGRAM, WRAPPED_SOL } from './address.ts';
import { hidesAmounts, type Instruction, instructionsOf } from './instructions.ts';
import type { SolanaTransaction } from './shapes.ts';
import { shownAmounts } from './shown-amounts.ts';

export interface SolanaTransfers {
  /** In order of execution, what only the balances show behind it. Names of tokens are not set yet. */
  transfers: Transfer[];
  balanced: boolean;
  /** True where it also moved amounts that only their parties can read. */
  hidden: boolean;
}

/** Returns the transfers of a transaction between owners (never token accounts), without those of an owner to itself. */
export function solanaTransfers(
  transaction: SolanaTransaction,
  at: number,
  hints?: ReadonlyMap<string, string>,
): SolanaTransfers {
  const { list, balanced, hidden } = solanaMovements(transaction, hints);
  const apart = list.filter(
    ({ from, to, amount, type }) => from !== to && (amount > 0n || type.startsWith('transfer')),
  );
  const transfers = apart.map((movement, seq) => toTransfer(transaction, at, movement, seq));
  numberEquals(transfers);
  return { transfers, balanced, hidden };
}

/** The transfer that a transaction is about, first: what it pays itself, before rent for accounts that it opens. */
export function mainTransferFirst(transaction: SolanaTransaction, transfers: Transfer[]): Transfer[] {
  const { instructions } = transaction.transaction.message;
  const isMain = ({ index, method }: Transfer) => {
    const outer = /^ix:(\d+)/.exec(index ?? '')?.[1];
    if (outer === undefined || method?.startsWith('createAccount') || method === 'closeAccount') return false;
    return instructions[Number(outer)]?.programId !== ASSOCIATED_TOKEN_PROGRAM;
  };
  const main = transfers.find(isMain);
  return main ? [main, ...transfers.filter((transfer) => transfer !== main)] : transfers;
}

function toTransfer(transaction: SolanaTransaction, at: number, movement: SolanaMovement, seq: number): Transfer {
  const { slot, meta, transaction: message } = transaction;
  const { index, from, to, mint, amount, shown, decimals, type, apportioned } = movement;
  const txHash = message.signatures[0]!;
  return createTransfer({
    chain: 'solana',
    txHash,
    index,
    seq,
    block: slot,
    at,
    from,
    to,
    asset: assetName('solana', mint, ''),
    token: mint,
    amount: shown ?? formatUnits(amount, decimals ?? 0),
    amountRaw: amount.toString(),
    decimals: shown === null ? decimals : null,
    kind: mint !== null ? 'token' : index.includes('_') || type === 'balance' ? 'internal' : 'native',
    failed: meta.err != null,
    apportioned,
    txSender: message.message.accountKeys[0]!.pubkey,
    method: type,
    fee: formatUnits(meta.fee, 9),
  });
}

/** One movement between owners; `mint` null is SOL. */
interface Moved {
  index: string;
  from: string;
  to: string;
  mint: string | null;
  amount: bigint;
  decimals: number | null;
  /** Name of the instruction; `balance` where only the balances show it. */
  type: string;
  outerProgram: string | null;
  apportioned: boolean;
}

interface SolanaMovement extends Moved {
  /** The amount as the node shows it, where that is not the amount by the decimals. */
  shown: string | null;
}

interface Movements {
  list: SolanaMovement[];
  /** False where an account changed and nobody is left to have paid or received it. */
  balanced: boolean;
  /** True where it also moved amounts that only their parties can read. */
  hidden: boolean;
}

/**
 * Returns what a transaction moved, by its instructions, then by what its balances show beyond them: programs whose
 * instructions nobody parses, fees withheld by Token-2022, closed accounts. Of a failed transaction: what was meant.
 *
 * @internal
 */
export function solanaMovements(
  transaction: SolanaTransaction,
  hints: ReadonlyMap<string, string> = new Map(),
): Movements {
  const instructions = instructionsOf(transaction);
  const accounts = tokenAccounts(transaction, instructions, hints);
  const failed = transaction.meta.err != null;
  const lamports = lamportsBefore(transaction);
  const list: Moved[] = [];
  for (const instruction of instructions) {
    accounts.follow(instruction);
    for (const moved of movedBy(instruction, accounts, lamports)) {
      if (moved.mint === null || moved.mint === WRAPPED_SOL) shift(lamports, moved.source, moved.target, moved.amount);
      list.push({
        index: `${instruction.index}${moved.part ?? ''}`,
        from: accounts.ownerOf(moved.source),
        to: accounts.ownerOf(moved.target),
        mint: moved.mint,
        amount: moved.amount,
        decimals: moved.mint === null ? 9 : accounts.decimalsOf(moved.mint),
        type: instruction.type,
        outerProgram: instruction.outerProgram,
        apportioned: false,
      });
    }
  }
  const hidden = hidesAmounts(transaction);
  const rest = failed ? { list: [], balanced: true } : beyondInstructions(transaction, accounts, list, hidden);
  const shownOf = shownAmounts(transaction, instructions);
  const all = [...list, ...rest.list].map((one) => ({
    ...one,
    shown: one.mint === null ? null : shownOf(one.mint, one.amount),
  }));
  return { list: all, balanced: rest.balanced, hidden };
}

interface InstructionMove {
  source: string;
  target: string;
  mint: string | null;
  amount: bigint;
  part?: string;
}

function movedBy(
  { program, type, info }: Instruction,
  accounts: TokenAccounts,
  lamports: Map<string, bigint>,
): InstructionMove[] {
  const moved = (
    source: string | undefined,
    target: string | undefined,
    mint: string | null,
    amount: bigint | undefined,
    part?: string,
  ) =>
    source !== undefined && target !== undefined && amount !== undefined
      ? [{ source, target, mint, amount, part }]
      : [];

  if (program === 'system' || program === 'stake' || program === 'vote') {
    if (type === 'setAuthority') return [];
    const source = info.source ?? info.nonceAccount ?? info.stakeAccount ?? info.voteAccount;
    return moved(source, info.destination ?? info.newAccount ?? info.newSplitAccount, null, info.lamports);
  }
  if (program === 'associated-token') return [];

  const amount = info.tokenAmount?.amount ?? info.amount;
  if (type.startsWith('mintTo')) return info.mint ? moved(info.mint, info.account, info.mint, amount) : [];
  if (type.startsWith('burn')) return info.mint ? moved(info.account, info.mint, info.mint, amount) : [];
  if (type === 'closeAccount')
    return moved(info.account, info.destination, null, lamports.get(info.account ?? '') ?? 0n);
  if (!type.startsWith('transfer') || amount === undefined) return [];

  const mint = info.mint ?? accounts.mintOf(info.source ?? '') ?? accounts.mintOf(info.destination ?? '');
  if (mint === null) return [];
  const fee = info.feeAmount?.amount ?? 0n;
  const withheld = fee > 0n && fee <= amount;
  return [
    ...moved(info.source, info.destination, mint, withheld ? amount - fee : amount),
    // A withheld fee lies in the destination's account but belongs to the mint's fee authority.
    ...(withheld ? moved(info.source, mint, mint, fee, ':fee') : []),
  ];
}

function lamportsBefore({ meta, transaction }: SolanaTransaction): Map<string, bigint> {
  return new Map(transaction.message.accountKeys.map(({ pubkey }, n) => [pubkey, meta.preBalances[n] ?? 0n]));
}

function shift(amounts: Map<string, bigint>, from: string, to: string, amount: bigint): void {
  amounts.set(from, (amounts.get(from) ?? 0n) - amount);
  amounts.set(to, (amounts.get(to) ?? 0n) + amount);
}

/**
 * Changes of balances less what the instructions explain, paired off per asset. Wrapped SOL is SOL here. Where amounts are
 * hidden, token balances say nothing: what left one may lie hidden in the same account.
 */
function beyondInstructions(
  transaction: SolanaTransaction,
  accounts: TokenAccounts,
  list: Moved[],
  hidden: boolean,
): { list: Moved[]; balanced: boolean } {
  const changes = new Map<string | null, Map<string, bigint>>();
  const of = (mint: string | null) => {
    const asset = mint === WRAPPED_SOL ? null : mint;
    const known = changes.get(asset) ?? new Map<string, bigint>();
    changes.set(asset, known);
    return known;
  };
  const add = (mint: string | null, account: string, amount: bigint) => {
    const group = of(mint);
    group.set(account, (group.get(account) ?? 0n) + amount);
  };
  const { meta, transaction: message } = transaction;
  const keys = message.message.accountKeys.map(({ pubkey }) => pubkey);
  // An account that changes hands takes its lamports along, wrapped SOL and rent: the owner of each side counts.
  const ownersBefore = ownersOf(meta.preTokenBalances);
  const ownersAfter = ownersOf(meta.postTokenBalances);
  for (const [n, key] of keys.entries()) {
    add(null, ownersBefore.get(n) ?? accounts.ownerOf(key), -(meta.preBalances[n] ?? 0n));
    add(null, ownersAfter.get(n) ?? accounts.ownerOf(key), meta.postBalances[n] ?? 0n);
  }
  add(null, keys[0]!, meta.fee);
  for (const [sign, balances] of [
    [-1n, meta.preTokenBalances],
    [1n, meta.postTokenBalances],
  ] as const) {
    for (const { accountIndex, mint, owner, uiTokenAmount } of balances ?? []) {
      const key = keys[accountIndex];
      const holder = owner ?? (key === undefined ? null : accounts.ownerOf(key));
      if (holder !== null && mint !== WRAPPED_SOL) add(mint, holder, sign * uiTokenAmount.amount);
    }
  }
  for (const { mint, from, to, amount } of list) shift(of(mint), to, from, amount);
  settleWithheldFees(list, changes);

  let balanced = true;
  const rest: Moved[] = [];
  for (const [mint, group] of changes) {
    if (mint !== null && hidden) continue;
    const missing = [...group.values()].reduce((sum, change) => sum + change, 0n);
    // Tokens that came from or went to nobody were minted, burnt or withheld.
    if (mint !== null) group.set(mint, (group.get(mint) ?? 0n) - missing);
    const { flows, unmatched } = matchBalances(group);
    balanced &&= unmatched === 0n;
    for (const flow of flows) {
      const decimals = mint === null ? 9 : accounts.decimalsOf(mint);
      rest.push({ ...flow, index: `balance:${rest.length}`, mint, decimals, type: 'balance', outerProgram: null });
    }
  }
  return { list: rest, balanced };
}

function ownersOf(balances: SolanaTransaction['meta']['preTokenBalances']): Map<number, string> {
  return new Map((balances ?? []).flatMap(({ accountIndex, owner }) => (owner ? [[accountIndex, owner]] : [])));
}

/** A plain `transferChecked` of a mint with fees does not name the fee: the receiver got less than was sent. */
function settleWithheldFees(list: Moved[], changes: Map<string | null, Map<string, bigint>>): void {
  for (const [mint, group] of changes) {
    if (mint === null) continue;
    for (const [account, change] of group) {
      const incoming = list.filter((movement) => movement.mint === mint && movement.to === account);
      const only = incoming[0];
      if (change >= 0n || incoming.length !== 1 || !only || -change > only.amount || account === mint) continue;
      only.amount += change;
      list.push({ ...only, index: `${only.index}:fee`, to: mint, amount: -change });
      group.delete(account);
    }
  }
}

interface TokenAccount {
  owner: string | null;
  mint: string | null;
}

/** The owners of token accounts at the present point of a transaction, and the decimals of its mints. */
interface TokenAccounts {
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
function tokenAccounts(
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
      const signer = info.authority ?? info.multisigAuthority;
      if (type.startsWith('transfer') && info.source && signer && !accounts.get(info.source)?.owner) {
        learn(info.source, { owner: signer });
      }
    },
  };
}
