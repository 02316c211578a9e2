import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { dispatchEvent, recordEvent, undispatchedEvents } from '../../src/events/outbox.ts';
import { setListener } from '../../src/records/monitoring/live.ts';
import { openTestApp } from '../app/test-app.ts';

interface Panel {
  id: number;
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource: { type: string; uid: string };
  targets: { refId: string; expr: string; legendFormat: string }[];
}

const read = (name: string) => readFileSync(join(import.meta.dirname, '../../docs/grafana', name), 'utf8');
const dashboard = JSON.parse(read('live.json')) as {
  title: string;
  uid: string;
  schemaVersion: number;
  templating: { list: { name: string; type: string; query: string }[] };
  panels: Panel[];
};
const rules = [...read('live-alerts.yaml').matchAll(/^ +expr: (.+)$/gm)].map(([, expr]) => expr!);
const asked = [...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)), ...rules];

/** The labels of each metric that the service answers with while a chain is listened to and a webhook waits. */
async function answered(): Promise<Map<string, string[]>> {
  const { app, ctx, time, issue } = await openTestApp();
  const { accountId } = await issue('business');
  const listener = { state: 'listening' as const, reason: null, last_block: 5, head: 7 };
  await setListener(ctx.records, 'ethereum', listener, { now: time.at });
  const event = { type: 'scan.completed' as const, accountId, subject: 's', data: {}, at: time.at };
  const recipient = await recordEvent(ctx.records, event);
  const [waiting] = await undispatchedEvents(ctx.records, time.at, 1);
  await dispatchEvent(ctx.records, waiting!, async () => [{ subscriber: 'webhook', recipient }], time.at);
  const { body } = await app.inject('/metrics');
  return new Map(
    [...body.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)].map(([, name, labels = '']) => [
      name!,
      [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label!),
    ]),
  );
}

it('the dashboard and the alert rules ask for metrics and labels that the service answers with', async () => {
  const metrics = await answered();
  const missing = asked.flatMap((expr) => {
    const names = [...metrics.keys()].filter((name) => new RegExp(`\\b${name}\\b`).test(expr));
    const labels = names.flatMap((name) => metrics.get(name)!);
    const named = [
      ...[...expr.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/, */)),
      ...[...expr.matchAll(/(\w+)!?=~?"/g)].map(([, label]) => label!),
    ];
    // What is neither a function nor a word in quotes is a metric.
    const words =
      expr.replace(/"[^"]*"|\bby \([^)]*\)|\{[^}]*\}|\[[^\]]*\]/g, '').match(/[a-z_]+(?!\w*\s*\()\b/g) ?? [];
    const unknown = words.filter((word) => !metrics.has(word) && word !== 'and' && word !== 'or');
    return [...unknown, ...named.filter((label) => !labels.includes(label))].map((one) => `${one} in ${expr}`);
  });
  expect(missing).toEqual([]);
  expect(asked).toHaveLength(10);
  expect([...metrics.keys()].filter((name) => name.startsWith('live_'))).toHaveLength(4);
});

it('the dashboard imports: each panel has a place of its own and the source that the reader chooses', () => {
  const { title, uid, schemaVersion, templating, panels } = dashboard;
  expect([title, uid].every(Boolean) && schemaVersion > 0).toBe(true);
  expect(templating.list).toMatchObject([{ name: 'datasource', type: 'datasource', query: 'prometheus' }]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) => {
    expect(x + w).toBeLessThanOrEqual(24);
    return Array.from({ length: w * h }, (_, nth) => `${x + (nth % w)} ${y + Math.floor(nth / w)}`);
  });
  expect(new Set(cells).size).toBe(cells.length);
  const labelsOf = (legend: string) => [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label]) => label!);
  for (const { title, datasource, targets } of panels) {
    expect([title, datasource]).toEqual([expect.stringMatching(/\w/), { type: 'prometheus', uid: `\${datasource}` }]);
    for (const { expr, legendFormat } of targets)
      expect(labelsOf(legendFormat).filter((label) => !expr.includes(label))).toEqual([]);
  }
});
