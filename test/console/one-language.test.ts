import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import { describeConsole } from './open-console.ts';

/** Words that stand in nearly every English sentence, and in none of Spanish or Japanese. */
const ENGLISH = /\b(?:the|of|and|with|from|not|is|are|was|were|this|that|your|its|which|nobody|has|have|dismissed)\b/i;

/** Lines that a reader sees or hears, and are not those of data or marked as of another language. */
const LINES = `(() => {
  for (const one of document.querySelectorAll('details')) one.open = true;
  for (const one of document.querySelectorAll('[lang=en]:not(html)')) one.remove();
  const named = [...document.querySelectorAll('[title],[aria-label],[placeholder]')];
  const names = named.flatMap((one) => ['title', 'aria-label', 'placeholder'].map((name) => one.getAttribute(name) ?? ''));
  return [document.body.innerText, ...names].join('\\n').split('\\n');
})()`;

/** Texts that are smaller than 11 pixels. */
const SMALL = `(() => {
  const isText = (node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '';
  return [...document.body.querySelectorAll('*')]
    .filter((one) => one.checkVisibility() && [...one.childNodes].some(isText) && parseFloat(getComputedStyle(one).fontSize) < 11)
    .map((one) => 'small: ' + one.textContent);
})()`;

describeConsole('a reader of one language', (get) => {
  it.each(['es', 'ja'])(
    'meets no English and no text below 11 pixels, in %s',
    { timeout: 300_000 },
    async (language) => {
      const { demo, open } = get();
      const thief = roleOf(demo.world, 'ethereum', 'bridge_theft', 'vault_thief').address;
      const peel = roleOf(demo.world, 'bitcoin', 'peel_chain', 'peel_5').address;
      const headers = { 'x-api-key': demo.keys.enterprise };
      const read = async (path: string) =>
        (await (await fetch(`${demo.url}/api/v1${path}`, { headers })).json()) as Record<string, unknown>;
      const { addresses } = await read(`/cases/${demo.caseId}`);
      const [{ id: address_id } = { id: '' }] = (addresses as { id: string; role: string }[]).filter(
        ({ role }) => role === 'subject',
      );
      const judged = await fetch(`${demo.url}/api/v1/cases/${demo.caseId}/dispositions`, {
        method: 'PUT',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ address_id, detector_id: 'pass_through', disposition: 'dismissed', reason: '4711' }),
      });
      expect(judged.status).toBe(200);
      const { case: opened, notes } = await read(`/cases/${demo.caseId}`);
      const { items } = await read('/watchlist');
      // What people wrote stays as they wrote it; names of buttons quote its beginning.
      const written = [opened, notes, items].flat() as Record<string, string | undefined>[];
      const texts = written.flatMap((one) => [one.title, one.description, one.summary, one.content, one.label]);
      const data = texts.flatMap((text) => (text ? [text, text.slice(0, 40)] : []));
      const english = (lines: string[]) =>
        [...new Set(lines)].filter((line) => ENGLISH.test(data.reduce((rest, one) => rest.replaceAll(one, ''), line)));
      const pages = [
        ...['', 'scan', `scan/ethereum/${thief}`, `scan/bitcoin/${peel}`, `address/ethereum/${thief}`],
        ...['scan/batch', 'scan/transaction', 'scan/token', 'scan/presign', 'entity/bitcoin:none', 'cases'],
        ...['', '/boards', '/reports', '/timeline', '/people'].map((tab) => `cases/${demo.caseId}${tab}`),
        ...['investigate', 'alerts', 'monitoring', 'monitoring/webhooks', 'rules', 'rules/new', 'people'],
        ...['people/approvals', 'query', 'scamdb', 'sources', 'account', 'account/audit'],
      ];
      const found: Record<string, string[]> = {};
      const page = await open('#/none', { language });
      for (const hash of pages) {
        // Were only the part behind # another one, the page before could still stand there.
        await page.goto(`${demo.url}/?${encodeURIComponent(hash)}#/${hash}`);
        await page.locator('main').getByRole('heading').or(page.locator('.note')).first().waitFor();
        await expect.poll(() => page.locator('.spinner').count(), { message: hash }).toBe(0);
        const small = (await page.evaluate(SMALL)) as string[];
        const lines = [...small, ...english((await page.evaluate(LINES)) as string[])];
        if (lines.length > 0) found[hash] = lines;
      }
      expect(found).toEqual({});
    },
  );
});
