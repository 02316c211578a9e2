import { textField } from '../reading/json.ts';
import { isRecord, type JsonStatement, jsonLabelLoader } from './json-statements.ts';

const SOURCE = 'ransomwhere';
/** Names of chains as the list writes them. */
const TICKERS: Record<string, string> = {
  bitcoin: 'BTC',
  ethereum: 'ETH',
  monero: 'XMR',
  litecoin: 'LTC',
  dash: 'DASH',
};

/** Addresses that were paid ransoms, as ransomwhe.re exports them. */
export const ransomwhereLoader = jsonLabelLoader({
  format: 'the export of ransomwhe.re, a JSON object with result, a list of objects with address and family',
  isList: true,
  accepts: (name) => /\.json$|(?:^|\/)export$/i.test(name),
  speaksFor: () => [SOURCE],
  statements: (document) => {
    const list = isRecord(document) ? document.result : document;
    const entries = Array.isArray(list) ? list.filter(isRecord) : [];
    if (!entries.some((entry) => 'family' in entry && 'address' in entry)) return null;
    return entries.map(toStatement);
  },
  mark: 'no entry has address and family',
});

function toStatement({ address, blockchain, family }: Record<string, unknown>): JsonStatement {
  const name = textField(family).trim();
  return {
    address: textField(address),
    ticker: TICKERS[textField(blockchain).trim().toLowerCase()] ?? '',
    category: 'ransomware',
    label: name || 'Ransomware payment',
    entity: name || null,
    source: SOURCE,
    confidence: 85,
  };
}
