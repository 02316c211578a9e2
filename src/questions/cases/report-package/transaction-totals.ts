import { iso } from '../../../domain/time.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import type { NamedTransaction, TransactionTotals } from './package-inputs.ts';
import { valueUsd } from './transaction-row.ts';

const LARGEST = 5;

/** Adds up the transactions of a package in cents, exactly as the rows of its CSV show them. */
export class TotalsOfTransactions {
  private rows = 0;
  private firstAt: number | null = null;
  private lastAt: number | null = null;
  private inCents = 0n;
  private outCents = 0n;
  private unpriced = 0;
  private largest: { cents: bigint; transaction: NamedTransaction }[] = [];

  /** In the order of the rows. */
  add(transfer: Transfer, subject: string, rowNo: number): void {
    const usd = valueUsd(transfer);
    this.rows += 1;
    this.firstAt ??= transfer.at;
    this.lastAt = transfer.at;
    if (usd === null) {
      this.unpriced += 1;
      return;
    }
    const cents = BigInt(usd.replace('.', ''));
    if (transfer.from !== transfer.to) {
      if (transfer.to === subject) this.inCents += cents;
      else this.outCents += cents;
    }
    const least = this.largest.at(-1);
    if (this.largest.length === LARGEST && least && cents <= least.cents) return;
    const { chain, txHash, from, to, amount, asset } = transfer;
    const transaction = { rowNo, chain, txHash, at: iso(transfer.at), from, to, amount, asset, usd };
    this.largest.push({ cents, transaction });
    this.largest.sort((a, b) => (a.cents > b.cents ? -1 : a.cents < b.cents ? 1 : 0));
    this.largest.length = Math.min(this.largest.length, LARGEST);
  }

  result(cuts: Pick<TransactionTotals, 'cutAddresses' | 'truncated'>): TransactionTotals {
    return {
      rows: this.rows,
      firstAt: this.firstAt === null ? null : iso(this.firstAt),
      lastAt: this.lastAt === null ? null : iso(this.lastAt),
      inUsd: dollars(this.inCents),
      outUsd: dollars(this.outCents),
      unpriced: this.unpriced,
      largest: this.largest.map(({ transaction }) => transaction),
      ...cuts,
    };
  }
}

function dollars(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
