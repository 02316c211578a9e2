import { addToGroup } from '../../domain/group-by.ts';
import { isValidAt, SERVICE_CATEGORIES } from '../../domain/label.ts';
import type { Severity } from '../detection.ts';
import { RULES } from '../rules.ts';
import { type Flag, valueFigures, type Window } from './window.ts';

type Valued = Window['valued'][number];

/** From where tokens come when they are made, and where they go when they are destroyed. */
const NOBODY = new Set(['0x0000000000000000000000000000000000000000', 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb']);

/**
 * Transfers that are large in themselves and among the largest hundredth of the window, by sender; by receiver where
 * the sender is a labelled service or the token's maker.
 */
export function sweepLargeTransfers(window: Window): Flag[] {
  const rule = RULES.large_transfer;
  const sizes = window.valued.map(({ usd }) => usd).sort((a, b) => a - b);
  const percentile = sizes[Math.ceil(rule.percentile * sizes.length) - 1] ?? 0;
  const byAddress = new Map<string, Valued[]>();
  for (const transfer of window.valued) {
    if (transfer.usd < Math.max(rule.low_usd, percentile)) continue;
    const address = [transfer.from, transfer.to].find((party) => isPerson(window, party));
    if (address !== undefined) addToGroup(byAddress, address, transfer);
  }
  return [...byAddress].map(([address, transfers]) => {
    const largest = Math.max(...transfers.map(({ usd }) => usd));
    const figures = valueFigures(window, largest);
    return {
      address,
      pattern: 'large_transfer' as const,
      severity: severityOf(largest),
      measured: { count: transfers.length, ...figures },
      transfers,
    };
  });
}

function severityOf(usd: number): Severity {
  const { medium_usd, high_usd } = RULES.large_transfer;
  return usd >= high_usd ? 'HIGH' : usd >= medium_usd ? 'MEDIUM' : 'LOW';
}

function isPerson({ labelsOf, asOf }: Window, address: string): boolean {
  if (NOBODY.has(address)) return false;
  const label = labelsOf(address).find((one) => isValidAt(one, asOf));
  return !label || !SERVICE_CATEGORIES.includes(label.category);
}
