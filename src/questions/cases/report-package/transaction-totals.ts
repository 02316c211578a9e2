import { addressKey } from '../../../domain/address/address-key.ts';
import type { CaseRole } from '../../../domain/case.ts';
import type { Chain } from '../../../domain/chain.ts';
import { compare } from '../../../domain/compare.ts';
import { iso } from '../../../domain/time.ts';
import type { Transfer } from '../../../domain/transfers/transfer.ts';
import type { NamedTransaction, TransactionTotals } from './package-inputs.ts';
import { valueUsd } from './transaction-row.ts';

const LARGEST = 5;

interface CaseParty {
  chain: Chain;
  address: string;
  role: CaseRole;
}

/**
 * Adds up the transactions of a package in cents, exactly as the rows of its CSV show them. The subjects are one party,
 * as in the account of the money: what moves among them is left out. A case without subjects counts all its addresses but
 * services and victims, else all.
 */
export class TotalsOfTransactions {
  private readonly subjects: ReadonlySet<string>;
  private rows = 0;
  private counted = 0;
  private firstAt: number | null = null;
  private lastAt: number | null = null;
  private inCents = 0n;
  private outCents = 0n;
  private unpriced = 0;
  private largest: { cents: bigint; transaction: NamedTransaction }[] = [];

  constructor(parties: readonly CaseParty[]) {
    const keysOf = (counts: (role: CaseRole) => boolean) =>
      new Set(parties.filter(({ role }) => counts(role)).map(({ chain, address }) => addressKey(chain, address)));
    const choices = [keysOf((role) => role === 'subject'), keysOf((role) => !isBystander(role)), keysOf(() => true)];
    this.subjects = choices.find(({ size }) => size > 0) ?? new Set();
  }

  /** Adds a transfer; call it in the order of the rows. */
  add(transfer: Transfer, rowNo: number): void {
    this.rows += 1;
    const [from, to] = [transfer.from, transfer.to].map((address) => addressKey(transfer.chain, address)) as [
      string,
      string,
    ];
    const isSent = this.subjects.has(from);
    if (isSent === this.subjects.has(to)) return;
    const usd = valueUsd(transfer);
    this.counted += 1;
    this.firstAt ??= transfer.at;
    this.lastAt = transfer.at;
    if (usd === null) {
      this.unpriced += 1;
      return;
    }
    const cents = BigInt(usd.replace('.', ''));
    if (isSent) this.outCents += cents;
    else this.inCents += cents;
    const least = this.largest.at(-1);
    if (this.largest.length === LARGEST && least && cents <= least.cents) return;
    const { chain, txHash, amount, asset } = transfer;
    const ends = { from: transfer.from, to: transfer.to };
    const transaction = { rowNo, chain, txHash, at: iso(transfer.at), ...ends, amount, asset, usd };
    this.largest.push({ cents, transaction });
    this.largest.sort((a, b) => compare(b.cents, a.cents));
    this.largest.length = Math.min(this.largest.length, LARGEST);
  }

  result(cuts: Pick<TransactionTotals, 'cutAddresses' | 'truncated'>): TransactionTotals {
    return {
      rows: this.rows,
      counted: this.counted,
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

/** True for a service or a victim: its dealings with others are not part of the case. */
export function isBystander(role: CaseRole): boolean {
  return role === 'service' || role === 'victim';
}

function dollars(cents: bigint): string {
  const digits = String(cents).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
