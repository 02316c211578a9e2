import { formatUnits } from '../../../domain/amount.ts';
import { type AskedTransfers, isAskedFor } from '../../../domain/calldata/asked-transfers.ts';
import { type EvmChain, NATIVE_COIN } from '../../../domain/chain.ts';
import { COINBASE } from '../../../domain/null-addresses.ts';
import { assetName, verifiedToken } from '../../../domain/tokens/token.ts';
import { type EvmLog, type LogMovement, movementsOfLogs } from '../../../domain/transfers/evm-log.ts';
import { createTransfer, type Transfer, type TransferKind } from '../../../domain/transfers/transfer.ts';
import type { TraceMovement } from './trace.ts';

/** One movement inside a transaction, before its token's symbol and decimals are known. */
export interface EvmMovement {
  /** Null where the source does not give the place. */
  index: string | null;
  seq: number | null;
  from: string;
  to: string;
  token: string | null;
  amountRaw: bigint;
  kind: TransferKind;
  tokenId: string | null;
  assetType: Transfer['assetType'];
  failed: boolean;
  /** As in a log's movement (evm-log.ts). */
  isUnindexed?: true;
  isIndexed?: true;
}

/** Facts that all movements of one transaction share. */
export interface TxFacts {
  txHash: string;
  block: number | null;
  blockHash: string | null;
  position: number | null;
  at: number;
  sender: string | null;
  method: string | null;
  /** Null where the call is not known. */
  asked: AskedTransfers | null;
  /** Smallest units of the coin. */
  fee: bigint | null;
  /** The payer, if not the sender. */
  feePayer?: string | null;
  /** The sender's part of a fee that a payer shares. */
  feeShare?: bigint | null;
}

export interface TokenFacts {
  /** As the contract says it, uncleaned. */
  symbol: string;
  /** Null where nothing states them: amounts are then in smallest units. */
  decimals: number | null;
  /** True where the contract says that each of its numbers is an id. */
  isCollectible?: boolean;
}

/** A movement with its transaction; `token` is what a list said of the token. */
export interface FoundMovement {
  movement: EvmMovement;
  facts: TxFacts;
  token: TokenFacts | null;
}

/** Among the reasons of a coverage where a reply states that something moved, and not how much. */
export const AMOUNT_NOT_STATED = 'amount_not_stated';

/** No token has as many smallest units. */
const AMOUNTS_END = 2n ** 200n;

export const UNKNOWN_TOKEN: TokenFacts = { symbol: '', decimals: null };

/**
 * Order inside a transaction: its own value, then its logs by index, then inner moves by place in the
 * call tree. Logs and inner moves have no common clock; a token paid in for coin paid out is the usual case.
 */
const LOG_STEP = 1_000;
const INTERNAL_START = 2 ** 40;

export const logSeq = (logIndex: number, place = 0) => 1 + logIndex * LOG_STEP + Math.min(place, LOG_STEP - 1);
export const internalSeq = (order: number) => INTERNAL_START + order;

export function nativeMovement(from: string, to: string, amountRaw: bigint, failed: boolean): EvmMovement {
  const coin = { token: null, kind: 'native', tokenId: null, assetType: null } as const;
  return { index: 'native', seq: 0, from, to, amountRaw, ...coin, failed };
}

/** The movements of all logs of one transaction. */
export function transactionLogMovements(logs: readonly (EvmLog & { index: number })[]): EvmMovement[] {
  return movementsOfLogs(logs).flatMap((movements, place) => logMovements(logs[place]!.index, movements));
}

/** `log:12`, or `log:12_0`, `log:12_1`, … where one log moves several token ids. */
export function logMovements(logIndex: number, movements: LogMovement[]): EvmMovement[] {
  return movements.map((movement, place) => ({
    ...movement,
    index: movements.length > 1 ? `log:${logIndex}_${place}` : `log:${logIndex}`,
    seq: logSeq(logIndex, place),
    failed: false,
  }));
}

export function traceMovement(movement: TraceMovement, index: string, failed: boolean): EvmMovement {
  return {
    index,
    seq: internalSeq(movement.order),
    from: movement.from,
    to: movement.to,
    token: null,
    amountRaw: movement.amountRaw,
    kind: 'internal',
    tokenId: null,
    assetType: null,
    failed: failed || movement.failed,
  };
}

