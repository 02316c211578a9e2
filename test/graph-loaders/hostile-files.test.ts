import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findInput } from '../../graph-loaders/reading/input.ts';
import { newTally } from '../../graph-loaders/reading/tally.ts';
import { SOURCES } from '../../graph-loaders/sources.ts';
import { InvalidInputError } from '../../src/errors.ts';
import { longestPause, PAUSE_MS_MAX } from '../setup/longest-pause.ts';

const SIZE = 1_000_000;
const fill = (text: string, size = SIZE) => text.repeat(Math.ceil(size / text.length)).slice(0, size);
const folder = mkdtempSync(join(tmpdir(), 'hostile-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Text of about 1 MB that is slow where a reader takes more than linear time. */
const TEXTS: Record<string, string> = {
  blanks: fill(' '),
  'quotes that never close': fill('"\n'),
  'one quote and short lines': `"${fill('\na')}`,
  'one long line': fill('a,'),
  'escaped quotes': `{"a":"${fill('\\"')}`,
  'nested lists': fill('['),
  'empty objects': `[${fill('{},')}{}]`,
  digits: fill('1'),
};

const YAML: Record<string, string> = {
  'a field of blanks': `tags:\n- address: ${fill('a ')}\n`,
  'a field of colons': `tags:\n- address: ${fill('a:')}\n`,
  'one item of many fields': `tags:\n- address: a\n${fill('  k: 1\n')}`,
  'items that are not flat': `tags:\n${fill('- {a: [b, c], d: "e"}\n')}`,
  'items of tabs': `tags:\n${fill('- \t\t\t\t\t\t\n')}`,
  'many anchors': `tags:\n${fill('- &a b\n')}`,
  'many aliases': `a: &a [x]\ntags:\n${fill('- *a\n')}`,
  'a flow list': `tags: [${fill('a,')}]`,
  'a long header': `${fill('k: 1\n')}tags:\n- address: b\n`,
  'deep items': `tags:\n${fill(`- ${'['.repeat(2_000)}\n`)}`,
};

const XML: Record<string, string> = {
  'one long tag': `<sdnList><a ${fill('b="c" ')}`,
  'many attributes': `<sdnList><a ${Array.from({ length: 80_000 }, (_, i) => `b${i}="c"`).join(' ')}/></sdnList>`,
  'nested tags': fill('<a>'),
  'entities that do not exist': `<sdnList>${fill('&amp;')}`,
  'one long comment': `<sdnList><!--${fill('- -')}`,
  'one long text': `<sdnList>${fill('a')}`,
  'parties without end': `<sdnList>${fill('<sdnEntry><lastName>A</lastName></sdnEntry>')}`,
};

const FILES: [source: keyof typeof SOURCES, name: string, texts: Record<string, string>][] = [
  ['tagpack', 'pack.yaml', { ...TEXTS, ...YAML }],
  ['ofac', 'sdn.xml', { ...TEXTS, ...XML }],
  ['ofac-list', 'sanctioned_addresses_XBT.txt', TEXTS],
  ['ofac-list', 'sanctioned_addresses_XBT.json', TEXTS],
  ['labels', 'labels.csv', withHeader('chain,address,category,label,source,confidence,entity,valid_from,valid_to')],
  ['eth-labels', 'labels.csv', withHeader('address,nametag')],
  ['eth-labels', 'labels.json', TEXTS],
  ['forta', 'labels.csv', withHeader('address')],
  ['darklist', 'list.json', TEXTS],
  ['scamsniffer', 'combined.json', TEXTS],
];

function withHeader(header: string): Record<string, string> {
  return Object.fromEntries(Object.entries(TEXTS).map(([name, text]) => [name, `${header}\n${text}`]));
}

describe.each(FILES)('%s, %s', (source, name, texts) => {
  it.each(Object.entries(texts))(
    '%s keep other work waiting for moments only',
    { timeout: 60_000 },
    async (_, text) => {
      const path = join(folder, name);
      writeFileSync(path, text);
      const loader = SOURCES[source];
      const work = { ...(await findInput(path, loader.accepts)), tally: newTally() };
      let rows = 0;
      const pauseMs = await longestPause(async () => {
        try {
          for await (const _row of loader.read(work)) rows += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInputError);
        }
      });
      expect(rows).toBe(0);
      expect(pauseMs).toBeLessThan(PAUSE_MS_MAX);
    },
  );
});
