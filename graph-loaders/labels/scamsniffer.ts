import { normalDomain } from '../../src/domain/text/domain-name.ts';
import { readJson, textField } from '../reading/json.ts';
import { hasEnding, type LabelLoader, type ListedLabel, type Work } from '../reading/loader.ts';
import { tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { labelOf, listedAddress } from './label-row.ts';

const SOURCE = 'scamsniffer';

/**
 * ScamSniffer's drainer addresses: `address.json` is a list of them, `combined.json` has them by the
 * phishing domain that uses them. They sign on every EVM chain.
 */
export const scamsnifferLoader: LabelLoader = {
  kind: 'labels',
  format: 'address.json, a JSON list of addresses, or combined.json, a JSON object of addresses by domain',
  isList: true,
  accepts: (name) => hasEnding('address.json', 'combined.json')(name),
  read,
  speaksFor: () => [SOURCE],
};

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<ListedLabel> {
  // The same address under a hundred domains is one statement; the first domain names it.
  const seen = new Map<string, ListedLabel | null>();
  for (const file of files) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    let row = 0;
    for (const [domain, address] of pairs(await readJson(file, signal), file.name)) {
      row += 1;
      const key = address.trim().toLowerCase();
      own.read += 1;
      if (!seen.has(key)) {
        const listed = listedAddress(address, row, own);
        const label = domain ? `Drainer of ${domain}` : 'ScamSniffer drainer';
        const made = labelOf(
          { chain: 'evm', address: listed, category: 'drainer', label, source: SOURCE, confidence: 90 },
          row,
          own,
        );
        seen.set(key, made && { ...made, domains: [] });
      }
      const host = domain && normalDomain(domain);
      if (host) seen.get(key)?.domains?.push(host);
    }
  }
  for (const label of seen.values()) if (label) yield label;
}

function* pairs(value: unknown, fileName: string): Generator<[domain: string, address: string]> {
  if (value === null || typeof value !== 'object') {
    throw new WrongFormatError(`${fileName}: expected a JSON list or object`);
  }
  if (Array.isArray(value)) {
    if (value.length > 0 && !value.some((entry) => typeof entry === 'string')) {
      throw new WrongFormatError(`${fileName}: no entry of the list is an address`);
    }
    for (const address of value) yield ['', textField(address)];
    return;
  }
  if (!Object.keys(value).some(normalDomain)) throw new WrongFormatError(`${fileName}: no key is a domain`);
  for (const [domain, addresses] of Object.entries(value)) {
    for (const address of Array.isArray(addresses) ? addresses : [addresses]) yield [domain, textField(address)];
  }
}
