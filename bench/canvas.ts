import { chromium, type Page } from 'playwright-core';
import { chromiumPath } from '../fixtures/chromium.ts';
import { type Demo, startDemo } from '../fixtures/demo/start.ts';
import { bareNode, EMPTY_SCENE } from '../src/domain/scene/empty-scene.ts';
import type { Scene, SceneFlow, SceneNode } from '../src/domain/scene/scene.ts';
import { isMet, table } from './table.ts';

const AT = '2026-01-01T00:00:00.000Z';
const TARGETS = { arrangedMs: 1_000, blockedMs: 100 };
const EXPANSIONS = 50;

/** Times "Arrange" with a warm worker in a real browser, and the longest pause of the page in all that it does. */
export async function benchCanvas(): Promise<void> {
  const executablePath = chromiumPath();
  if (!executablePath) {
    console.log('No Chromium on the PATH.');
    return;
  }
  const demo = await startDemo({ PORT: '0', LOG_LEVEL: 'silent' });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--js-flags=--expose-gc'] });
  try {
    const rows: string[][] = [];
    for (const [nodes, flows] of [
      [350, 500],
      [2_000, 1_200],
    ] as const) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
      await page.addInitScript(`sessionStorage.setItem('traceflow-key', '${demo.keys.enterprise}')`);
      await page.addInitScript(WATCH);
      await page.goto(`${demo.url}/#/investigate/board/${await boardOf(demo, sceneOf(nodes, flows))}`);
      await until(page, `document.querySelector('.graph-canvas')?._cyreg?.cy.nodes().length >= ${nodes}`);
      await page.waitForTimeout(2_000);
      const opened = await takeLongest(page);
      const arrangedMs = await arrange(page);
      const arranging = await takeLongest(page);
      await handle(page);
      const handling = await takeLongest(page);
      const memory = nodes < 1_000 ? await grow(page) : '';
      const target = flows === 500 ? isMet(arrangedMs <= TARGETS.arrangedMs) : '';
      const blocked = Math.max(arranging, handling);
      rows.push([
        `${nodes} nodes, ${flows} flows`,
        `${arrangedMs.toFixed(0)} ms`,
        target,
        ...[opened, arranging, handling].map((ms) => `${ms.toFixed(0)} ms`),
        isMet(blocked <= TARGETS.blockedMs),
        memory,
      ]);
      await page.close();
    }
    table(
      [
        '',
        'arranged',
        '≤ 1 s',
        'blocked: opening',
        'arranging',
        'in use',
        '≤ 100 ms',
        `heap, then after ${EXPANSIONS} steps`,
      ],
      rows,
    );
  } finally {
    await browser.close();
    await demo.close();
  }
}

/** Keeps the longest task since it was last asked. */
const WATCH = `window.longest = 0;
new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration); })
  .observe({ entryTypes: ['longtask'] });`;

/** Asks again and again: the page's policy lets no text become code within it. */
async function until(page: Page, condition: string): Promise<void> {
  while (!(await page.evaluate(condition))) await page.waitForTimeout(100);
}

function takeLongest(page: Page): Promise<number> {
  return page.evaluate('(() => { const most = longest; longest = 0; return most; })()');
}

/** Milliseconds from the click until every node stands in its new place. */
async function arrange(page: Page): Promise<number> {
  return page.evaluate(`new Promise((done) => {
    const cy = document.querySelector('.graph-canvas')._cyreg.cy;
    const places = () => cy.nodes().map((node) => Math.round(node.position().x + 7 * node.position().y)).join();
    const before = places();
    const start = performance.now();
    [...document.querySelectorAll('.toolbar button')].find((one) => one.getAttribute('aria-label') === 'Arrange').click();
    (function wait() {
      if (document.querySelector('.stage-panel [role=status]').textContent === '' && places() !== before)
        done(performance.now() - start);
      else setTimeout(wait, 10);
    })();
  })`);
}

/** Moves, zooms and chooses, as a hand does. */
async function handle(page: Page): Promise<void> {
  const box = await page.locator('.graph-canvas').boundingBox();
  if (!box) return;
  const [x, y] = [box.x + box.width / 2, box.y + 30];
  await page.mouse.move(x, y);
  for (let i = 0; i < 6; i++) await page.mouse.wheel(0, i < 3 ? -200 : 200);
  await page.mouse.down();
  for (let step = 0; step < 30; step++) await page.mouse.move(x + 8 * step, y + 4 * step);
  await page.mouse.up();
  await page.locator('.graph-canvas').focus();
  for (let i = 0; i < 10; i++) await page.keyboard.press('ArrowRight');
  await page.waitForTimeout(500);
}

/** The heap before and after many steps that are done and undone. */
async function grow(page: Page): Promise<string> {
  const heap = async () => {
    await page.evaluate('gc()');
    return (await page.evaluate<number>('performance.memory.usedJSHeapSize')) / 2 ** 20;
  };
  const before = await heap();
  for (let i = 0; i < EXPANSIONS; i++) {
    await page.keyboard.press('Control+a');
    await page.keyboard.press('p');
  }
  return `${before.toFixed(0)} MiB, ${(await heap()).toFixed(0)} MiB`;
}

async function boardOf(demo: Demo, scene: Scene): Promise<string> {
  const answer = await fetch(`${demo.url}/api/v1/boards`, {
    method: 'POST',
    headers: { 'x-api-key': demo.keys.enterprise, 'content-type': 'application/json' },
    body: JSON.stringify({ title: 'bench', scene }),
  });
  return ((await answer.json()) as { board: { id: string } }).board.id;
}

/** Layers of wallets that pass money on, each to a few of the next. */
function sceneOf(nodes: number, flows: number): Scene {
  const keys = Array.from({ length: nodes }, (_, n) => `ethereum:0x${(n + 1).toString(16).padStart(40, '0')}`);
  const wide = 25;
  const edges = Array.from({ length: flows }, (_, n): [number, number] => {
    const from = n % (nodes - wide);
    return [from, Math.min(nodes - 1, from + wide - (Math.floor(n / (nodes - wide)) * 7 + (n % 3)))];
  });
  return {
    ...EMPTY_SCENE,
    subject: keys[0] as string,
    nodes: keys.map((key, n) => nodeOf(key, n)),
    flows: edges.map(([from, to], n) => flowOf(keys[from] as string, keys[to] as string, n)),
  };
}

function nodeOf(key: string, n: number): SceneNode {
  const node = bareNode({ chain: 'ethereum', address: key.slice('ethereum:'.length) });
  return { ...node, read: true, x: (n % 40) * 340, y: Math.floor(n / 40) * 64 };
}

function flowOf(from: string, to: string, n: number): SceneFlow {
  return {
    id: `f${n}`,
    from,
    to,
    usd: 1_000 + n,
    assets: { USDC: String(1_000 + n) },
    tx_count: 1,
    first_at: AT,
    last_at: AT,
    tx_hash: `0x${n}`,
    transfers: [],
    share: null,
    bridge: null,
  };
}
