import { AmountSum, addAmounts, formatUnits, fractionDigits, parseUnits } from '../amount.ts';
import { type Chain, NATIVE_COIN } from '../chain.ts';
import { isCoinContract } from '../tokens/known-tokens.ts';
import type { Transfer } from './transfer.ts';

/** Among the reasons of a coverage where a balance that the chain states is not what the movements add up to. */
const BALANCE_UNEXPLAINED = 'balance_unexplained';

/** A balance of a token that the chain states, decimal string. */
export interface TokenBalance {
  /** Token as transfers name it. */
  token: string;
  amount: string;
}

/** A fee that an address paid, decimal string. */
export interface PaidFee {
  txHash: string;
  amount: string;
}

/** A part of a stated balance that no movement explains. */
export interface UnexplainedBalance {
  asset: string;
  /** Null for the chain's own coin. */
  token: string | null;
  /** Signed decimal string: what the chain states less what the movements add up to. */
  amount: string;
}

/** A history as far as balances are explained with it. */
export interface StatedHistory {
  balance: string | null;
  /** Coin of the address that its balance leaves out: in escrows, in token accounts, frozen; signed decimal string. */
  beside?: string;
  transfers: readonly Transfer[];
  /** Balances of tokens; a token without one is not checked. */
  tokenBalances?: readonly TokenBalance[];
  /** Fees of transactions of which `transfers` holds none. */
  otherFees?: readonly PaidFee[];
}

interface Covered {
  coverage: { complete: boolean; reasons: string[]; unexplained?: UnexplainedBalance[] };
}

/** Part of all that moved of a token below which a difference is rounding. */
const TOKEN_DUST_PARTS = 10n ** 6n;

/**
 * Returns the balances that the movements of a whole history do not add up to, the coin first: in less out less the fees that
 * the address paid. A fee that no source states may be as large as the dust of the coin.
 */
export function unexplainedBalances(
  chain: Chain,
  address: string,
  { balance, beside = '0', transfers, tokenBalances = [], otherFees = [] }: StatedHistory,
): UnexplainedBalance[] {
  const sums = new Map<string | null, { asset: string; received: AmountSum; sent: AmountSum }>();
  const stated = new Map(tokenBalances.map(({ token, amount }): [string | null, string] => [token, amount]));
  const sumOf = (token: string | null, asset: string) => {
    const known = sums.get(token) ?? { asset, received: new AmountSum(), sent: new AmountSum() };
    sums.set(token, known);
    return known;
  };
  const { symbol, dust: coinDust } = NATIVE_COIN[chain];
  const coin = sumOf(null, symbol);
  if (balance !== null) stated.set(null, addAmounts(balance, beside));
  const fees = new Map<string, string | null>(otherFees.map(({ txHash, amount }) => [txHash, amount]));
  for (const transfer of transfers) {
    const fee = feePaidBy(address, transfer);
    if (fee !== undefined && !fees.get(transfer.txHash)) fees.set(transfer.txHash, fee);
    const { asset, amount, from, to, failed, kind } = transfer;
    const token = isCoinContract(chain, transfer.token) ? null : transfer.token;
    if (failed || kind === 'nft' || from === to || !stated.has(token)) continue;
    const sum = sumOf(token, asset);
    if (to === address) sum.received.add(amount);
    else if (from === address) sum.sent.add(amount);
  }
  let unknownFees = 0n;
  for (const fee of fees.values()) {
    if (fee === null) unknownFees += 1n;
    else coin.sent.add(fee);
  }
  const coinFirst = [...stated].sort(([a], [b]) => Number(b === null) - Number(a === null));
  return coinFirst.flatMap(([token, amount]): UnexplainedBalance[] => {
    const { asset, received, sent } = sumOf(token, token ?? '');
    const [came, went] = [received.toString(), sent.toString()];
    const digits = Math.max(...[amount, came, went, coinDust].map(fractionDigits));
    const units = (text: string) => parseUnits(text, digits);
    const [inward, outward] = [units(came), units(went)];
    const difference = units(amount) - inward + outward;
    const dust = token === null ? units(coinDust) : (inward + outward) / TOKEN_DUST_PARTS;
    const least = token === null ? -dust * (1n + unknownFees) : -dust;
    return difference >= least && difference <= dust ? [] : [{ asset, token, amount: formatUnits(difference, digits) }];
  });
}

/** Null where it is not known how much; undefined where the address paid none. */
function feePaidBy(address: string, { txSender, feePayer, fee, feeShare, from }: Transfer): string | null | undefined {
  if (feeShare !== null) return from === address ? feeShare : undefined;
  return (feePayer ?? txSender) === address ? fee : undefined;
}

/**
 * A whole history that explains what the chain states is complete; one that does not says so, with the amounts. Histories
 * that lack something for another reason stay as they are.
 */
export function explained<History extends StatedHistory & Covered>(
  chain: Chain,
  address: string,
  history: History,
): History {
  if (!history.coverage.complete && history.coverage.unexplained === undefined) return history;
  return withUnexplained(history, unexplainedBalances(chain, address, history));
}

/** The whole history with what was found of its balances, instead of what was found before. */
export function withUnexplained<History extends Covered>(history: History, found: UnexplainedBalance[]): History {
  const { unexplained: _before, ...coverage } = history.coverage;
  const reasons = coverage.reasons.filter((reason) => reason !== BALANCE_UNEXPLAINED);
  if (found.length === 0) return { ...history, coverage: { ...coverage, complete: true, reasons } };
  const lacking = { complete: false, reasons: [...reasons, BALANCE_UNEXPLAINED], unexplained: found };
  return { ...history, coverage: { ...coverage, ...lacking } };
}
