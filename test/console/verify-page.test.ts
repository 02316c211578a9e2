import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumPath } from '../../fixtures/chromium.ts';
import { localBlock } from '../../fixtures/local-block.ts';
import { writeZip } from '../../src/exports/zip.ts';
import { proveEvm } from '../../src/proofs/evm-block.ts';
import { proofsFile } from '../../src/proofs/proofs-file.ts';
import { stampRequest } from '../../src/proofs/timestamp.ts';
import { type AnyProof, shownBy } from '../../src/proofs/verify.ts';
import { verifyPage as esConsole } from '../../words/es/console.ts';
import { fill } from '../../words/fill.ts';
import { makeTimeAuthority } from '../servers/time-authority.ts';

const missingOpenssl = !process.env.CI && spawnSync('openssl', ['ts', '-help']).status !== 0;
const executablePath = chromiumPath();
const PAGE = join(import.meta.dirname, '../../dist/console/verify.html');
const TO = `0x${'be'.repeat(20)}`;
const PHONE = { width: 360, height: 740 };

async function proofsOf(count: number): Promise<AnyProof[]> {
  const payments = Array.from({ length: count }, (_, i) => ({
    payer: i + 1,
    to: TO,
    amount: 10n ** 18n + BigInt(i),
  }));
  const { block, receipts } = await localBlock(payments, { chainId: 1, height: 19_000_000 });
  const proofs: AnyProof[] = [];
  for (const { hash } of block.transactions) {
    const built = await proveEvm(block, receipts, { hash: String(hash), rawOf: async () => null });
    const bare = { chain: 'ethereum', tx_hash: hash, kind: 'tries', ...built, proves: [], not_proved: [] };
    const proof = bare as unknown as AnyProof;
    proofs.push({ ...proof, ...shownBy(proof) });
  }
  return proofs;
}

