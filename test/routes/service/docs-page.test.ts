import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { chromiumPath } from '../../../fixtures/chromium.ts';
import { openTestApp } from '../../app/test-app.ts';

const browser = chromiumPath();

it.skipIf(!browser && !process.env.CI)(
  `draws the reference page in a browser from this service alone${browser ? '' : ' (no Chromium)'}`,
  async () => {
    const test = await openTestApp();
    const url = await test.app.listen({ host: '127.0.0.1', port: 0 });
    const opened = await chromium.launch({ executablePath: browser, args: ['--no-sandbox'] });
    try {
      const page = await opened.newPage();
      page.setDefaultTimeout(60_000);
      const asked: string[] = [];
      const complaints: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${url}/docs`);
      // The page draws what is in sight; its filter takes the name of a group.
      await page.locator('.operation-filter-input').fill('Account');
      await page.locator('#operations-Account-getUsage').click();
      await page.getByText("curl -H 'X-API-Key: <your key>'").waitFor();
      expect(complaints).toEqual([]);
      expect(asked.filter((one) => !one.startsWith(url) && !one.startsWith('data:'))).toEqual([]);
    } finally {
      await opened.close();
    }
  },
);
