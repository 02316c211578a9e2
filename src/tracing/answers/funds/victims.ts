import { roundUsd } from '../../../domain/amount.ts';
import { isCounterfeit } from '../../../domain/tokens/token.ts';
import type { Direction } from '../../../domain/tracing/flow-portion.ts';
import type { TracedTransfer } from '../../../domain/tracing/traced-transfer.ts';
import { assetsOf, atTheParty, pricedUsd, type QuantityPart } from '../../engine/walk/evidence.ts';
import { missingOfSubject } from '../../read/frontier.ts';
import type { MoneyTraces } from '../../read/trace-money.ts';
import { carriedOf } from './flows.ts';

/** Sums of the money that moved: quantities at the price of their time, and apart from them those without one. */
export interface Moved {
  usd: number;
  assets: Record<string, string>;
  unpriced: Record<string, string>;
}

export interface VictimSums {
  /** Paid to the subjects, whatever came back. */
  lost: Moved;
  /** Paid back by the subjects, themselves and over the wallets of the account. */
  returned: Moved;
  /** False where not all transfers of each subject are known: both are at least that. */
  complete: boolean;
}

/** Lists the transfers by which victims (graph keys) paid the subjects; who is paid in counterfeits robs nobody of anything. */
export function paidByVictims({ subjects }: MoneyTraces, victims: ReadonlySet<string>) {
  return [...subjects.values()].flatMap(({ received }) =>
    received.filter((transfer) => victims.has(transfer.from) && !isCounterfeit(transfer.asset)),
  );
}

/** Adds up what victims (graph keys) lost to the subjects, and got back; null where nothing moved between them. */
export function victimSums(
  traces: MoneyTraces,
  { keys, victims }: { keys: readonly string[]; victims: ReadonlySet<string> },
): VictimSums | null {
  const { subjects, account } = traces;
  const lost = paidByVictims(traces, victims).map(whole);
  const direct = [...subjects.values()].flatMap(({ sent }) =>
    sent.filter((transfer) => victims.has(transfer.to) && !isCounterfeit(transfer.asset)),
  );
  // What a victim pays another one is theirs.
  const overWallets = [...carriedOf(account.sent)].filter(
    ({ onto, transfer: { from, to } }) => onto !== null && victims.has(to) && !victims.has(from),
  );
  const returned = [...direct.map(whole), ...overWallets];
  if (lost.length + returned.length === 0) return null;
  return {
    lost: movedOf(lost, 'received'),
    returned: movedOf(returned, 'sent'),
    complete: keys.every((key) => {
      const subject = subjects.get(key);
      return subject && missingOfSubject(subject) === null && subject.unlisted.received + subject.unlisted.sent === 0;
    }),
  };
}

/** Takes all that a transfer moved. */
export function whole(transfer: TracedTransfer): QuantityPart {
  return { transfer, fraction: 1 };
}

/** Adds up what moved at the end of who gave (`received`), or got. */
export function movedOf(parts: readonly QuantityPart[], side: Direction): Moved {
  const isPriced = ({ transfer }: QuantityPart) => atTheParty(transfer, side).priced;
  const priced = parts.filter(isPriced);
  const unpriced = parts.filter((one) => !isPriced(one));
  return {
    usd: roundUsd(pricedUsd({ arrivals: priced }, side) ?? 0),
    assets: assetsOf({ arrivals: priced }, side),
    unpriced: assetsOf({ arrivals: unpriced }, side),
  };
}
