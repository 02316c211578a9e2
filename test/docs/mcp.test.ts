import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { TOOL_OPERATIONS } from '../../src/routes/mcp/tools.ts';

it('docs/mcp.md lists every tool, and none that is not there', () => {
  const page = readFileSync(resolve(import.meta.dirname, '../../docs/mcp.md'), 'utf8');
  const rows = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, names]) => names!.match(/\w+/g)!);
  expect(rows.toSorted()).toEqual(TOOL_OPERATIONS.toSorted());
});
