import { formatUnits } from '../../domain/amount.ts';
import { type AskedTransfers, askedTransfers, isAskedFor } from '../../domain/calldata/asked-transfers.ts';
import { arrival } from '../../domain/transfers/arrival.ts';
import { createTransfer, type Transfer } from '../../domain/transfers/transfer.ts';
import { deployedAddress, tronHex } from './address.ts';
import type { ListedInternal, ListedToken, ListedTransaction, TronNodeTransaction } from './shapes.ts';

/** Fields that all transfers of one transaction share, as far as the list has it. */
export interface TronFrame {
  txHash: string;
  block: number | null;
  at: number;
  failed: boolean;
  txSender: string | null;
  method: string | null;
  /** Null where the call is not known. */
  asked: AskedTransfers | null;
  fee: string | null;
}

const SUN_DECIMALS = 6;

/** A missing result means success: `TransferContract` often has none. */
export function contractFailed({ ret }: TronNodeTransaction): boolean {
  const result = ret[0]?.contractRet;
  return result !== undefined && result !== 'SUCCESS';
}

export function listedFrame(entry: ListedTransaction): TronFrame {
  const fee = entry.ret[0]?.fee || entry.net_fee + entry.energy_fee;
  return frameOf(entry, {
    block: entry.blockNumber ?? null,
    at: entry.block_timestamp,
    failed: contractFailed(entry),
    fee,
  });
}

export function frameOf(
  entry: TronNodeTransaction,
  facts: { block: number | null; at: number; failed: boolean; fee: bigint },
): TronFrame {
  const { data, owner_address, contract_address } = entry.raw_data.contract[0]!.parameter.value;
  return {
    ...facts,
    txHash: entry.txID,
    txSender: owner_address ?? null,
    method: data && data.length >= 8 ? `0x${data.slice(0, 8).toLowerCase()}` : null,
    asked: owner_address ? askedTransfers(owner_address, contract_address ?? null, data) : null,
    fee: formatUnits(facts.fee, SUN_DECIMALS),
  };
}

/** Returns what the contract of a transaction itself moves: TRX, TRC-10, and the TRX sent along with a call (0 too). */
export function contractTransfers(entry: TronNodeTransaction, frame: TronFrame): Transfer[] {
  const { type, parameter } = entry.raw_data.contract[0]!;
  const value = parameter.value;
  const from = value.owner_address;
  if (from === undefined) return [];
  const native = (to: string | undefined, amount: bigint) =>
    to === undefined ? [] : [transferOf(frame, { index: 'native', seq: 0, from, to, token: null, amount })];
  const trc10 = (to: string | undefined, token: string | undefined, amount: bigint) =>
    to === undefined || !token || token === '0'
      ? []
      : [transferOf(frame, { index: 'trc10', seq: 0, from, to, token, amount })];

  if (type === 'TransferContract' || type === 'ParticipateAssetIssueContract')
    return native(value.to_address, value.amount);
  if (type === 'TransferAssetContract') return trc10(value.to_address, value.asset_name, value.amount);
  if (type === 'TriggerSmartContract') {
    return [
      ...native(value.contract_address, value.call_value),
      ...(value.call_token_value > 0n ? trc10(value.contract_address, value.token_id, value.call_token_value) : []),
    ];
  }
  if (type === 'CreateSmartContract') {
    const deployed = deployedAddress(entry.txID, from);
    return [
      ...native(deployed, value.new_contract?.call_value ?? 0n),
      ...(value.call_token_value > 0n ? trc10(deployed, value.token_id, value.call_token_value) : []),
    ];
  }
  return [];
}

/** True for what takes the rewards of voters and witnesses out: the transaction itself does not say how much. */
export function takesRewards(entry: TronNodeTransaction): boolean {
  return entry.raw_data.contract[0]!.type === 'WithdrawBalanceContract' && !contractFailed(entry);
}

/** The rewards that a transaction took out, which no address paid. */
export function rewardTransfers({ txHash, block, at, txSender, method, fee }: TronFrame, amount: bigint): Transfer[] {
  if (txSender === null || amount === 0n) return [];
  const place = { txHash, block, at, index: 'reward', seq: 0 };
  return [{ ...arrival('tron', txSender, amount, place), txSender, method, fee }];
}

