import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { READERS } from '../../../src/chains/bridges/recognise.ts';
import { knownContracts } from '../../../src/chains/bridges/registry.ts';
import { BRIDGE_PROTOCOLS, PROTOCOLS } from '../../../src/domain/bridges/protocols.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const docs = readFileSync(resolve(ROOT, 'docs/bridges.md'), 'utf8');

it('each protocol has its row and its reader, and each reader bears the name of a row', () => {
  const readers = readdirSync(resolve(ROOT, 'src/chains/bridges/protocols')).filter((name) => name !== 'port.ts');
  expect(readers.toSorted()).toEqual(BRIDGE_PROTOCOLS.map((id) => `${id.replaceAll('_', '-')}.ts`).toSorted());
  expect(Object.keys(READERS)).toEqual(BRIDGE_PROTOCOLS);
  expect(Object.keys(PROTOCOLS)).toEqual(BRIDGE_PROTOCOLS);
});

it.each(BRIDGE_PROTOCOLS)('docs/bridges.md names %s as followed, with the roles of its contracts', (id) => {
  const rows = docs.split('\n').filter((line) => line.startsWith('| ') && line.includes(`\`${id}\``));
  const contracts = knownContracts().filter(({ protocol }) => protocol === id);
  const roles = [...new Set(contracts.map(({ role }) => `\`${role}\``))];
  expect(rows).toHaveLength(2);
  expect(rows[1]).toContain(`| ${roles.join(', ')} |`);
});

it('docs/bridges.md calls as many sides open as the table does', () => {
  const [, page = ''] = docs.split('## Who can make a statement');
  const [section = ''] = page.split('\n## ');
  const sides = BRIDGE_PROTOCOLS.flatMap((id) => Object.values(PROTOCOLS[id].statements));
  expect(section.match(/\*\*open\*\*:/g)).toHaveLength(sides.filter(({ made }) => made === 'open').length);
});
