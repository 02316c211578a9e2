import { describe, expect, it } from 'vitest';
import { fileOf, folderOf, openLoading } from './loading.ts';

const BITCOIN = '1CKVszDdUp4ymGceAZpGzYEFr4RPNHYqaM';
const EVM = '0x098b716b8aaf21512996dc57eb0615e2383e2f96';

describe('TagPacks', () => {
  it('tags inherit from the header, override it, and take the category of their actor where none is stated', async () => {
    const loading = await openLoading();
    const folder = folderOf({
      'zz.actorpack.yaml': 'title: Actors\nactors:\n- id: acme\n  label: Acme Exchange\n  categories:\n  - exchange\n',
      'pack.yaml': `%YAML 1.1\n---\ntitle: P\nconfidence: forensic\nactor: acme\ncurrency: BTC # all but one\ntags:\n- address: ${BITCOIN}\n- address: ${EVM}\n  currency: ETH\n  label: 'It''s a trap'\n  abuse: phishing\n`,
    });
    expect(await loading.load('tagpack', folder)).toEqual({
      source: 'tagpack',
      read: 2,
      loaded: 2,
      skipped: 0,
      files: [
        { name: 'zz.actorpack.yaml', read: 0, loaded: 0 },
        { name: 'pack.yaml', read: 2, loaded: 2 },
      ],
      errors: [],
    });
    expect((await loading.labels.find('bitcoin', [BITCOIN])).get(BITCOIN)).toMatchObject([
      { category: 'exchange', label: 'Acme Exchange', entity: 'acme', confidence: 50, source: 'tagpack:P / acme' },
    ]);
    expect((await loading.labels.find('ethereum', [EVM])).get(EVM)).toMatchObject([
      { category: 'scam', label: "It's a trap" },
    ]);
  });

  it('an unquoted 0x address stays text, and flow style and anchors are read', async () => {
    const loading = await openLoading();
    const text = `title: P\nlabel: L\ncommon: &common {currency: ETH, category: gambling}\ntags:\n- {address: ${EVM}, currency: ETH, category: mixing_service}\n- address: '${EVM}'\n  label: other\n  currency: ETH\n  x: *common\n`;
    expect(await loading.load('tagpack', fileOf('p.yaml', text))).toMatchObject({ read: 2, loaded: 2, errors: [] });
    expect((await loading.labels.find('ethereum', [EVM])).get(EVM)?.[0]).toMatchObject({ category: 'mixer' });
  });

  it('a broken tag costs itself alone, and says where it stood', async () => {
    const loading = await openLoading();
    const text = `title: P\nlabel: L\ncurrency: BTC\ntags:\n- address: ${BITCOIN}\n- address: [1, 2\n- address: nonsense\n- just text\n- address: ${EVM}\n  network: LTC\n`;
    const report = await loading.load('tagpack', fileOf('p.yaml', text));
    expect(report).toMatchObject({ read: 5, loaded: 1, skipped: 4 });
    expect(report.errors.map((error) => error.line)).toEqual([6, 7, 8, 9]);
  });

  it('a confidence that is a number counts as it is, and one out of range is refused', async () => {
    const loading = await openLoading();
    const text = `title: P\nlabel: L\ncurrency: BTC\ntags:\n- address: ${BITCOIN}\n  confidence: 33\n- address: ${EVM}\n  currency: ETH\n  confidence: 101\n`;
    const report = await loading.load('tagpack', fileOf('p.yaml', text));
    expect(report).toMatchObject({ loaded: 1, errors: [{ line: 7, reason: 'confidence is not 0-100: 101' }] });
    expect((await loading.labels.find('bitcoin', [BITCOIN])).get(BITCOIN)).toMatchObject([{ confidence: 33 }]);
  });

  it('a YAML bomb, a NUL and text without tags are refused; in a folder they cost their file alone', async () => {
    const loading = await openLoading();
    const levels = 'abcdefghi'.split('').map(
      (name, i, all) =>
        `${name}: &${name} [${Array(9)
          .fill(i === 0 ? 'lol' : `*${all[i - 1]}`)
          .join(',')}]`,
    );
    const bomb = `${levels.join('\n')}\ntags:\n- address: *i\n`;
    await expect(loading.load('tagpack', fileOf('p.yaml', bomb))).rejects.toThrow(/not readable YAML/);
    await expect(loading.load('tagpack', fileOf('p.yaml', 'title: \0\ntags:\n- address: x'))).rejects.toThrow(/NUL/);
    await expect(loading.load('tagpack', fileOf('p.yaml', 'hello: world'))).rejects.toThrow(/neither tags nor actors/);
    const deep = `tags: ${'['.repeat(30_000)}`;
    await expect(loading.load('tagpack', fileOf('p.yaml', deep))).rejects.toThrow(/not readable YAML/);
    const folder = folderOf({
      'bad.yaml': bomb,
      'good.yaml': `title: P\nlabel: L\ntags:\n- address: ${BITCOIN}\n  currency: BTC\n`,
    });
    const report = await loading.load('tagpack', folder);
    expect(report).toMatchObject({ read: 1, loaded: 1 });
    expect(report.errors).toMatchObject([{ line: 0, reason: expect.stringContaining('bad.yaml') }]);
  });

  it('a header that a pack includes counts as its own, from its folder or one above, and only from there', async () => {
    const loading = await openLoading();
    const tags = `tags:\n- address: ${BITCOIN}\n`;
    const header = 'title: Shared\nlabel: Acme\ncurrency: BTC\nabuse: ransomware\nconfidence: service_api\n';
    const folder = folderOf({ 'header.yaml': header, 'x.yaml': `header: !include header.yaml\n${tags}` });
    expect(await loading.load('tagpack', folder)).toMatchObject({ read: 1, loaded: 1, errors: [] });
    expect((await loading.labels.find('bitcoin', [BITCOIN])).get(BITCOIN)).toMatchObject([
      { category: 'ransomware', label: 'Acme', source: 'tagpack:Shared / Acme', confidence: 70 },
    ]);
    const outside = folderOf({ 'x.yaml': `header: !include ../header.yaml\n${tags}` });
    await expect(loading.load('tagpack', outside)).rejects.toThrow(
      'x.yaml: includes ../header.yaml, which is not there',
    );
    const alone = fileOf('x.yaml', `header: !include header.yaml\n${tags}`);
    await expect(loading.load('tagpack', alone)).rejects.toThrow('x.yaml: includes header.yaml, which is not there');
    const loop = folderOf({ 'h.yaml': 'a: !include x.yaml\n', 'x.yaml': `header: !include h.yaml\n${tags}` });
    await expect(loading.load('tagpack', loop)).rejects.toThrow('h.yaml: includes x.yaml');
    const parts = `title: P\ncurrency: BTC\n`;
    const whole = fileOf('x.yaml', `${parts}tags: !include tags.yaml\n`);
    await expect(loading.load('tagpack', whole)).rejects.toThrow('tags are in tags.yaml');
    const items = fileOf('x.yaml', `${parts}tags:\n- !include tag.yaml\n- address: ${BITCOIN}\n`);
    expect((await loading.load('tagpack', items)).errors).toEqual([
      { line: 4, reason: '!include is followed in the header only' },
    ]);
  });

  it('a folder of which no pack can be read is refused', async () => {
    const loading = await openLoading();
    await expect(loading.load('tagpack', folderOf({ 'a.yaml': 'x: 1\n', 'b.yaml': 'y: 2\n' }))).rejects.toThrow(
      'a.yaml: neither tags nor actors',
    );
  });
});