export function toTransfer(chain: EvmChain, found: EvmMovement, facts: TxFacts, token: TokenFacts | null): Transfer {
  const { decimals: coinDecimals } = NATIVE_COIN[chain];
  const verified = verifiedToken(chain, found.token);
  const movement = verified === null && token !== null ? asCounted(found, token) : found;
  const decimals =
    movement.kind === 'nft'
      ? 0
      : movement.token === null
        ? coinDecimals
        : (verified?.decimals ?? token?.decimals ?? null);
  const { asked } = facts;
  const moved = { ...movement, amountRaw: movement.amountRaw.toString() };
  return createTransfer({
    chain,
    txHash: facts.txHash,
    index: movement.index,
    seq: movement.seq,
    block: facts.block,
    blockHash: facts.blockHash,
    position: facts.position,
    at: facts.at,
    from: movement.from,
    to: movement.to,
    asset: assetName(chain, movement.token, token?.symbol ?? ''),
    token: movement.token,
    amount: formatUnits(movement.amountRaw, decimals ?? 0),
    amountRaw: moved.amountRaw,
    decimals,
    kind: movement.kind,
    failed: movement.failed,
    txSender: facts.sender,
    method: facts.method,
    asked: movement.token === null || asked === null ? null : isAskedFor(asked, moved, (address) => address.slice(2)),
    fee: facts.fee === null ? null : formatUnits(facts.fee, coinDecimals),
    feePayer: facts.feePayer ?? null,
    feeShare:
      facts.feeShare != null && movement.from === facts.sender ? formatUnits(facts.feeShare, coinDecimals) : null,
    tokenId: movement.tokenId,
    assetType: movement.assetType,
  });
}

/**
 * Returns the movement of a log as its contract counts. Collectibles from before ids were indexed log them where tokens log amounts; a
 * contract without decimals counts nothing. A few tokens index amounts; ids of contracts that have both are small, or beyond
 * all amounts.
 */
function asCounted(movement: EvmMovement, { decimals, isCollectible }: TokenFacts): EvmMovement {
  const { kind, isUnindexed, isIndexed, tokenId, amountRaw } = movement;
  if (kind === 'token' && (isCollectible === true || (isUnindexed === true && decimals === null)))
    return { ...movement, kind: 'nft', tokenId: String(amountRaw), amountRaw: 1n, assetType: 'erc721' };
  const number = BigInt(tokenId ?? 0);
  const isAmount = isIndexed === true && decimals !== null && decimals > 0 && isCountable(number, decimals);
  return isAmount ? { ...movement, kind: 'token', tokenId: null, amountRaw: number, assetType: null } : movement;
}

function isCountable(number: bigint, decimals: number): boolean {
  return number >= 10n ** BigInt(Math.ceil(decimals / 2)) && number < AMOUNTS_END;
}

/** A transaction as far as its own payment goes; amounts in smallest units. */
interface PayingTransaction {
  from: string;
  /** The contract that it creates, where it pays nobody else. */
  to: string | null;
  value: bigint;
  /** Number of its type; null where it is not known. */
  type: number | null;
  mint?: bigint | null;
  depositValue?: bigint | null;
}

/** A deposit on Arbitrum makes the coin that it pays out. */
const ARBITRUM_DEPOSIT = 0x64;

/**
 * The payment of a transaction itself. Coin that a rollup makes for it came from the chain below: the sender's address is only a
 * namesake of the depositor there, and pays what is more than that alone. Empty for transactions without a payee.
 */
export function ownPayment(tx: PayingTransaction, failed: boolean): EvmMovement[] {
  const { from, to, value, type, mint, depositValue } = tx;
  const made = (type === ARBITRUM_DEPOSIT ? value : mint) ?? 0n;
  const passedOn = failed || to === null ? 0n : made < value ? made : value;
  const kept = made - passedOn + (depositValue ?? 0n);
  const arrivals = [
    ...(passedOn > 0n ? [{ ...nativeMovement(COINBASE, to!, passedOn, false), index: 'mint' }] : []),
    ...(kept > 0n ? [{ ...nativeMovement(COINBASE, from, kept, false), index: 'mint:kept' }] : []),
  ];
  const paid = value - passedOn;
  const isPaid = to !== null && (paid > 0n || arrivals.length === 0 || failed);
  return isPaid ? [...arrivals, nativeMovement(from, to, paid, failed)] : arrivals;
}
