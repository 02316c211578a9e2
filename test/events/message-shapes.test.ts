import { expect, it } from 'vitest';
import type { EventPayload } from '../../src/events/payloads.ts';
import { shapedBody } from '../../src/events/webhook/shapes.ts';

const payload = (more: object = {}): EventPayload => ({
  ...{ id: 'd-1', event: 'watchlist.alert', timestamp: '2026-11-20T10:00:00.000' },
  data: {
    ...{ reason: 'transfer_counterparty', address: '0xab', chain: 'ethereum', risk_level: 'CRITICAL', risk_score: 100 },
    ...{ cause: 'labels', detail_url: 'https://screen.example.org/x', score_semantics: 'risk_0to100' },
    transfer: { id: 't-1', reference: 'dep-1', direction: 'deposit' },
    ...more,
  },
});
const long = Array.from({ length: 300 }, (_, n) => ({
  ...{ detector_id: 'x', detector_name: 'X'.repeat(200), severity: 'HIGH', description: `${n}${'y'.repeat(2_000)}` },
}));
const at = (url: string, given = payload()) => shapedBody(given, new URL(url), 'hooks.slack.com') as never as Shaped;

interface Shaped {
  attachments: { contentType: string; content: { type: string; version: string; body: { facts?: object[] }[] } }[];
  blocks: object[];
  routing_key: string;
  dedup_key: string;
  payload: { summary: string; severity: string; custom_details: object };
}

it('an endpoint gets the payload itself, and a host with a format of its own that one', () => {
  expect(at('https://hooks.example.org/in')).toEqual(payload());
  expect(at('https://hooks.slack.com/services/x').blocks.length).toBeGreaterThan(1);
  // A name that only ends like one of theirs is not theirs.
  expect(at('https://evilwebhook.office.com.example.org/')).toEqual(payload());
  expect(at('https://notevents.pagerduty.com/')).toEqual(payload());
});

it.each([
  'https://acme.webhook.office.com/webhookb2/1',
  'https://prod-1.westeurope.logic.azure.com:443/workflows/1',
  'https://default1.2.environment.api.powerplatform.com/powerautomate/1',
])('Teams gets one adaptive card within 28 KB: %s', (url) => {
  const sent = at(url, payload({ detections: long }));
  const [{ contentType, content } = { contentType: '', content: { type: '', version: '', body: [] } }] =
    sent.attachments;
  expect([contentType, content.type]).toEqual(['application/vnd.microsoft.card.adaptive', 'AdaptiveCard']);
  expect(content.body[1]!.facts).toContainEqual({ title: 'reference', value: 'dep-1' });
  expect(Buffer.byteLength(JSON.stringify(sent))).toBeLessThan(28_000);
});

it('names that others chose make no links in Teams, and no links or calls in Slack', () => {
  const name = '[Sign in](https://evil.example) <https://evil.example|Sign in> @channel';
  const found = [{ detector_id: 'x', detector_name: 'X', severity: 'HIGH', description: name }];
  const given = payload({ detections: found, transfer: { id: 't-1', reference: name } });
  const card = JSON.stringify(at('https://acme.webhook.office.com/webhookb2/1', given));
  expect([card.includes(']('), card.split('] (').length]).toEqual([false, 3]);
  const texts = JSON.stringify(at('https://hooks.slack.com/services/x', given)).match(/"mrkdwn"[^}]*/g)!;
  expect(texts.filter((text) => /<(?!https:\/\/screen)/.test(text) || !text.endsWith('"verbatim":true'))).toEqual([]);
});

it('PagerDuty gets one incident for one finding at an address, with the key of its URL', () => {
  const url = 'https://events.pagerduty.com/v2/enqueue?routing_key=abc';
  const sent = at(url, payload({ detections: long }));
  expect(sent).toMatchObject({
    ...{ routing_key: 'abc', event_action: 'trigger', dedup_key: 'traceflow:transfer_counterparty:ethereum:0xab' },
    payload: { severity: 'critical', source: 'traceflow', custom_details: { reference: 'dep-1' } },
  });
  const title = at(url, payload({ reason: 'rule', rule: { id: 'r', name: 'n'.repeat(2_000), severity: 'low' } }));
  expect([title.payload.summary.length, title.payload.severity]).toEqual([1_024, 'info']);
  expect(title.dedup_key).not.toBe(sent.dedup_key);
});
