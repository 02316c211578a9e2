import { expect, it } from 'vitest';
import { EXAMPLES } from '../../src/http/document-routes.ts';
import { eraseAccount } from '../../src/questions/account/erase-account.ts';
import { openTestApp } from './test-app.ts';

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>;
}

it('no operation fails for a key of an erased account that the process still holds', async () => {
  const test = await openTestApp();
  const { key, accountId } = await test.issue('enterprise');
  const ask = (url: string, more = {}) => test.app.inject({ url, headers: { 'x-api-key': key }, ...more });
  await ask('/api/v1/public/usage');
  await eraseAccount(test.ctx.records, accountId, {}, test.time.at);
  const { paths } = (await test.app.inject('/openapi.json')).json<Document>();
  const wrong: unknown[] = [];
  let refused = 0;
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId }] of Object.entries(methods)) {
      const { params = {}, query = {}, body: payload } = EXAMPLES[operationId] ?? {};
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
      const url = `${filled}?${new URLSearchParams(query)}`;
      const { statusCode, body } = await ask(url, { method: method.toUpperCase(), payload });
      if (statusCode === 401) refused += 1;
      // Without a cluster `/health/ready` and the like may be 503, and need no key.
      if ((statusCode >= 500 && path.startsWith('/api/')) || body.includes(accountId))
        wrong.push([operationId, statusCode, body]);
    }
  }
  expect(wrong).toEqual([]);
  expect(refused).toBeGreaterThan(40);
});

it.each([
  ['a scan', {}],
  ['a scan under an idempotency key', { 'idempotency-key': 'order-1' }],
])('%s whose account is erased meanwhile is refused as the next one is, and recorded nowhere', async (_, more) => {
  const test = await openTestApp();
  const { records, labels } = test.ctx;
  const { key, accountId } = await test.issue('enterprise');
  const address = `0x${'a'.repeat(40)}`;
  const label = { category: 'scam', label: 'x', source: 's', confidence: 90, entity: null } as const;
  const always = { validFrom: null, validTo: null, maliciousContract: false };
  const stamp = await labels.beginLoad();
  await labels.put([{ chain: 'ethereum', address, ...label, ...always }], { stamp, list: false });
  const { countByChain } = labels;
  labels.countByChain = async () => {
    labels.countByChain = countByChain;
    await eraseAccount(records, accountId, {}, test.time.at);
    return labels.countByChain();
  };
  const payload = { address, chain: 'ethereum' };
  const headers = { 'x-api-key': key, ...more };
  const scan = () => test.app.inject({ method: 'POST', url: '/api/v1/public/scan', headers, payload });
  const answers = [await scan(), await scan()].map((answer) => [answer.statusCode, answer.json()]);
  expect(answers[0]).toEqual([401, { detail: 'Invalid API key', code: 'unauthenticated' }]);
  expect(answers[1]).toEqual(answers[0]);
  expect(await records.selectFrom('scans').select('id').execute()).toEqual([]);
});
