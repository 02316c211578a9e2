import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import {
  ADDRESS,
  BRIDGE_TRANSACTION,
  BRIDGED,
  ENTITY,
  FLOW,
  JOINT_SPEND,
  KEY_ADDRESS,
  MEMBER,
  type Property,
  TRANSFER,
} from '../../src/graph/model.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(resolve(ROOT, path), 'utf8');

/** The table as the page has it. */
function markdown(table: Record<string, Property>): string {
  const properties = Object.entries(table);
  const reports = properties.some(([, { report }]) => report);
  const rows = properties.map(([name, { type, report, about }]) => [
    '',
    `\`${name}\``,
    type.replace(/s$/, ' list'),
    ...(reports ? [report ? 'yes' : ''] : []),
    about,
    '',
  ]);
  const header = ['', 'property', 'type', ...(reports ? ['in reports'] : []), 'meaning', ''];
  const line = header.map((cell) => (cell === '' ? '' : '---'));
  const text = (cells: string[]) => cells.join(' | ').trim();
  return [text(header), text(line), ...rows.map(text)].join('\n');
}

it.each(
  Object.entries({ ADDRESS, TRANSFER, FLOW, BRIDGED, BRIDGE_TRANSACTION, ENTITY, MEMBER, KEY_ADDRESS, JOINT_SPEND }),
)('docs/graph-model.md shows every property of %s as the code declares it', (_, table) => {
  expect(read('docs/graph-model.md')).toContain(`${markdown(table)}\n`);
});

it.each(['create-pairs', 'create-transfers'])(
  'ingest/%s.cypher writes every property of TRANSFER, and no other',
  (name) => {
    const [, map = ''] = /\[:TRANSFER \{([^}]*)\}\]/.exec(read(`cypher/ingest/${name}.cypher`)) ?? [];
    const written = [...map.matchAll(/(\w+): /g)].map(([, property]) => property);
    expect(written.toSorted()).toEqual(Object.keys(TRANSFER).toSorted());
  },
);

it('cypher/README.md names the properties of every node and relationship', () => {
  const model = read('cypher/README.md');
  const named = (pattern: RegExp) =>
    (pattern.exec(model)?.[1] ?? '').split(',').map((part) => part.trim().split(':')[0]);
  expect(named(/\(:Address \{([^}]*)\}\)\n/)).toEqual(Object.keys(ADDRESS));
  expect(named(/\[:TRANSFER \{([^}]*)\}\]/)).toEqual(Object.keys(TRANSFER));
  expect(named(/\[:FLOW \{([^}]*)\}\]/)).toEqual(Object.keys(FLOW));
  expect(named(/\[:BRIDGED \{([^}]*)\}\]/)).toEqual(Object.keys(BRIDGED));
  expect(named(/\(:BridgeTransaction \{([^}]*)\}\)/)).toEqual(Object.keys(BRIDGE_TRANSACTION));
  expect(named(/\(:Entity \{([^}]*)\}\)/)).toEqual(Object.keys(ENTITY));
  expect(named(/\[:MEMBER \{([^}]*)\}\]/)).toEqual(Object.keys(MEMBER));
  expect(named(/\(:KeyAddress \{([^}]*)\}\)/)).toEqual(Object.keys(KEY_ADDRESS));
  expect(named(/\(:JointSpend \{([^}]*)\}\)/)).toEqual(Object.keys(JOINT_SPEND));
});
