import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { TRANSFER_FORMATS } from '../../graph-loaders/transfers/transfer-formats.ts';

const page = readFileSync(new URL('../../docs/formats.md', import.meta.url), 'utf8');

it('docs/formats.md names each table of transfers with an example that the readers take', () => {
  const tables = TRANSFER_FORMATS.map(
    ({ name, about, example }) => `\`${name}\`: ${about}\n\n\`\`\`csv\n${example.join('\n')}\n\`\`\`\n`,
  );
  const [, written] = /<!-- tables of transfers -->\n([\s\S]*?)<!-- end -->/.exec(page) ?? [];
  expect(written).toBe(`\n${tables.join('\n')}\n`);
});