/** The place of an internal transaction in the one around it. */
export function innerIndex(hash: string): string {
  return `internal:${hash.slice(0, 16).toLowerCase()}`;
}

/** Internal transactions that pay: others state what a contract staked, or lent to others as energy, and no coin moves. */
const PAYING_NOTES: ReadonlySet<string> = new Set(['call', 'create', 'suicide']);
/** The rewards of a contract's own votes. */
const REWARD_NOTE = 'withdrawReward';

/** Returns the transfers of an internal transaction; none for a rejected one, which moved nothing. */
export function internalTransfers(
  internal: Pick<ListedInternal, 'internal_tx_id' | 'from_address' | 'to_address' | 'data'>,
  frame: TronFrame,
): Transfer[] {
  const { note, rejected } = internal.data;
  if (rejected) return [];
  if (note === REWARD_NOTE) {
    const { txHash, block, at } = frame;
    const place = { txHash, block, at, index: innerIndex(internal.internal_tx_id), seq: 1 };
    const amount = internal.data.call_value._ ?? 0n;
    return amount === 0n ? [] : [arrival('tron', internal.from_address, amount, place)];
  }
  if (note !== undefined && !PAYING_NOTES.has(note)) return [];
  const byToken = Object.entries(internal.data.call_value).sort(([a], [b]) => Number(b === '_') - Number(a === '_'));
  return byToken.flatMap(([key, amount]) => {
    if (amount === 0n) return [];
    const token = key === '_' || key === '' ? null : key;
    const index = `${innerIndex(internal.internal_tx_id)}${token === null ? '' : `:${token}`}`;
    const { from_address: from, to_address: to } = internal;
    return [transferOf(frame, { index, seq: 1, from, to, token, amount, kind: token === null ? 'internal' : 'token' })];
  });
}

export interface TokenEvent extends Pick<ListedToken, 'from' | 'to' | 'value'> {
  token: string;
  frame: TronFrame;
  /** For a collectible `value` is its id. */
  nft?: boolean;
}

/**
 * The transfer of an event. TRC-20 lists do not give the place in the transaction: a list, the events of a contract and
 * the logs of a transaction agree on what moved alone.
 */
export function tokenTransfer({ token, from, to, value, frame, nft }: TokenEvent): Transfer {
  const moved = { index: null, seq: null, from, to, token };
  const transfer = nft
    ? transferOf(frame, { ...moved, amount: 1n, kind: 'nft', tokenId: value.toString() })
    : transferOf(frame, { ...moved, amount: value });
  transfer.asked = isAsked(frame.asked, transfer);
  return transfer;
}

/** True where the call that the sender signed asked the token for this transfer; null where the call is not known. */
export function isAsked(asked: AskedTransfers | null, transfer: Transfer): boolean | null {
  return asked && isAskedFor(asked, transfer, (address) => tronHex(address).slice(2));
}

interface TronMovement {
  index: string | null;
  seq: number | null;
  from: string;
  to: string;
  token: string | null;
  amount: bigint;
  kind?: Transfer['kind'];
  tokenId?: string;
}

/** A token keeps its smallest unit until its decimals are known. */
function transferOf(frame: TronFrame, { index, seq, from, to, token, amount, kind, tokenId }: TronMovement): Transfer {
  const decimals = token === null ? SUN_DECIMALS : kind === 'nft' ? 0 : null;
  return createTransfer({
    chain: 'tron',
    txHash: frame.txHash,
    index,
    seq,
    block: frame.block,
    at: frame.at,
    from,
    to,
    asset: token === null ? 'TRX' : 'UNKNOWN',
    token,
    amount: formatUnits(amount, decimals ?? 0),
    amountRaw: amount.toString(),
    decimals,
    kind: kind ?? (token === null ? 'native' : 'token'),
    failed: frame.failed,
    txSender: frame.txSender,
    method: frame.method,
    // Who signs the contract of a TRC-10 token moves it himself.
    asked: index === 'trc10' ? true : null,
    fee: frame.fee,
    tokenId,
  });
}
