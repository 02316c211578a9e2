import type { Chain } from '../domain/chain.ts';
import type { Label } from '../domain/label.ts';

export interface LabelStore {
  /** Every label of each address on the chain (delisted ones too), best first; addresses without one are absent. */
  find(chain: Chain, addresses: readonly string[]): Promise<Map<string, Label[]>>;
}
