import type { Label } from '../../src/domain/label.ts';
import { labelChainOf, labelOf, listedAddress, shown } from '../labels/label-row.ts';
import type { Tally } from '../reading/tally.ts';
import { OFAC_TICKERS } from './tickers.ts';

interface Listed {
  ticker: string;
  address: string;
  label: string;
  source: string;
  entity?: string;
  validFrom?: number | null;
}

/**
 * The label of one listed address. The chain comes from the address's form, never from the code: an address that stands
 * under the code of another chain, or under a code that is not known, is loaded where it lives, and that is reported.
 */
export function sanctionedLabel(listed: Listed, line: number, tally: Tally): Label | null {
  const { ticker } = listed;
  const expected = Object.hasOwn(OFAC_TICKERS, ticker) ? OFAC_TICKERS[ticker] : undefined;
  if (expected === 'other') {
    tally.skip(line, `${shown(listed.address)}: ${shown(ticker)} is not one of the supported chains`);
    return null;
  }
  const address = listedAddress(listed.address, line, tally);
  const chain = labelChainOf(address);
  if (chain === null) {
    tally.skip(line, `${shown(address)} is not an address of a supported chain (listed as ${shown(ticker)})`);
    return null;
  }
  if (expected === undefined) {
    tally.note(line, `${shown(address)} is listed as ${shown(ticker)}, a code that is not known; loaded as ${chain}`);
  } else if (expected !== 'several' && expected !== chain) {
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
