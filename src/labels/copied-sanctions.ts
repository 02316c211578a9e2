import { isChain, isEvmChain } from '../domain/chain.ts';
import type { Label } from '../domain/label.ts';
import { OFFICIAL_SOURCES, sourceFamily } from './label-order.ts';

/** Public collections whose sanctions are those of OFAC, copied at some day and seldom taken back. */
export const COPYING = ['tagpack', 'eth-labels'];
/** These state no day of designation, and the second form of OFAC's own list does not either. */
const WITHOUT_DAY = [...COPYING, 'ofac-list'];
/** The form of OFAC's list that has the days. */
const DATED = 'ofac';

/**
 * Labels of one address: what was copied of a designation by OFAC begins on the day that OFAC's own list states, where the
 * copy states none, and a public collection's ends where OFAC's list has ended it. Sanctions of any other source, the
 * operator's own among them, stand for themselves.
 */
export function dateCopiedSanctions(labels: readonly Label[]): Label[] {
  return labels.map((label) => {
    if (label.category !== 'sanctioned' || !WITHOUT_DAY.includes(sourceFamily(label.source))) return label;
    const official = labels.filter((one) => isDesignationOf(one, label));
    const begun = withBeginning(label, official);
    return COPYING.includes(sourceFamily(label.source)) ? withEnd(begun, official) : begun;
  });
}

function withBeginning(label: Label, official: readonly Label[]): Label {
  const days = official.flatMap(({ source, validFrom }) => (source === DATED ? [validFrom] : []));
  if (label.validFrom !== null || days.length === 0 || days.includes(null)) return label;
  return { ...label, validFrom: Math.min(...days.map(Number)) };
}

function withEnd(label: Label, official: readonly Label[]): Label {
  if (official.length === 0 || official.some((one) => one.validTo === null)) return label;
  const end = Math.max(label.validFrom ?? 0, ...official.map((one) => one.validTo!));
  return label.validTo !== null && label.validTo <= end ? label : { ...label, validTo: end };
}

function isDesignationOf(official: Label, { chain }: Label): boolean {
  if (official.category !== 'sanctioned' || !OFFICIAL_SOURCES.includes(official.source)) return false;
  return official.chain === chain || (official.chain === 'evm' && isChain(chain) && isEvmChain(chain));
}