describe.skipIf(!executablePath && !process.env.CI)(
  'the page that checks proofs, opened as a file without a network',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'traceflow-verify-'));
    let browser: Browser;
    let page: Page;
    const complaints: string[] = [];
    const requests: string[] = [];

    beforeAll(async () => {
      browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      const context = await browser.newContext({ viewport: PHONE, locale: 'en', offline: true });
      context.setDefaultTimeout(60_000);
      page = await context.newPage();
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', ({ message }) => complaints.push(message));
      page.on('request', (request) => requests.push(request.url()));
      await page.goto(pathToFileURL(PAGE).href);
    });
    afterAll(async () => {
      await browser.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const written = (name: string, content: string | Buffer) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    };
    const choose = (...paths: string[]) => page.setInputFiles('input[type=file]', paths);
    const verdict = () => page.locator('.verdict').first();
    const picture = (name: string) =>
      process.env.CONSOLE_PICTURES &&
      page.screenshot({ path: join(process.env.CONSOLE_PICTURES, `verify-${name}.png`), fullPage: true });

    it('shows in green what holds, in red what does not, the blocks to confirm, and what has no proof', async () => {
      const proofs = await proofsOf(3);
      const file = proofsFile(proofs, [{ chain: 'solana', tx_hash: '1'.repeat(64), reason: 'no_light_proof' }]);
      await choose(written('proofs.json', JSON.stringify(file)));
      await expect.poll(() => verdict().textContent()).toBe('All 3 proofs hold.');
      expect(await page.locator('.green').count()).toBe(3);
      const text = await page.locator('body').textContent();
      for (const said of [
        proofs[0]!.block_hash,
        proofs[0]!.tx_hash,
        `1 ETH from ${proofs[0]!.proves[0]!.from} to ${TO}`,
        'Nothing is said against these',
      ])
        expect(text).toContain(said);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width);
      await picture('green');
      await page.locator('select').selectOption('ja');
      await expect.poll(() => verdict().textContent()).toBe('3件の証明はすべて成立しています。');
      await picture('ja');
      await page.locator('select').selectOption('en');

      const text0 = JSON.stringify(file);
      const forged = text0.replace('"amount_raw":"1000000000000000001"', '"amount_raw":"9000000000000000001"');
      await choose(written('forged.json', forged));
      await expect.poll(() => verdict().textContent()).toBe('1 of 3 proofs do not hold.');
      expect(await page.locator('.red').textContent()).toContain('the transaction moved something else');
      expect(await page.locator('.verdict').nth(1).textContent()).toContain('was changed after it was written');
      await picture('red');
    });

    it('takes a package, whole or file by file, and one dropped on it', async () => {
      const proofs = Buffer.from(JSON.stringify(proofsFile(await proofsOf(1), [])));
      const { createHash } = await import('node:crypto');
      const listed = (name: string, bytes: Buffer) => ({
        name,
        sha256: createHash('sha256').update(bytes).digest('hex'),
      });
      const csv = Buffer.from('row_no\r\n1\r\n');
      // A draft is a ZIP of its own, and one file of the package.
      const draft = Buffer.from(await writeZip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w/>' }));
      const all = [listed('proofs.json', proofs), listed('transactions.csv', csv), listed('draft.docx', draft)];
      const manifest = JSON.stringify({ files: all });
      const zip = await writeZip({
        'proofs.json': proofs,
        'draft.docx': draft,
        'transactions.csv': 'row_no\r\n2\r\n',
        'manifest.json': manifest,
      });
      await choose(written('package.zip', zip));
      await expect.poll(() => page.locator('.files').textContent()).toContain('transactions.csv: CHANGED');
      expect(await verdict().getAttribute('class')).toContain('bad');
      // Proofs that hold say nothing of a file beside them.
      expect(await verdict().textContent()).toBe('Changed after the package was made: transactions.csv.');
      const paths = [written('id-proofs.json', proofs), written('id-manifest.json', manifest)];
      await choose(...paths, written('id-draft.docx', draft), written('id-transactions.csv', csv));
      await expect.poll(() => page.locator('.files').textContent()).toContain('draft.docx: unchanged');
      await expect.poll(() => page.locator('.files').textContent()).toContain('transactions.csv: unchanged');
      expect(await verdict().getAttribute('class')).toContain('good');
      await choose(...paths, written('id-transactions.csv', csv), written('notes.csv', csv));
      const added = 'Not part of the package, as its manifest does not name it: notes.csv.';
      await expect.poll(() => verdict().textContent()).toBe(added);
      expect(await page.locator('.good').count()).toBe(0);

      // Proofs that hold say nothing of what lies beside them, and without a manifest nothing else does.
      await choose(paths[0]!, written('id-transactions.csv', csv));
      const uncompared = 'Without manifest.json nothing says whether these were changed: id-transactions.csv.';
      await expect.poll(() => verdict().textContent()).toBe(uncompared);
      expect(await page.locator('.good').count()).toBe(0);
      await choose(paths[0]!);
      await expect.poll(() => verdict().textContent()).toBe('All 1 proofs hold.');

      const dropped = await page.evaluateHandle(
        "(() => { const given = new DataTransfer(); given.items.add(new File(['no proofs'], 'proofs.json')); return given; })()",
      );
      await page.dispatchEvent('body', 'drop', { dataTransfer: dropped });
      await expect.poll(() => verdict().textContent()).toContain('This cannot be checked');
      await page.locator('select').selectOption('es');
      await choose(written('letter.txt', 'hello'));
      await expect
        .poll(() => verdict().textContent())
        .toBe(fill(esConsole.unreadable, { reason: esConsole.unreadables.no_proofs }));
      await page.locator('select').selectOption('en');
    });

    it.skipIf(missingOpenssl)(
      'shows who stamped a package and when, and a stamp of another in red (needs openssl ts)',
      async () => {
        const authority = await makeTimeAuthority(folder);
        const manifest = Buffer.from(JSON.stringify({ timestamp: 'manifest.tsr', files: [] }));
        const stamp = await authority.reply(Buffer.from(await stampRequest(manifest, Buffer.alloc(8, 7))));
        await choose(written('manifest.json', manifest), written('manifest.tsr', stamp));
        const shown = () => page.locator('body').textContent();
        await expect.poll(shown).toContain('So says Clock of here.');
        expect(await verdict().getAttribute('class')).toContain('good');
        await picture('stamp');
        const other = written('other-manifest.json', `${manifest} `);
        const proofs = written('proofs.json', JSON.stringify(proofsFile(await proofsOf(1), [])));
        const ended = await authority.reply(Buffer.from(await stampRequest(manifest, Buffer.alloc(8, 7))), 'ended.pem');
        // First what is wrong, though every proof holds.
        for (const [fault, path, answer] of [
          ['it stamps another file', other, stamp],
          ['its certificate was not valid at that time', written('manifest.json', manifest), ended],
          ['its bytes cannot be read', other, 'no stamp'],
        ] as const) {
          await choose(proofs, path, written('manifest.tsr', answer));
          await expect
            .poll(() => page.locator('.verdict').allTextContents())
            .toContain(`The time stamp does not hold: ${fault}.`);
          expect(await page.locator('.good').count()).toBe(0);
        }
        await choose(other);
        await expect.poll(shown).toContain('which was not given to this page');
        await choose(written('bare-manifest.json', JSON.stringify({ files: [] })));
        await expect.poll(shown).toContain('the clock of its own machine');
      },
    );

    it('checks 2,000 proofs by helpers beside the page', async () => {
      const some = await proofsOf(100);
      const many = Array.from({ length: 2_000 }, (_, i) => some[i % some.length]!);
      const path = written('many.json', JSON.stringify(proofsFile(many, [])));
      const started = Date.now();
      await choose(path);
      await expect.poll(() => verdict().textContent(), { interval: 50 }).toBe('All 2000 proofs hold.');
      if (process.env.CONSOLE_PICTURES) process.stderr.write(`2,000 proofs in ${Date.now() - started} ms\n`);
      expect(await page.locator('.green').count()).toBe(2_000);
    });

    it('asked nobody for anything, and could not', async () => {
      expect(requests.filter((url) => !url.startsWith('file:') && !url.startsWith('blob:'))).toEqual([]);
      expect(complaints).toEqual([]);
      expect(
        await page.evaluate(() =>
          fetch('https://example.com').then(
            () => 'sent',
            () => 'refused',
          ),
        ),
      ).toBe('refused');
      expect(complaints.splice(0).join()).toContain('Content Security Policy');
      expect(readFileSync(PAGE, 'utf8')).not.toMatch(/<(link|img|iframe)|src=|href=/);
    });
  },
);
