import type { Label } from '../src/domain/label.ts';
import { labelChainOf, labelOf, listedAddress, shown } from './label-row.ts';
import { OFAC_TICKERS } from './ofac-tickers.ts';
import type { Tally } from './tally.ts';

interface Listed {
  ticker: string;
  address: string;
  label: string;
  source: string;
  entity?: string;
  validFrom?: number | null;
}

/**
 * The label of one listed address. The chain comes from the address's form, never from the code: an address
 * that stands under the code of another chain is loaded where it lives, and the conflict is reported.
 */
export function sanctionedLabel(listed: Listed, line: number, tally: Tally): Label | null {
  const { ticker } = listed;
  const expected = OFAC_TICKERS[ticker];
  if (expected === undefined) {
    tally.skip(line, `${shown(listed.address)}: ${shown(ticker)} is not one of the supported chains`);
    return null;
  }
  const address = listedAddress(listed.address, line, tally);
  const chain = labelChainOf(address);
  if (chain === null) {
    tally.skip(line, `${shown(address)} is no address of a supported chain (listed as ${ticker})`);
    return null;
  }
  if (expected !== null && expected !== chain) {
    tally.note(line, `${shown(address)} is listed as ${ticker} but is a ${chain} address; loaded as ${chain}`);
  }
  return labelOf(
    {
      chain,
      address,
      category: 'sanctioned',
      label: listed.label,
      source: listed.source,
      confidence: 100,
      entity: listed.entity ?? null,
      validFrom: listed.validFrom ?? null,
    },
    line,
    tally,
  );
}
