import { expect, it } from 'vitest';
import { csvText } from '../../console/browser/csv.ts';

it('a file of the console has no cell that a spreadsheet takes for a formula', () => {
  expect(csvText([['=1', ' +1', '\uff1d1', 'a;-1', 'a', 1]] as object[])).toBe("'=1,'+1,'\uff1d1,a;'-1,a,1");
  expect(csvText([{ name: '@x', share: 0.5 }])).toBe("name,share\r\n'@x,0.5");
});
