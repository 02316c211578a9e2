import papaparse from 'papaparse';
import { CHAINS } from '../../../src/domain/chain.ts';

interface BatchEntry {
  address: string;
  chain?: string;
}

/**
 * The addresses of a text: one on each line, or CSV with a header that names `address` and `chain`. Without a header, a
 * second value that names a chain is taken as such.
 */
export function batchEntries(text: string): BatchEntry[] {
  const { data } = papaparse.parse<string[]>(text.replace(/^\uFEFF/, ''), { skipEmptyLines: 'greedy' });
  const [first = [], ...rest] = data.map((values) => values.map((value) => value.trim()));
  const names = first.map((name) => name.toLowerCase());
  const isHeader = names.includes('address');
  const [address, chain] = isHeader ? [names.indexOf('address'), names.indexOf('chain')] : [0, 1];
  return (isHeader ? rest : [first, ...rest]).flatMap((values) => {
    const named = values[address] ?? '';
    const on = CHAINS.find((one) => one === values[chain]?.toLowerCase());
    return named === '' ? [] : [{ address: named, ...(on && { chain: on }) }];
  });
}
