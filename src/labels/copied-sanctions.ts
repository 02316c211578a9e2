import { isChain, isEvmChain } from '../domain/chain.ts';
import type { Label } from '../domain/label.ts';
import { OFFICIAL_SOURCES, sourceFamily } from './label-order.ts';

/** Public collections whose sanctions are those of OFAC, copied at some day and seldom taken back. */
const COPYING = ['tagpack', 'eth-labels'];

/**
 * Labels of one address: where OFAC's own list has ended a designation, what public collections copied of it ends on the
 * same day. Sanctions of any other source, the operator's own among them, stand for themselves.
 */
export function endCopiedSanctions(labels: readonly Label[]): Label[] {
  return labels.map((label) => {
    if (label.category !== 'sanctioned' || !COPYING.includes(sourceFamily(label.source))) return label;
    const official = labels.filter((one) => isDesignationOf(one, label));
    if (official.length === 0 || official.some((one) => one.validTo === null)) return label;
    const end = Math.max(label.validFrom ?? 0, ...official.map((one) => one.validTo!));
    return label.validTo !== null && label.validTo <= end ? label : { ...label, validTo: end };
  });
}

function isDesignationOf(official: Label, { chain }: Label): boolean {
  if (official.category !== 'sanctioned' || !OFFICIAL_SOURCES.includes(official.source)) return false;
  return official.chain === chain || (official.chain === 'evm' && isChain(chain) && isEvmChain(chain));
}
