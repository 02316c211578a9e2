import type { Figures } from '../../../words/figures.ts';
import { addAmounts, compareAmounts } from '../../domain/amount.ts';
import type { Chain } from '../../domain/chain.ts';
import { addToGroup } from '../../domain/group-by.ts';
import type { Label } from '../../domain/label.ts';
import { distinctTransfers } from '../../domain/transfers/flow.ts';
import { movedValue, type Transfer } from '../../domain/transfers/transfer.ts';
import { buildLedger, type Ledger } from '../ledger/ledger.ts';
import { TOKEN_SCREENING_RULES } from '../rules.ts';
import type { Detector, Finding, Window } from './detector.ts';

export interface TokenScreening {
  chain: Chain;
  /** All of one token; failed ones do not count. */
  transfers: readonly Transfer[];
  labelsOf: (address: string) => Label[];
  /** Addresses that are known to be contracts. */
  contracts?: ReadonlySet<string>;
  /** Epoch ms: labels are judged at this moment. */
  asOf: number;
}

/** `findings`: how a scan runs a detector. */
export function openWindow(
  { chain, transfers: given, labelsOf, contracts, asOf }: TokenScreening,
  findings: (ledger: Ledger, detector: Detector) => Finding[],
): Window {
  const happened = distinctTransfers(given.filter((transfer) => !transfer.failed));
  const scale = happened.some((transfer) => transfer.usd !== null) ? 'usd' : 'median';
  const transfers = scale === 'usd' ? happened : valuedByMedian(happened);
  const ofAddress = new Map<string, Transfer[]>();
  for (const transfer of transfers) {
    for (const address of new Set([transfer.from, transfer.to])) {
      addToGroup(ofAddress, address, transfer);
    }
  }
  const ledgers = new Map<string, Ledger>();
  const ledgerOf = (address: string) => {
    const known =
      ledgers.get(address) ??
      buildLedger({
        subject: {
          chain,
          address,
          labels: labelsOf(address),
          addressType: contracts?.has(address) ? 'contract' : 'unknown',
        },
        transfers: ofAddress.get(address) ?? [],
        labelsOf,
        coverage: { complete: false, sources: [], reasons: [], historyRead: true },
        asOf,
        lang: 'en',
      });
    ledgers.set(address, known);
    return known;
  };
  const valued = transfers.filter(
    (transfer): transfer is Transfer & { usd: number } =>
      transfer.usd !== null && transfer.from !== transfer.to && movedValue(transfer),
  );
  const findingsOf = (address: string, detector: Detector) => findings(ledgerOf(address), detector);
  return { chain, transfers, valued, scale, ledgerOf, findingsOf };
}

/** Too few transfers have no usual size: then nothing has a value. */
function valuedByMedian(transfers: readonly Transfer[]): Transfer[] {
  const amounts = transfers
    .filter(movedValue)
    .map(({ amount }) => amount)
    .sort(compareAmounts);
  if (amounts.length < TOKEN_SCREENING_RULES.unpriced_transfers) return [...transfers];
  const median = Number(amounts[Math.floor((amounts.length - 1) / 2)]);
  const worth = TOKEN_SCREENING_RULES.unpriced_median_usd / median;
  return transfers.map((transfer) => ({ ...transfer, usd: Number(transfer.amount) * worth }));
}

/** Multiples of the usual transfer, or US dollars, in figures whose names say which. */
export function valueFigures(window: Pick<Window, 'scale'>, usd: number): Figures {
  return window.scale === 'usd' ? { usd } : { times_median: usd / TOKEN_SCREENING_RULES.unpriced_median_usd };
}

export function totalAmount(transfers: readonly Transfer[]): string {
  return transfers.reduce((sum, { amount }) => addAmounts(sum, amount), '0');
}
