import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import { chromiumPath } from '../../fixtures/chromium.ts';
import { type Demo, startDemo, UNHURRIED } from '../../fixtures/demo/start.ts';

const executablePath = chromiumPath();

export interface Console {
  demo: Demo;
  /** A tab that is signed in with the enterprise key, at a page such as `#/scan`. */
  open: (hash?: string, settings?: { language?: string; theme?: string; key?: string | null }) => Promise<Page>;
}

const VIEWPORT = { width: 1280, height: 900 };

/**
 * Suites of one console: the demo world behind one Chromium. A signed-in reader keeps one tab from test to test, as an
 * analyst does for the day. A page that complains in its log fails its test.
 */
export function describeConsole(name: string, suites: (get: () => Console) => void): void {
  // In CI there must be one.
  describe.skipIf(!executablePath && !process.env.CI)(
    `${name}${executablePath ? '' : ' (skipped: no Chromium on the PATH)'}`,
    () => {
      let demo: Demo;
      let browser: Browser;
      const tabs = new Map<string, Page>();
      const complaints: string[] = [];
      const strangers: string[] = [];

      beforeAll(async () => {
        demo = await startDemo({ PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED });
        browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
      });
      afterAll(async () => {
        await browser.close();
        await demo.close();
      });
      afterEach(async ({ task }) => {
        // A test that failed may leave anything behind.
        if (task.result?.state === 'fail') tabs.clear();
        const kept = new Set(tabs.values());
        for (const context of browser.contexts()) {
          const others = context.pages().filter((page) => !kept.has(page));
          if (others.length === context.pages().length) await context.close();
          else for (const page of others) await page.close();
        }
        await Promise.all([...kept].map(leave));
        // Tests take seconds for what takes an analyst a day: each has the requests of a minute.
        await demo.ctx.limits.close();
        expect(complaints.splice(0)).toEqual([]);
        expect(strangers.splice(0)).toEqual([]);
      });

      /** Leads a tab to no page at all, so that the next test opens its page again. */
      const leave = async (tab: Page) => {
        await tab.unrouteAll();
        await tab.setViewportSize(VIEWPORT);
        await tab.goto(`${demo.url}/#/none`);
      };
      const open: Console['open'] = async (hash = '', { language = 'en', theme = 'light', key } = {}) => {
        const used = key === undefined ? demo.keys.enterprise : key;
        const reader = [used, language, theme].join();
        const tab = tabs.get(reader);
        if (tab) {
          await tab.goto(`${demo.url}/${hash}`);
          return tab;
        }
        const context = await browser.newContext({ viewport: VIEWPORT, reducedMotion: 'reduce' });
        // Shorter than a test, so that a failure names the step.
        context.setDefaultTimeout(60_000);
        const page = await context.newPage();
        page.on('request', (request) => {
          const url = request.url();
          if (!url.startsWith(demo.url) && !url.startsWith('blob:')) strangers.push(url);
        });
        page.on('console', (message) => {
          // A refusal of the API, or a service that is gone, is something that the page shows.
          if (message.type() === 'error' && !/status of 4\d\d|ERR_CONNECTION_REFUSED/.test(message.text()))
            complaints.push(message.text());
        });
        page.on('pageerror', (error) => complaints.push(error.message));
        const kept = { 'traceflow-language': language, 'traceflow-theme': theme };
        await page.addInitScript(`Object.assign(localStorage, ${JSON.stringify(kept)})`);
        if (used) {
          await page.addInitScript(`sessionStorage.setItem('traceflow-key', '${used}')`);
          tabs.set(reader, page);
        }
        await page.goto(`${demo.url}/${hash}`);
        return page;
      };
      suites(() => ({ demo, open }));
    },
  );
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** Fails on what keeps people from using the page: findings of axe-core that are serious or critical. */
export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await readFile(axe, 'utf8'));
  const findings = (await page.evaluate(`axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join(' | ')))`)) as string[];
  expect(findings).toEqual([]);
}

/** Keeps a picture for whoever looks at the pages: only where `CONSOLE_PICTURES` names a folder. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.CONSOLE_PICTURES;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
