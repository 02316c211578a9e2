import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import type { SummaryFacts } from '../../src/summary/port.ts';
import { openSummaries } from '../../src/summary/summaries.ts';
import { serveUpstream, type UpstreamReply } from '../contract/upstream.ts';

const log = pino({ level: 'silent' });
const never = new AbortController().signal;

const FACTS: SummaryFacts = {
  chain: 'ethereum',
  risk_level: 'HIGH',
  risk_score: 72,
  detections: [
    { name: 'Mixer exposure', severity: 'HIGH' },
    { name: 'Fan-out', severity: 'MEDIUM' },
    { name: 'Peel chain', severity: 'MEDIUM' },
    { name: 'High velocity', severity: 'LOW' },
  ],
  transactions: 40,
  counterparties: [{ label: 'Blender', category: 'mixer', tx_count: 3 }],
  received: { ETH: 12.5 },
  sent: {},
};
const NOTHING: SummaryFacts = {
  ...FACTS,
  risk_level: 'LOW',
  risk_score: 0,
  detections: [],
  counterparties: [],
  received: {},
};

async function serveModel(reply: UpstreamReply) {
  const upstream = await serveUpstream(() => reply);
  onTestFinished(() => upstream.close());
  const summaries = openSummaries({ apiUrl: `${upstream.url}/v1`, apiKey: 'k', model: 'm' }, log);
  return { ...upstream, summaries };
}

it('writes by rules what the figures say, in both languages', async () => {
  const { summarize } = openSummaries(null, log);
  expect(await summarize(FACTS, 'en', never)).toEqual({
    summary:
      'Risk HIGH, score 72 of 100, on Ethereum. 4 detections: Mixer exposure (HIGH), Fan-out (MEDIUM), ' +
      'Peel chain (MEDIUM) and 1 more. 40 transactions; received 12.5 ETH, sent nothing. ' +
      'Labelled counterparties: Blender (mixer).',
    source: 'rules',
  });
  expect((await summarize(NOTHING, 'en', never)).summary).toContain('No detection. 40 transactions;');
  expect(await summarize(FACTS, 'ja', never)).toEqual({
    summary:
      'Ethereum上のアドレスのリスクレベルは高、スコアは100点中72点です。検知事項は4件あります：Mixer exposure（高）、Fan-out（中）、' +
      'Peel chain（中）、ほか1件。取引は40件です（受取：12.5 ETH／送付：なし）。' +
      'ラベルのある相手方：Blender（ミキサー）。',
    source: 'rules',
  });
});

it('writes Spanish for reports', async () => {
  const { summary } = await openSummaries(null, log).summarize(FACTS, 'es', never);
  expect(summary).toBe(
    'Riesgo alto, puntuación 72 de 100, en Ethereum. 4 detecciones: Mixer exposure (alto), Fan-out (medio), ' +
      'Peel chain (medio) y 1 más. 40 transacciones; recibido 12,5 ETH, enviado nada. ' +
      'Contrapartes etiquetadas: Blender (mezclador).',
  );
});

it.each([
  ['Score 72, 40 transactions, 12.5 ETH received, about 13 ETH, 4 detections.', 'model'],
  ['Score ７２ of 100.', 'model'],
  ['Score 73 of 100.', 'rules'],
  ['It moved 1,000,000 USD.', 'rules'],
])('takes a text of the model only if its numbers stand in the data: %s', async (content, source) => {
  const { summaries } = await serveModel({ json: { choices: [{ message: { content } }] } });
  expect(await summaries.summarize(FACTS, 'en', never)).toMatchObject({ source });
});

it('writes amounts as people read them, small and large, and one transaction as one', async () => {
  const { summarize } = openSummaries(null, log);
  const facts = {
    ...NOTHING,
    transactions: 1,
    received: { SHIB: 1_250_000_000_000, BTC: 0.00000001 },
    sent: { ETH: 1e21 },
  };
  expect((await summarize(facts, 'en', never)).summary).toContain(
    '1 transaction; received 1,250,000,000,000 SHIB, 0.00000001 BTC, sent 1,000,000,000,000,000,000,000 ETH.',
  );
  expect((await summarize({ ...facts, transactions: 12_000 }, 'ja', never)).summary).toContain(
    '取引は12,000件です（受取：1,250,000,000,000 SHIB、0.00000001 BTC／送付：1,000,000,000,000,000,000,000 ETH）。',
  );
});

it('asks an OpenAI-compatible model with figures and labels alone, and takes its plain text', async () => {
  const content = ' A risky\u0001 address,\u202E see above.\n';
  const { summaries, requests } = await serveModel({
    json: { choices: [{ message: { role: 'assistant', content } }] },
  });
  expect(await summaries.summarize(FACTS, 'ja', never)).toEqual({
    summary: 'A risky address, see above.',
    source: 'model',
  });
  expect(requests).toHaveLength(1);
  const { url, headers, body } = requests[0]!;
  expect([url.pathname, headers.authorization]).toEqual(['/v1/chat/completions', 'Bearer k']);
  expect(body).toMatchObject({ model: 'm', temperature: 0 });
  const { messages } = body as { messages: { role: string; content: string }[] };
  expect(messages.map((message) => message.role)).toEqual(['system', 'user']);
  expect(JSON.parse(messages[1]!.content)).toEqual(FACTS);
  expect(messages[0]!.content).toContain('Write Japanese.');
});

it.each([
  ['an error', { status: 500, json: {} }],
  ['no JSON', { text: 'oops' }],
  ['another shape', { json: { choices: [] } }],
  ['an empty text', { json: { choices: [{ message: { content: ' ' } }] } }],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, json: {} }],
  ['far too much', { text: `"${'x'.repeat(300_000)}"` }],
] satisfies [string, UpstreamReply][])('falls back to the rules where the model answers %s', async (_, reply) => {
  const { summaries } = await serveModel(reply);
  expect(await summaries.summarize(FACTS, 'en', never)).toMatchObject({
    source: 'rules',
    summary: expect.stringContaining('Risk HIGH'),
  });
});

it('ends with its caller where the model does not answer', async () => {
  const { summaries } = await serveModel({ hang: true });
  const caller = new AbortController();
  const asked = summaries.summarize(FACTS, 'en', caller.signal);
  setTimeout(() => caller.abort(new Error('gone')), 50);
  await expect(asked).rejects.toThrow('gone');
});
