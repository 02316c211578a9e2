import { canonicalAddress } from '../../src/domain/address/address.ts';
import { legacyForm } from '../../src/domain/address/cash-address.ts';
import { chainOfForm, isSisterChain, type LabelChain, type SisterChain } from '../../src/domain/chain.ts';
import type { Label } from '../../src/domain/label.ts';
import { labelChainOf, labelOf, listedAddress, shown } from '../labels/label-row.ts';
import type { Tally } from '../reading/tally.ts';
import { OFAC_TICKERS } from '../reading/tickers.ts';

interface Listed {
  ticker: string;
  address: string;
  label: string;
  source: string;
  entity?: string;
  validFrom?: number | null;
  programme?: string;
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
  if (expected !== undefined && isSisterChain(expected))
    return sisterLabel(expected, { ...listed, address }, line, tally);
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
  return sanctioned(chain, { ...listed, address }, line, tally);
}

/** An entry of a chain that is not supported counts as skipped; its key is cautioned where the address has its form. */
function sisterLabel(chain: SisterChain, listed: Listed, line: number, tally: Tally): Label | null {
  const code = `${shown(listed.address)}: ${shown(listed.ticker)} is not one of the supported chains`;
  const form = chainOfForm(chain);
  const address = (form === 'bitcoin' ? legacyForm(listed.address) : null) ?? listed.address;
  if (!canonicalAddress(form, address)) {
    tally.skip(line, code);
    return null;
  }
  tally.skip(line, `${code}; payments to the same key on ${form} are cautioned`);
  return sanctioned(chain, { ...listed, address }, line, tally);
}

function sanctioned(chain: LabelChain, listed: Listed, line: number, tally: Tally): Label | null {
  const { address, label, source, entity = null, validFrom = null, programme } = listed;
  return labelOf(
    { chain, address, category: 'sanctioned', label, source, confidence: 100, entity, validFrom, programme },
    line,
    tally,
  );
}
