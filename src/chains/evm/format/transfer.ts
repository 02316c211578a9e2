import { formatUnits } from '../../../domain/amount.ts';
import { type AskedTransfers, isAskedFor } from '../../../domain/calldata/asked-transfers.ts';
import { type EvmChain, NATIVE_COIN } from '../../../domain/chain.ts';
import { assetName, verifiedToken } from '../../../domain/tokens/token.ts';
import type { LogMovement } from '../../../domain/transfers/evm-log.ts';
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
  /** Who paid it, if not the sender. */
  feePayer?: string | null;
}

export interface TokenFacts {
  /** As the contract says it, uncleaned. */
  symbol: string;
  decimals: number;
}

export const UNKNOWN_TOKEN: TokenFacts = { symbol: '', decimals: 0 };

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

export function toTransfer(chain: EvmChain, movement: EvmMovement, facts: TxFacts, token: TokenFacts | null): Transfer {
  const { decimals: coinDecimals } = NATIVE_COIN[chain];
  const decimals =
    movement.kind === 'nft'
      ? 0
      : movement.token === null
        ? coinDecimals
        : (verifiedToken(chain, movement.token)?.decimals ?? token?.decimals ?? 0);
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
    amount: formatUnits(movement.amountRaw, decimals),
    amountRaw: movement.amountRaw.toString(),
    decimals,
    kind: movement.kind,
    failed: movement.failed,
    txSender: facts.sender,
    method: facts.method,
    asked: movement.token === null || asked === null ? null : isAskedFor(asked, moved, (address) => address.slice(2)),
    fee: facts.fee === null ? null : formatUnits(facts.fee, coinDecimals),
    feePayer: facts.feePayer ?? null,
    tokenId: movement.tokenId,
    assetType: movement.assetType,
  });
}
