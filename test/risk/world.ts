import type { Chain } from '../../src/domain/chain.ts';
import type { Category, Label } from '../../src/domain/label.ts';
import { createTransfer, type Transfer } from '../../src/domain/transfers/transfer.ts';
import { mulberry32 } from '../../src/risk/anomaly/anomaly.ts';
import type { AssessInput, Assessment } from '../../src/risk/assessment.ts';
import { assess } from '../../src/risk/scoring/assess.ts';

export const S = '0x5000000000000000000000000000000000000001';
export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;
export const T0 = Date.UTC(2024, 0, 1);
export const AS_OF = Date.UTC(2026, 0, 1);
export const USDC = '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48';

/** An address by number; no two look alike. */
export function party(n: number): string {
  const random = mulberry32(n);
  const word = () =>
    Math.floor(random() * 2 ** 32)
      .toString(16)
      .padStart(8, '0');
  return `0x${word()}${word()}${word()}${word()}${word()}`;
}

let serial = 0;

/** A transfer of ether worth `usd`; whatever a test cares for is given. */
export function transfer(given: Partial<Transfer> & { from: string; to: string }): Transfer {
  serial++;
  const txHash = given.txHash ?? `0x${serial.toString(16).padStart(64, '0')}`;
  const index = given.index ?? 'native';
  const usd = given.usd === undefined ? 100 : given.usd;
  return createTransfer({
    id: `ethereum:${txHash}:${index}:${given.from}:${given.to}`,
    chain: 'ethereum',
    txHash,
    index,
    at: T0,
    asset: 'ETH',
    amount: ((usd ?? 100) / 2_000).toFixed(18).replace(/\.?0+$/, ''),
    kind: 'native',
    txSender: given.from,
    ...given,
    usd,
  });
}

export function receive(from: string, usd: number | null, at = T0, more: Partial<Transfer> = {}): Transfer {
  return transfer({ from, to: S, usd, at, ...more });
}

export function send(to: string, usd: number | null, at = T0, more: Partial<Transfer> = {}): Transfer {
  return transfer({ from: S, to, usd, at, ...more });
}

export function label(address: string, category: Category, more: Partial<Label> = {}): Label {
  return {
    chain: 'ethereum',
    address,
    category,
    label: `a ${category}`,
    source: 'test',
    confidence: 90,
    entity: null,
    validFrom: null,
    validTo: null,
    maliciousContract: false,
    ...more,
  };
}

export interface Setting {
  labels?: Label[];
  chain?: Chain;
  addressType?: string;
  complete?: boolean;
  historyRead?: boolean;
  more?: Partial<AssessInput>;
}

export function inputOf(transfers: Transfer[], setting: Setting = {}): AssessInput {
  const { labels = [], chain = 'ethereum', addressType = 'wallet', complete = true, historyRead = true } = setting;
  return {
    subject: { chain, address: S, labels: labels.filter((l) => l.address === S), addressType },
    transfers,
    labelsOf: (address) => labels.filter((l) => l.address === address),
    coverage: { complete, sources: ['test'], reasons: [], historyRead },
    asOf: AS_OF,
    lang: 'en',
    ...setting.more,
  };
}

export function assessed(transfers: Transfer[], setting: Setting = {}): Assessment {
  return assess(inputOf(transfers, setting));
}

/** Severities of one detector's detections. */
export function severities(assessment: Assessment, detectorId: string): string[] {
  return assessment.detections.filter((d) => d.detector_id === detectorId).map((d) => d.severity);
}

export function suppression(assessment: Assessment, detectorId: string): string[] {
  return assessment.suppressed.filter((d) => d.detector_id === detectorId).map((d) => d.suppressed_by);
}
