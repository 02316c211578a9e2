import { expect, it } from 'vitest';
import { batchEntries } from '../../console/pages/scan/batch-entries.ts';

it('reads addresses from lines, from CSV with and without a header, and leaves empty ones out', () => {
  expect(batchEntries('\n  0xa  \n\n0xb\n')).toEqual([{ address: '0xa' }, { address: '0xb' }]);
  expect(batchEntries('0xa,Polygon\r\n0xb,nowhere')).toEqual([
    { address: '0xa', chain: 'polygon' },
    { address: '0xb' },
  ]);
  expect(batchEntries('\uFEFFname;Chain;Address\n"Cold; wallet";bsc;0xa\nnone;bsc;\n')).toEqual([
    { address: '0xa', chain: 'bsc' },
  ]);
  expect(batchEntries('   \n')).toEqual([]);
});
