import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { begun } from '../../console/scene/grow.ts';
import { roleOf } from '../../fixtures/demo/world.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { bareNode, EMPTY_SCENE } from '../../src/domain/scene/empty-scene.ts';
import type { Scene, SceneFlow } from '../../src/domain/scene/scene.ts';
import { statementText } from '../../src/graph/statements.ts';
import { chooseArrow, clickOn, drawn, drawnNodes, idle } from './canvas.ts';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

const NAMES = [
  'Meridian Exchange: hot wallet',
  null,
  'Harbour & Sons International Payment Services: deposit 14',
  null,
];

/** Wallets of three chains in columns of ten, each paid by one of the column before; bridges between the chains. */
function sceneOfThreeChains(count: number): Scene {
  const chains = ['ethereum', 'arbitrum', 'optimism'] as const;
  const nodes = Array.from({ length: count }, (_, n) => {
    const chain = chains[Math.floor((3 * n) / count)]!;
    const label = NAMES[n % NAMES.length]!;
    const node = bareNode({ chain, address: `0x${(n + 1).toString(16).padStart(40, '0')}` });
    return { ...node, label, category: label ? ('exchange' as const) : node.category, read: true, x: n, y: 58 * n };
  });
  const at = '2026-01-01T00:00:00.000Z';
  const rows = Math.min(10, Math.ceil(count / 6));
  const flows = nodes.slice(rows).map((to, n): SceneFlow => {
    const from = nodes[n]!;
    const [tx_hash, usd] = [`0x${n}`, 1_000 * (n + 1)];
    const { chain, address } = to;
    const arrival = { chain, address, tx_hash, at, asset: 'USDT', amount: `${usd}` };
    const crossing = {
      crossing_id: `c${n}`,
      protocol: 'across',
      message_id: `${n}`,
      match: 'id' as const,
      ambiguous: false,
      arrival,
    };
    const bridge = from.chain === chain ? null : crossing;
    const moved = {
      usd,
      assets: { USDT: `${usd}`, ETH: '12.345678' },
      tx_count: 1,
      first_at: at,
      last_at: at,
      tx_hash,
      transfers: [],
    };
    return { id: `f${n}`, from: from.key, to: to.key, ...moved, share: n % 2 === 0 ? 0.5 : null, bridge };
  });
  return { ...EMPTY_SCENE, subject: nodes[0]!.key, nodes, flows };
}

/**
 * Names of the canvas that lie over one another or are too small to read, names over the card of another address, but for the start of a picture
 * seen from far, and pills too small to see.
 */
const UNREADABLE = `(() => {
  const zoom = cy.zoom();
  const overlap = (a, b) => Math.min(a.x2, b.x2) - Math.max(a.x1, b.x1) > 2 && Math.min(a.y2, b.y2) - Math.max(a.y1, b.y1) > 4;
  const bodies = cy.nodes('.address').map((one) => ({ id: one.id(), box: one.boundingBox({ includeLabels: false, includeOverlays: false }) }));
  const texts = cy.elements().filter((one) => one.data('say')).map((one) => ({
    id: one.id(), say: one.data('say'), size: one.numericStyle('font-size') * zoom,
    box: one.boundingBox({ includeNodes: false, includeEdges: false, includeOverlays: false }),
  }));
  return [
    ...texts.filter(({ size }) => size < 10.9).map(({ say }) => 'small: ' + say),
    ...texts.flatMap((one, i) => texts.slice(i + 1).filter((two) => overlap(one.box, two.box)).map((two) => one.say + ' | ' + two.say)),
    ...texts.filter(({ id }) => !cy.getElementById(id).is('.subject.far')).flatMap((one) => bodies.filter(({ id, box }) => id !== one.id && overlap(one.box, box)).map(({ id }) => one.say + ' over ' + id)),
    ...cy.edges().filter((one) => one.data('say') && (one.hasClass('amount-source') || one.hasClass('amount-target'))).flatMap((one) => {
      const { x1, x2, y1, y2 } = texts.find(({ id }) => id === one.id()).box;
      const away = zoom * Math.hypot((x1 + x2) / 2 - one.data('textX'), (y1 + y2) / 2 - one.data('textY'));
      return away > 2 ? [one.data('say') + ' aside by ' + away] : [];
    }),
    ...cy.nodes('.pill').filter((one) => one.renderedWidth() < 8 || one.renderedHeight() < 8).map((one) => 'no mark: ' + one.id()),
  ];
})()`;

/** Cards below the buttons in the corner. */
const COVERED = `(() => {
  const [frame, buttons] = [cy.container(), document.querySelector('.minimap')].map((one) => one.getBoundingClientRect());
  const isCovered = ({ x2, y2 }) => x2 > buttons.left - frame.left && y2 > buttons.top - frame.top;
  return cy.nodes('.address').filter((one) => isCovered(one.renderedBoundingBox({ includeLabels: false }))).map((one) => one.id());
})()`;

/** Texts of a drawing that lie on one another, and those that leave it. */
async function overlapsIn(page: Page, svg: Buffer): Promise<string[]> {
  await page.setContent(svg.toString());
  return page.evaluate(`(() => {
    const texts = [...document.querySelectorAll('text')].map((one) => ({ text: one.textContent, box: one.getBBox() }));
    const { x, y, width, height } = document.querySelector('svg').viewBox.baseVal;
    const isOutside = ({ box }) => box.x < x || box.y < y || box.x + box.width > x + width || box.y + box.height > y + height;
    const areOnOneAnother = ({ box: a }, { box: b }) =>
      a.x < b.x + b.width && b.x < a.x + a.width && a.y + 3 < b.y + b.height && b.y + 3 < a.y + a.height;
    return [
      ...texts.filter(isOutside).map(({ text }) => text),
      ...texts.flatMap((one, i) => texts.slice(i + 1).filter((two) => areOnOneAnother(one, two)).map(({ text }) => one.text + ' | ' + text)),
    ];
  })()`);
}

describeConsole('the canvas', (get) => {
  const addressOf = (story: string, name: string, chain: Chain = 'ethereum') =>
    roleOf(get().demo.world, chain, story, name).address;
  const thiefOf = (chain: Chain, name: string) => addressOf('bridge_theft', name, chain);
  const call = async (path: string, init: { method?: string; body?: string } = {}) => {
    const { demo } = get();
    const headers = { 'x-api-key': demo.keys.enterprise, ...(init.body ? { 'content-type': 'application/json' } : {}) };
    const answer = await fetch(`${demo.url}/api/v1${path}`, { ...init, headers });
    expect(answer.ok, `${answer.status} ${path}`).toBe(true);
    return answer.json() as Promise<Record<string, never>>;
  };
  const scan = (chain: Chain, address: string) => call(`/public/scan?chain=${chain}&address=${address}`);
  const used = async () => (await call('/public/usage')).scans_used as unknown as number;
  const open = async (chain: Chain, address: string, settings = {}) => {
    const page = await get().open(`#/investigate/${chain}/${address}`, settings);
    await page.setViewportSize({ width: 1440, height: 900 });
    await idle(page);
    return page;
  };
  /** The theft over two bridges, read, on the canvas of the thief. */
  const openTheft = async (settings = {}) => {
    await scan('ethereum', thiefOf('ethereum', 'vault_thief'));
    await scan('optimism', thiefOf('optimism', 'ferry_5'));
    return open('ethereum', thiefOf('ethereum', 'vault_thief'), settings);
  };
  const follow = async (page: Page) => {
    await page.getByRole('button', { name: 'Follow the money' }).first().click();
    await page.getByRole('heading', { name: 'Where the money is' }).waitFor();
    await idle(page);
  };
  const openBoard = async (title: string, scene: Scene) => {
    const body = JSON.stringify({ title, scene });
    const { board } = (await call('/boards', { method: 'POST', body })) as unknown as { board: { id: string } };
    const page = await get().open(`#/investigate/board/${board.id}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await idle(page);
    return page;
  };
  const panel = (page: Page) => page.getByRole('complementary', { name: 'What is chosen' });
  const keyOf = (chain: Chain, name: string) => `${chain}:${thiefOf(chain, name)}`;

  it('finds an address however it is written, a label by name, a board by a long name, and what the scam database lists', async () => {
    const thief = thiefOf('ethereum', 'vault_thief');
    const title = 'The theft of Kelp Vault over two bridges';
    await call('/boards', { method: 'POST', body: JSON.stringify({ title, scene: EMPTY_SCENE }) });
    const page = await get().open('#/investigate');
    const box = page.getByRole('combobox', { name: /Address, transaction/ });
    await box.fill(addressOf('scam', 'scammer', 'base').slice(0, 12));
    await page.getByRole('option', { name: new RegExp(addressOf('scam', 'scammer', 'base')) }).waitFor();
    await box.fill('meridian hot');
    await page.getByRole('option', { name: /^Meridian Exchange: hot wallet exchange · Bitcoin/ }).waitFor();
    await box.fill(title.toLowerCase());
    await page.getByRole('option', { name: `${title} Board` }).waitFor();
    await box.fill(thief.toUpperCase().replace('0X', '0x'));
    await page.getByRole('option', { name: new RegExp(`${thief} Ethereum`) }).click();
    await idle(page);
    expect(await drawnNodes(page)).toContain(`ethereum:${thief}`);
  });

  it('opens a Bitcoin transaction as inputs and outputs that add up with the fee, for no scan, as one step', async () => {
    const purse = addressOf('wallet_of_forty', 'purse_0', 'bitcoin');
    const { bitcoin } = get().demo.world;
    const [paid] = bitcoin.txs.filter(({ inputs }) => inputs.some(({ address }) => address === purse));
    const hash = `bitcoin:${paid!.txid}`;
    const spent = await used();
    const page = await get().open('#/investigate');
    const asked: string[] = [];
    page.on('request', (request) => request.url().includes('/parts?') && asked.push(request.url()));
    const box = page.getByRole('combobox', { name: /Address, transaction/ });
    const option = page.getByRole('option', { name: /Draw this transaction of Bitcoin/ });
    // A busy source may miss its five seconds: a reader types again.
    const isFound = async () => {
      await box.fill('');
      await box.fill(paid!.txid);
      return option.waitFor({ timeout: 10_000 }).then(
        () => true,
        () => false,
      );
    };
    await expect.poll(isFound).toBe(true);
    await option.click();
    await idle(page);
    const ends = [...paid!.inputs, ...paid!.outputs].map(({ address }) => `bitcoin:${address}`);
    expect((await drawn<string[]>(page, `cy.nodes('.address, .transaction').map((one) => one.id())`)).sort()).toEqual(
      [...new Set([hash, ...ends])].sort(),
    );
    await panel(page)
      .getByText(/^0\.0\d+ BTC = 0\.0\d+ BTC \+ 0\.000\d+ BTC fee$/)
      .waitFor();
    expect(await used()).toBe(spent);
    expect(asked).toHaveLength(1);
    await picture(page, 'canvas-transaction');
    await expectAccessible(page);
    await page.locator('.graph-canvas').focus();
    await page.keyboard.press('Control+z');
    await expect.poll(() => drawn(page, `cy.getElementById('${hash}').empty()`)).toBe(true);
    await page.keyboard.press('Control+Shift+z');
    await expect.poll(() => drawn(page, `cy.getElementById('${hash}').nonempty()`)).toBe(true);

    await scan('bitcoin', purse);
    await page.goto(`${get().demo.url}/#/investigate/transaction/${hash}`);
    await idle(page);
    await panel(page).getByText('to itself').waitFor();
    expect(await drawn(page, `cy.edges('.own').length`)).toBe(1);
    await picture(page, 'canvas-transaction-own');
  });

  it('opens an EVM transaction from an arrow as its transfers and the call, beside what is drawn', async () => {
    const payer = addressOf('internal_transfers', 'split_payer');
    await scan('ethereum', payer);
    const page = await open('ethereum', payer);
    const before = await drawnNodes(page);
    const call = get().demo.world.evm.ethereum.txs.find(({ from, ok }) => from === payer && ok)!;
    await chooseArrow(page, `ethereum:${payer}`, `ethereum:${call.to}`);
    await page
      .getByRole('row', { name: new RegExp(call.hash.slice(2, 6)) })
      .getByRole('button', { name: 'Open', exact: true })
      .first()
      .click();
    await idle(page);
    await panel(page).getByText('multicall').waitFor();
    expect(
      await panel(page)
        .getByRole('cell', { name: /paid on by a contract/ })
        .count(),
    ).toBe(2);
    const after = await drawn<string[]>(page, `cy.nodes().map((one) => one.id())`);
    expect(after).toEqual(expect.arrayContaining([...before, `ethereum:${call.hash}`]));
    await picture(page, 'canvas-transaction-evm');
  });

  it('spends nothing by a click, and one scan by the button that says so', async () => {
    const scammer = addressOf('scam', 'scammer', 'bsc');
    const cashier = `bsc:${addressOf('scam', 'scam_cashier', 'bsc')}`;
    const page = await open('bsc', scammer);
    await clickOn(page, `bsc:${scammer}`);
    await page.getByRole('button', { name: 'Read its history · 1 scan' }).click();
    await expect.poll(() => drawn(page, `cy.getElementById('${cashier}').hasClass('unread')`)).toBe(true);
    await idle(page);
    const spent = await used();
    await clickOn(page, cashier);
    await panel(page).getByText('Not read: what lies behind it is not known.').waitFor();
    expect(await used()).toBe(spent);
    await page.getByText('Trace', { exact: true }).click();
    await page.getByRole('button', { name: 'Start the trace · up to 25 scans' }).click();
    await page.getByRole('button', { name: 'Yes, spend up to 25 scans' }).waitFor();
    expect(await used()).toBe(spent);
  });

  it('traces stolen money through unread addresses to the exchange, with progress', async () => {
    const thief = addressOf('laundering', 'thief', 'polygon');
    const page = await open('polygon', thief);
    await clickOn(page, `polygon:${thief}`);
    await page.getByText('Trace', { exact: true }).click();
    await page.getByLabel('Addresses at most').fill('5');
    await page.getByRole('button', { name: 'Start the trace · up to 5 scans' }).click();
    await page.getByText('Addresses read: 5').waitFor();
    await idle(page);
    expect((await drawnNodes(page)).length).toBeGreaterThan(4);
    await expectAccessible(page);
  });

  it('says of each end why the money stopped there, and offers to read only where that helps', async () => {
    await scan('ethereum', addressOf('bridge_without_source', 'strait'));
    const page = await open('ethereum', addressOf('bridge_without_source', 'strait'));
    await follow(page);
    const beyond = page.getByRole('row', { name: /the other chain is not supported \(Across → Linea\)/ });
    await beyond.waitFor();
    expect(await beyond.getByRole('button', { name: /Read its history/ }).count()).toBe(0);
  });

  it('copies what a freezing request needs, and watches the wallet', async () => {
    const page = await openTheft();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await follow(page);
    const row = page.getByRole('row', { name: /Meridian Exchange/ });
    await row.getByRole('button', { name: 'Copy for a freezing request' }).click();
    const text = (await page.evaluate('navigator.clipboard.readText()')) as string;
    expect(text).toMatch(
      /^Meridian Exchange: hot wallet\nAddresses where it arrived\nOptimism 0x[0-9a-f]{40}: 88,000 USDT \([\d,.]+ USD\)\n/,
    );
    expect(text.match(/^[\d-]+ [\d:]+ UTC \w+ 0x[0-9a-f]{64}: .+ → 0x/gm)?.length).toBeGreaterThanOrEqual(6);
    await row.getByRole('button', { name: 'Watch' }).click();
    await row.getByRole('link', { name: 'Watched' }).waitFor();
    await page.getByLabel('Mixed money by').selectOption('all rules, with range');
    await row.getByText(/the same by all rules|\$[\d,]+ – \$[\d,]+/).waitFor();
  });

  it('keeps a picture that was never saved for who comes back to it, and begins again by a link', async () => {
    const page = await openTheft();
    const link = new URL(page.url()).hash;
    const before = (await drawn<string[]>(page, `cy.nodes('.address').map((node) => node.id())`)).length;
    await clickOn(page, keyOf('ethereum', 'vault_thief'));
    await page.locator('.graph-canvas').press('h');
    const count = () => drawn<number>(page, `cy.nodes('.address').length`);
    await expect.poll(count).toBe(before - 1);
    await page.evaluate(`location.hash = '#/cases'`);
    await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
    await page.goBack();
    await expect.poll(count).toBe(before - 1);
    await page.evaluate(`location.hash = '#/cases'`);
    await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
    await page.evaluate(`location.hash = ${JSON.stringify(link)}`);
    await expect.poll(count).toBe(before);
  });

  it('adds a second victim that is found by name to the same board, and loses nothing of it', async () => {
    const page = await openTheft();
    const link = page.url();
    const thief = keyOf('ethereum', 'vault_thief');
    await follow(page);
    await clickOn(page, thief);
    await page.getByLabel('Note', { exact: true }).fill('The first victim named it');
    await page.keyboard.press('Tab');
    const before = await drawnNodes(page);
    const box = page.getByRole('combobox', { name: /Address, transaction/ });
    await box.fill('night crane');
    await page
      .getByRole('option', { name: /Night Crane.*Ethereum/ })
      .first()
      .click();
    await idle(page);
    expect(page.url()).toBe(link);
    const listed = await drawnNodes(page);
    expect(listed).toEqual(expect.arrayContaining(before));
    expect(listed).toHaveLength(before.length + 1);
    await page.locator('.graph-canvas').press('Control+z');
    await expect.poll(() => drawnNodes(page)).toHaveLength(before.length);

    // Addresses of a paste come to the board too; letters in a field do not.
    const victim = addressOf('scam', 'victim', 'tron');
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'the second one: ${victim}');
      document.querySelector('.graph-canvas').dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    })()`);
    await expect.poll(() => drawnNodes(page)).toContain(`tron:${victim}`);

    // Opened alone, and left for another page, the picture waits for its reader.
    await box.fill('night crane');
    await page
      .getByRole('option', { name: /Night Crane.*Ethereum/ })
      .first()
      .waitFor();
    await box.press('Shift+Enter');
    await expect.poll(() => page.url()).not.toBe(link);
    await idle(page);
    await page.evaluate(`location.hash = '#/investigate'`);
    await page
      .getByRole('region', { name: 'Not saved yet' })
      .getByRole('link', { name: 'Kelp Vault exploiter' })
      .first()
      .click();
    await expect.poll(() => drawnNodes(page)).toEqual(expect.arrayContaining([...before, `tron:${victim}`]));
    await clickOn(page, thief);
    expect(await page.getByLabel('Note', { exact: true }).inputValue()).toBe('The first victim named it');
    await page.evaluate(`location.hash = '#/cases'`);
    await page.getByText(/is on no board/).waitFor();
    await page.getByRole('link', { name: 'Back to the picture' }).click();
    await expect.poll(() => drawnNodes(page)).toContain(`tron:${victim}`);
  });

  it('takes keys after a box that chose several, offers what is done with all, and acts on none while one types', async () => {
    const page = await openTheft();
    const frame = (await page.locator('.graph-canvas').boundingBox())!;
    const corner = { x: frame.x + 3, y: frame.y + 3 };
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await page.keyboard.down('Shift');
    await page.mouse.move(corner.x, corner.y);
    await page.mouse.down();
    await page.mouse.move(corner.x + frame.width - 220, corner.y + frame.height - 90, { steps: 5 });
    await page.mouse.up();
    await page.keyboard.up('Shift');
    const many = page.getByRole('region', { name: /chosen/i });
    for (const name of ['Group', 'Hide', 'Scan all'])
      await many.getByRole('button', { name: new RegExp(`^${name}`) }).waitFor();
    await many.getByText('Add to a case').waitFor();
    const before = (await drawnNodes(page)).length;
    await many.getByLabel('Note on each').fill('hhh');
    expect(await drawnNodes(page)).toHaveLength(before);
    await page.locator('.graph-canvas').focus();
    await page.keyboard.press('h');
    await expect.poll(async () => (await drawnNodes(page)).length).toBeLessThan(before);

    // The menu stays inside, at the edge too.
    await page.keyboard.press('Control+z');
    await page.mouse.click(corner.x + frame.width - 8, corner.y + frame.height - 8, { button: 'right' });
    const menu = (await page.getByRole('menu').boundingBox())!;
    expect(menu.x + menu.width).toBeLessThanOrEqual(frame.x + frame.width + 1);
    await page.keyboard.press('Escape');

    // A button of the canvas that was pressed leaves the keys to it; the first name of a group is there to be replaced.
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.press('g');
    const name = page.getByLabel('Name of the group');
    await expect.poll(() => name.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.type('Ring');
    await page.keyboard.press('Tab');
    expect(await name.inputValue()).toBe('Ring');
    await page.locator('.graph-canvas').focus();
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+z');
    await expect.poll(() => drawn(page, `cy.nodes('.frame').not('.lane').length`)).toBe(0);
  });

  it('writes no version of a board that is opened and looked at', async () => {
    const page = await openTheft();
    await follow(page);
    await page.locator('summary', { hasText: 'Board' }).click();
    await page.getByLabel('Name of the board').fill('Looked at');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const id = /board\/([0-9a-f-]+)/.exec(page.url())![1]!;
    const versions = async () =>
      ((await call(`/boards/${id}/versions`)) as unknown as { versions: unknown[] }).versions;
    const before = await versions();
    await page.evaluate(`location.hash = '#/cases'`);
    await page.evaluate(`location.hash = '#/investigate/board/${id}'`);
    await idle(page);
    await page.getByText('Saved', { exact: true }).waitFor();
    await page.evaluate(`location.hash = '#/cases'`);
    await page.getByRole('heading', { name: 'Cases', level: 1 }).waitFor();
    expect(await versions()).toEqual(before);
  });

  it('chooses the way of a row, and shows both transactions of a crossing', async () => {
    const page = await openTheft();
    await follow(page);
    await page.getByRole('button', { name: 'Meridian Exchange: hot wallet', exact: true }).click();
    await expect.poll(() => drawn(page, `cy.edges(':selected').length`)).toBe(6);
    // The account stays beside the way that it chose.
    await page.getByRole('row', { name: /^Total/ }).waitFor();
    const [from, to] = [thiefOf('arbitrum', 'ferry_3'), thiefOf('optimism', 'ferry_4')];
    const arrival = get().demo.world.moves.optimism.find((move) => move.to === to)!.txHash;
    await chooseArrow(page, `arbitrum:${from}`, `optimism:${to}`);
    const flow = page.getByRole('region', { name: 'Chosen flow' });
    await flow.getByRole('button', { name: `Copy ${arrival}` }).waitFor();
    for (const stated of ['Across', 'both chains state this message']) await flow.getByText(stated).first().waitFor();
    expect(await flow.getByRole('link', { name: `Open in a block explorer: ${arrival}` }).getAttribute('href')).toBe(
      `https://optimistic.etherscan.io/tx/${arrival}`,
    );
  });

  it('finds a path to another chain, the relationship and the exposure, each to be copied as Cypher', async () => {
    const page = await openTheft();
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await clickOn(page, keyOf('ethereum', 'vault_thief'));
    await page.getByText('Two addresses').click();
    await page.getByLabel('To', { exact: true }).fill(thiefOf('arbitrum', 'ferry_3'));
    await page.getByLabel('Chain of the second address').selectOption('arbitrum');
    await page.getByRole('button', { name: 'Find a path' }).click();
    await page.getByText('Paths drawn: 1').waitFor();
    await page.getByText(/Smallest transfer of the path: \$/).waitFor();
    expect(await drawn(page, `cy.edges('.bridge').map((edge) => edge.style('line-style'))`)).toEqual(['dashed']);
    await page.getByRole('button', { name: 'Check the relationship' }).click();
    await page.getByText('They are related.').waitFor();
    await page.getByRole('button', { name: 'Copy as Cypher' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain(
      statementText('relationship/dealings', 'neo4j').trimEnd(),
    );
    await page.getByText('Exposure', { exact: true }).click();
    await page.getByRole('button', { name: 'Show the exposure' }).click();
    await page.getByRole('region', { name: 'Exposure' }).getByText('exchange').first().waitFor();
  });

  it('recomputes what arrows say for the span between two ends, and for the chosen assets', async () => {
    const page = await openTheft();
    const sum = () => drawn<string[]>(page, `cy.edges().map((edge) => edge.data('name')).sort()`);
    const all = await sum();
    await page.getByRole('slider', { name: 'Last moment' }).fill('20');
    await page.getByRole('slider', { name: 'Last moment' }).dispatchEvent('change');
    await expect.poll(async () => (await sum()).length).toBeLessThan(all.length);
    await page.keyboard.press('Control+z');
    await expect.poll(sum).toEqual(all);
    await page.locator('summary', { hasText: 'Filters' }).click();
    await page.getByLabel('ETH', { exact: true }).check();
    await expect.poll(sum).toEqual([expect.stringContaining('ETH')]);
    await page.getByRole('button', { name: 'Without filters' }).click();
    await expect.poll(sum).toEqual(all);
  });

  it('draws a hub of five hundred as its largest and one node for the rest, from which some can be drawn', async () => {
    const airdropper = addressOf('airdrop', 'airdropper');
    await scan('ethereum', airdropper);
    const page = await open('ethereum', airdropper);
    const [bundle] = await drawn<string[]>(page, `cy.nodes('.bundle').map((one) => one.id())`);
    expect((await drawnNodes(page)).length).toBeLessThan(45);
    await picture(page, 'investigate-hub');
    await page.locator('.graph-canvas').press('f');
    await clickOn(page, bundle!);
    const before = (await drawnNodes(page)).length;
    const table = page.getByRole('region', { name: 'Counterparties' });
    // Those that are drawn already cannot be chosen; keys lead from box to box.
    await table.getByRole('checkbox').nth(1).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Draw 2 of them' }).click();
    await expect.poll(async () => (await drawnNodes(page)).length).toBe(before + 2);
    await page.locator('.graph-canvas').press('Control+z');
    await expect.poll(async () => (await drawnNodes(page)).length).toBe(before);
    // Found by a part of the address, beyond what the picture holds.
    await clickOn(page, bundle!);
    const [far] = get()
      .demo.world.moves.ethereum.filter(({ from }) => from === airdropper)
      .slice(-1);
    await page.getByRole('searchbox', { name: 'Address or name' }).fill(far!.to.slice(2, 12));
    await table.getByRole('checkbox', { name: far!.to }).check();
    await page.getByRole('button', { name: 'Draw 1 of them' }).click();
    await expect.poll(() => drawnNodes(page)).toContain(`ethereum:${far!.to}`);
    await page.getByRole('searchbox', { name: 'Address or name' }).fill('');
    await page.getByRole('button', { name: /^Choose all 1,\d\d\d$/ }).click();
    await page.getByRole('button', { name: /^Draw 1,0\d\d of them|^Draw 10\d\d of them/ }).waitFor();
    await picture(page, 'investigate-hub-table');
    await expectAccessible(page);
  });

  it.each([12, 30, 120])(
    'keeps names and amounts of %i addresses readable and apart, and each bridge in sight',
    async (count) => {
      const page = await openBoard(`${count} addresses`, sceneOfThreeChains(count));
      const placed = () => drawn<string>(page, `cy.nodes('.address').map((one) => one.position().x).join()`);
      const before = await placed();
      // Whatever asks for boxes between a change and the next frame leaves names where they belong.
      await drawn(page, `(window.asking = setInterval(() => cy.elements().boundingBox({ includeLabels: false }), 0))`);
      await page.locator('.graph-canvas').press('a');
      await expect.poll(placed).not.toBe(before);
      await idle(page);
      await page.getByRole('button', { name: 'Fit', exact: true }).click();
      await expect.poll(() => drawn(page, `cy.elements().filter((one) => one.data('say')).length`)).toBeGreaterThan(10);
      await expect.poll(() => drawn(page, UNREADABLE)).toEqual([]);
      expect(await drawn(page, COVERED)).toEqual([]);
      expect(await drawn(page, `cy.nodes('.pill').length`)).toBe(await drawn(page, `cy.edges('.bridge').length`));
      if (count <= 30)
        await expect.poll(() => drawn(page, `cy.nodes('.address').filter((one) => !one.data('say')).length`)).toBe(0);
      // Names keep within their cards, addresses beside their icons where there is room.
      const label = '{ includeNodes: false, includeEdges: false, includeOverlays: false }';
      const isOver = `one.boundingBox(${label}).w > one.boundingBox({ includeLabels: false, includeOverlays: false }).w`;
      const addresses = `cy.nodes('.address').not('.far, .subject').filter((one) => /^0x[0-9a-f]+…/.test(one.data('say')))`;
      const cards = `cy.nodes('.address').not('.far')`;
      expect(await drawn(page, `${cards}.filter((one) => ${isOver}).map((one) => one.data('say'))`)).toEqual([]);
      if (count === 12) expect(await drawn(page, `${addresses}.filter('.loud').length`)).toBe(0);
      // Each lane has its name in sight, however near the reader goes.
      expect(await page.locator('.lane-names span').allTextContents()).toEqual(['Ethereum', 'Arbitrum', 'Optimism']);
      for (let n = 0; n < 8; n++) await page.locator('.graph-canvas').press('+');
      await page.locator('.lane-names span').first().waitFor();
      await picture(page, `canvas-${count}`);
      // From far the start keeps its whole name.
      await page.getByRole('button', { name: 'Fit', exact: true }).click();
      for (let n = 0; n < 3; n++) {
        await page.locator('.graph-canvas').press('-');
        const size = () => drawn<number>(page, `cy.nodes('.subject').data('font') * cy.zoom()`);
        await expect.poll(size).toBeCloseTo(11.5, 5);
        await expect.poll(() => drawn(page, UNREADABLE)).toEqual([]);
        expect(
          await drawn(page, `cy.nodes('.subject.far').every((one) => one.data('say') === one.data('title'))`),
        ).toBe(true);
      }
      await drawn(page, `clearInterval(window.asking)`);
    },
  );

  it('names the start whole on a small card, on two lines', async () => {
    const scene = sceneOfThreeChains(12);
    const [start, ...others] = scene.nodes;
    const page = await openBoard('Small cards', {
      ...scene,
      nodes: [{ ...start!, label: 'Kelp Vault exploiter' }, ...others],
    });
    // A picture that is fitted late is made small again.
    await expect
      .poll(() => drawn(page, `(cy.zoom(0.7), cy.nodes('.subject').data('say'))`))
      .toBe('Kelp Vault\nexploiter');
    await expect.poll(() => drawn(page, UNREADABLE)).toEqual([]);
  });

  it('fits the middle of a picture that is wider than its smallest scale shows, also into a window of no size', async () => {
    const scene = sceneOfThreeChains(3);
    const wide = { ...scene, nodes: scene.nodes.map((node, n) => ({ ...node, x: 30_000 * n, y: 0 })) };
    const page = await openBoard('A wide picture', wide);
    const middle = () => drawn<number>(page, `cy.nodes('.address')[1].renderedPosition().x / cy.width()`);
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    await expect.poll(middle).toBeCloseTo(0.5, 1);
    await page.setViewportSize({ width: 70, height: 900 });
    await page.locator('.graph-canvas').press('f');
    await expect.poll(middle).toBeCloseTo(0.5, 1);
  });

  it('draws of a hub what a full board holds already, hidden ones too, and says where it chooses fewer', async () => {
    const airdropper = addressOf('airdrop', 'airdropper');
    await scan('ethereum', airdropper);
    const { counterparties } = await call(`/graph/counterparties/${airdropper}?chain=ethereum&limit=32`);
    const parties = (counterparties as unknown as { address: string }[]).map(({ address }, n) => {
      const node = bareNode({ chain: 'ethereum', address });
      return n < 2 ? { ...node, hidden: true } : { ...node, bundle: `ethereum:${airdropper}`, x: 400 };
    });
    const hub = { ...bareNode({ chain: 'ethereum', address: airdropper }), read: true };
    const others = Array.from({ length: 2_000 - 33 }, (_, n) => ({
      ...bareNode({ chain: 'ethereum', address: `0x${(n + 1).toString(16).padStart(40, '0')}` }),
      hidden: true,
    }));
    const page = await openBoard('A full board', {
      ...EMPTY_SCENE,
      subject: hub.key,
      nodes: [hub, ...parties, ...others],
    });
    await clickOn(page, hub.key);
    await panel(page).getByText('Counterparties', { exact: true }).first().click();
    await page.getByRole('button', { name: /^Choose all 1,\d\d\d$/ }).click();
    await page.getByText(/^32 of 1,\d\d\d are chosen: a board holds 2,000 addresses\.$/).waitFor();
    await page.getByRole('button', { name: 'Draw 32 of them' }).click();
    await expect
      .poll(async () => (await drawnNodes(page)).sort())
      .toEqual([hub, ...parties].map(({ key }) => key).sort());
  });

  it('keeps the words of a crossing off cards, moves it with a dragged card, and names what the pointer rests on', async () => {
    const scene = sceneOfThreeChains(12);
    // Columns so near that no arrow between them has room for words.
    const near = {
      ...scene,
      nodes: scene.nodes.map((node, n) => ({ ...node, x: 190 * Math.floor(n / 2), y: 50 * (n % 2) })),
    };
    const page = await openBoard('Near columns', near);
    const pill = `cy.nodes('.pill').filter((one) => one.data('hasRoom') === false)[0]`;
    await drawn(page, `cy.zoom(1.2) && true`);
    await expect.poll(() => drawn(page, `[${pill}.data('say'), ${pill}.renderedHeight()]`)).toEqual(['', 9]);
    await drawn(page, `${pill}.emit('mouseover') && true`);
    await expect.poll(() => drawn(page, `${pill}.data('say')`)).toContain('Across');
    // Another picture of the same, as a filter or a step back makes it.
    await page.locator('.graph-canvas').press('t');
    await expect.poll(() => drawn(page, `cy.nodes('.text').length`)).toBe(1);
    await expect.poll(() => drawn(page, `${pill}.data('say')`)).toContain('Across');
    const positions = () => drawn(page, `cy.nodes('.address').map((one) => [one.position().x, one.position().y])`);
    const before = await positions();
    await page.locator('.graph-canvas').press('a');
    await expect.poll(positions).not.toEqual(before);
    await idle(page);
    await page.getByRole('button', { name: 'Fit', exact: true }).click();
    const card = `cy.edges('.bridge')[0].target()`;
    const { left, top } = await drawn<{ left: number; top: number }>(page, `cy.container().getBoundingClientRect()`);
    // The part of the arrow's way at which each crossing of the card stands, and how far beside the line, in pixels.
    const places = `${card}.connectedEdges('.bridge').map((arrow) => {
      const pill = cy.getElementById('pill:' + arrow.id()).position();
      const [from, to] = [arrow.sourceEndpoint(), arrow.targetEndpoint()];
      const [x, y] = [to.x - from.x, to.y - from.y];
      const [dx, dy] = [pill.x - from.x, pill.y - from.y];
      return [(dx * x + dy * y) / (x * x + y * y), (dy * x - dx * y) / Math.hypot(x, y)];
    })`;
    const onLines = await drawn<[part: number, beside: number][]>(page, places);
    expect(onLines.length).toBeGreaterThan(0);
    // Tries again where the picture moved under the mouse.
    const drag = async () => {
      await page.mouse.up();
      const { x, y } = await drawn<{ x: number; y: number }>(page, `${card}.renderedPosition()`);
      await page.mouse.move(left + x, top + y);
      await page.mouse.down();
      await page.mouse.move(left + x + 90, top + y + 60, { steps: 4 });
      return drawn<number>(page, `cy.nodes(':grabbed').length`);
    };
    await expect.poll(drag).toBe(1);
    // A line that turns takes its crossing along, but for what the edges of cards change.
    const areKept = async () =>
      (await drawn<[part: number, beside: number][]>(page, places)).every(
        ([part, beside], n) => Math.abs(part - onLines[n]![0]) < 0.1 && Math.abs(beside - onLines[n]![1]) < 6,
      );
    await expect.poll(areKept).toBe(true);
    await page.mouse.up();
  });

  it('chooses an arrow by the pill of its bridge', async () => {
    const page = await openTheft();
    await follow(page);
    await page.locator('.graph-canvas').press('f');
    const pill = `cy.nodes('.pill').first()`;
    const position = await drawn<{ x: number; y: number }>(page, `${pill}.renderedPosition()`);
    await page.locator('.graph-canvas').click({ position });
    await page.getByRole('region', { name: 'Chosen flow' }).waitFor();
    expect(await drawn(page, `cy.edges(':selected').map((one) => one.id())`)).toEqual([
      await drawn(page, `${pill}.data('edge')`),
    ]);
  });

  it('exports pictures that name their data, the board, its flows and its transactions', async () => {
    const page = await openTheft();
    await follow(page);
    await page.locator('summary', { hasText: 'Export' }).click();
    const saved: Record<string, string> = {};
    for (const [kind, name] of Object.entries({
      png: 'Picture (PNG)',
      double: 'Picture at double size (PNG)',
      svg: 'Drawing (SVG)',
      json: 'Board (JSON)',
      flows: 'Flows (CSV)',
      transactions: 'Transactions (CSV)',
    })) {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name, exact: true }).click(),
      ]);
      saved[kind] = await readFile(await file.path(), 'latin1');
    }
    const widthOf = (png = '') => Buffer.from(png.slice(16, 20), 'latin1').readUInt32BE();
    expect(saved.png?.slice(1, 4)).toBe('PNG');
    expect(widthOf(saved.double)).toBe(2 * widthOf(saved.png));
    expect(saved.svg).toMatch(
      /^<svg .*Kelp Vault exploiter.*Meridian Exchange.*exchange.*Data of: 20.*Label lists: .*<\/svg>$/s,
    );
    expect(await overlapsIn(await page.context().newPage(), Buffer.from(saved.svg ?? '', 'latin1'))).toEqual([]);
    expect(JSON.parse(saved.json ?? '').scene.version).toBe(1);
    expect(saved.flows?.split('\r\n')[0]).toBe(
      'from_chain,from,from_label,to_chain,to,to_label,to_category,usd,assets,share,transfers,first_at,last_at,tx_hash,' +
        'bridge,bridge_message_id,bridge_match,arrival_tx_hash,arrived_at,part',
    );
    expect(saved.flows).toMatch(/,across,2905733,id,0x[0-9a-f]{64},2/);
    expect(saved.transactions).toContain('90000');
  });

  it('keeps both pictures where another tab saved a newer one, and lets the reader choose', async () => {
    const page = await openTheft();
    await page.locator('summary', { hasText: 'Board' }).click();
    await page.getByLabel('Name of the board').fill('Two tabs');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const id = /board\/([0-9a-f-]+)/.exec(page.url())![1]!;
    const { demo } = get();
    const headers = { 'x-api-key': demo.keys.enterprise, 'content-type': 'application/json', 'if-match': '"1"' };
    const other = await fetch(`${demo.url}/api/v1/boards/${id}`, {
      method: 'PUT',
      headers,
      body: '{"title":"From another tab"}',
    });
    expect(other.status).toBe(200);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const alert = page.getByRole('alert').filter({ hasText: 'A newer version was saved' });
    await alert.getByRole('button', { name: 'Keep this one as a board of its own' }).click();
    await page.getByText('Saved', { exact: true }).waitFor();
    const { boards } = (await call('/boards')) as unknown as { boards: { title: string }[] };
    expect(boards.map(({ title }) => title)).toEqual(expect.arrayContaining(['From another tab', 'Two tabs (2)']));
  });

  it('refuses files of other versions and shows names as text', async () => {
    const page = await openTheft();
    await page.locator('summary', { hasText: 'Board' }).click();
    const choose = (content: string) =>
      page
        .locator('input[type=file]')
        .setInputFiles({ name: 'board.json', mimeType: 'application/json', buffer: Buffer.from(content) });
    await choose('{"scene":{"version":2}}');
    await page.getByText('This is not a board that can be shown').waitFor();
    const { nodes } = begun(EMPTY_SCENE, 'ethereum:0xa');
    const named = nodes.map((node) => ({ ...node, label: '<img src=x onerror=alert(1)>' }));
    await choose(JSON.stringify({ ...EMPTY_SCENE, nodes: named }));
    await expect.poll(() => drawnNodes(page)).toEqual(['ethereum:0xa']);
    await clickOn(page, 'ethereum:0xa');
    await page.getByRole('heading', { name: '<img src=x onerror=alert(1)>' }).waitFor();
  });

  it('is used by keyboard alone, in Japanese and dark', async () => {
    const page = await openTheft({ language: 'ja', theme: 'dark' });
    const canvas = page.locator('.graph-canvas');
    await canvas.focus();
    await page.keyboard.press('ArrowRight');
    const chosen = () => drawn<string[]>(page, `cy.nodes(':selected').map((node) => node.id())`);
    await expect.poll(chosen).toHaveLength(1);
    const [first] = await chosen();
    await page.keyboard.press('p');
    await expect.poll(() => drawn(page, `cy.getElementById('${first}').hasClass('pinned')`)).toBe(true);
    await page.keyboard.press('h');
    await expect.poll(() => drawnNodes(page)).not.toContain(first);
    await page.keyboard.press('u');
    await expect.poll(() => drawnNodes(page)).toContain(first);
    await page.keyboard.press('Control+a');
    await expect.poll(async () => (await chosen()).length).toBeGreaterThan(3);
    await page.keyboard.press('Escape');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: /取引相手を表示/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'キャンバスのキー' }).waitFor();
    await expectAccessible(page);
    await picture(page, 'investigate-ja-dark');
  });

  it('leads by keys from card to card, along the arrows of one, to its details and back, and moves it', async () => {
    const scene = sceneOfThreeChains(12);
    const page = await openBoard('By keys', { ...scene, texts: [{ id: 'text:1', x: 0, y: -200, text: 'Noted' }] });
    const canvas = page.locator('.graph-canvas');
    const said = page.locator('.stage-picture [aria-live]');
    const chosen = () => drawn<string[]>(page, `cy.elements(':selected').map((one) => one.id())`);
    const press = async (key: string, expected: string[]) => {
      await page.keyboard.press(key);
      await expect.poll(chosen).toEqual(expected);
    };
    const [first, second, third] = scene.nodes.map(({ key }) => key) as [string, string, string];
    await canvas.focus();
    await press('ArrowRight', [first]);
    expect(await said.textContent()).toBe('Meridian Exchange: hot wallet');
    await press('ArrowDown', [second]);
    await press('ArrowUp', [first]);
    await press('Shift+ArrowDown', [first, second]);
    expect(await said.textContent()).toBe('2 addresses chosen');
    await press('Escape', []);
    await press('ArrowRight', [first]);
    await press('ArrowUp', ['text:1']);
    await press('ArrowDown', [first]);
    // The arrows of a card in turn; from one of them to its ends.
    const arrows = scene.flows.filter(({ to }) => to === third).map(({ from, to }) => `${from}>${to}`);
    expect(arrows).toHaveLength(1);
    const ofThird = scene.flows.filter(({ from, to }) => from === third || to === third).map(({ id }) => id);
    await press('ArrowDown', [second]);
    await press('ArrowDown', [third]);
    const seen = new Set<string>();
    for (const _ of ofThird) {
      await page.keyboard.press('l');
      await expect.poll(async () => (await chosen()).some((id) => ofThird.includes(id) && !seen.has(id))).toBe(true);
      seen.add((await chosen())[0]!);
    }
    expect([...seen].sort()).toEqual(ofThird.sort());
    expect(await said.textContent()).toMatch(/ → .*USDT/);
    await page.keyboard.press('Escape');
    await press('ArrowRight', [first]);
    const y = () => drawn<number>(page, `cy.getElementById('${first}').position().y`);
    const before = await y();
    await page.keyboard.press('Control+ArrowDown');
    await expect.poll(y).toBe(before + 20);
    await page.keyboard.press('Control+z');
    await expect.poll(y).toBe(before);
    // Details, search and menus each lead back to the canvas.
    const isAt = (selector: string) =>
      page.locator(selector).evaluate((one) => one === one.ownerDocument.activeElement);
    await page.keyboard.press('Enter');
    await expect.poll(() => isAt('.stage-panel')).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Escape');
    await expect.poll(() => isAt('.graph-canvas')).toBe(true);
    await page.keyboard.press('/');
    await expect.poll(() => isAt('#canvas-search')).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await expect.poll(() => isAt('.graph-canvas')).toBe(true);
    expect(await chosen()).toEqual([first]);
    // A sheet that the focus leaves covers nothing any more.
    const filters = page.locator('.tools summary', { hasText: 'Filters' });
    await filters.focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('US dollars at least').waitFor();
    for (let n = 0; n < 20 && (await page.locator('.tools details[open]').count()) > 0; n++)
      await page.keyboard.press('Tab');
    expect(await page.locator('.tools details[open]').count()).toBe(0);
  });

  it('offers on a phone to arrange what is too wide to be read there, once and as one step', async () => {
    const scene = sceneOfThreeChains(12);
    const nodes = scene.nodes.map((node, n) => ({ ...node, x: 300 * n, y: 0 }));
    const page = await openBoard('A long way', { ...scene, nodes });
    const offer = page.getByRole('button', { name: 'Too wide to be read here' });
    expect(await offer.count()).toBe(0);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.graph-canvas').press('f');
    await offer.click();
    await offer.waitFor({ state: 'detached' });
    await expect.poll(() => drawn(page, `cy.nodes('.address').filter((one) => !one.data('say')).length`)).toBe(0);
    await expect.poll(() => drawn(page, UNREADABLE)).toEqual([]);
    await page.locator('.graph-canvas').press('Control+z');
    await expect.poll(() => drawn(page, `cy.nodes('.address').max((one) => one.position().x).value`)).toBe(3_300);
  });

  it('keeps names in the widest letters within their cards', async () => {
    const scene = sceneOfThreeChains(12);
    const wide = [
      'БИРЖА ЩЩШШЖЖ ЮЮЮЮЮЮЮЮ',
      'WWWWWW@@@@@@WWWWWW',
      '——— ⸺⸺ ———————',
      'メリディアン取引所：ホットウォレット',
    ];
    const nodes = scene.nodes.map((node, n) => ({ ...node, label: n === 11 ? null : wide[n % wide.length]! }));
    const page = await openBoard('Wide letters', { ...scene, nodes });
    await page.locator('.graph-canvas').press('a');
    await idle(page);
    const label = '{ includeNodes: false, includeEdges: false, includeOverlays: false }';
    const beyond = `cy.nodes('.address').not('.far').map((one) =>
      one.boundingBox(${label}).w - one.boundingBox({ includeLabels: false, includeOverlays: false }).w)`;
    for (const zoom of [1.2, 0.9, 0.7, 0.55]) {
      await drawn(page, `(cy.zoom(${zoom}), cy.center(), true)`);
      await expect
        .poll(() => drawn<number[]>(page, beyond).then((all) => all.filter((width) => width > 0)))
        .toEqual([]);
      // An address is cut in its middle, once.
      expect(await drawn(page, `cy.getElementById('${nodes[11]!.key}').data('say')`)).toMatch(/^0x0{4,6}…0{2,4}0c/);
    }
  });

  it('keeps all tools of a tablet in one row, whole, in Spanish', async () => {
    const page = await get().open('#/investigate', { language: 'es' });
    await page.locator('.tools').waitFor();
    await page.setViewportSize({ width: 768, height: 1024 });
    const cut = `[...document.querySelectorAll('.tools > *, .panel-start button')].filter((one) =>
      one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent)`;
    expect(await page.evaluate(cut)).toEqual([]);
    const rows = `new Set([...document.querySelectorAll('.tools > *')].map((one) => Math.round(one.getBoundingClientRect().top))).size`;
    expect(await page.evaluate(rows)).toBe(1);
  });

  it('fits a phone, where the panel is a sheet below the canvas, which keeps what is chosen in sight, in Spanish', async () => {
    const page = await openTheft({ language: 'es' });
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await idle(page);
    const subject = await drawn<string>(page, `cy.nodes('.subject')[0].id()`);
    await clickOn(page, subject);
    await page.getByRole('button', { name: 'Ocultar detalles' }).waitFor();
    const place = `cy.getElementById('${subject}').renderedPosition()`;
    await expect.poll(() => drawn(page, `${place}.y > 0 && ${place}.y < cy.height()`)).toBe(true);
    const canvas = (await page.locator('.graph-canvas').boundingBox())!;
    const sheet = (await page.locator('.stage-panel').boundingBox())!;
    expect(canvas.height).toBeGreaterThan(200);
    expect(canvas.y + canvas.height).toBeLessThanOrEqual(sheet.y + 1);
    expect(sheet.y + sheet.height).toBeLessThanOrEqual(844);
    await page.getByRole('button', { name: 'Seguir el dinero' }).click();
    await page.getByRole('heading', { name: 'Dónde está el dinero' }).waitFor();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
    await expectAccessible(page);
    await picture(page, 'investigate-phone');
  });

  it('confirms a likely arrival over a bridge with a reason, and withdraws that', async () => {
    const place = (chain: 'ethereum' | 'arbitrum', name: string) => addressOf('bridge_likely', name, chain);
    await scan('ethereum', place('ethereum', 'causeway_1'));
    const page = await open('ethereum', place('ethereum', 'causeway_1'));
    await follow(page);
    const row = page.getByRole('row').filter({ hasText: 'the other side is only likely' });
    await row.getByText('Decide on the likely arrival').click();
    const confirm = row.getByRole('button', { name: 'Confirm' });
    expect(await confirm.isDisabled()).toBe(true);
    await row.getByLabel('Reason').fill('The exchange named the customer.');
    await confirm.click();
    await row.getByText('Confirmed: your next answers follow the money there.').waitFor();
    // The account goes over it from now on.
    await clickOn(page, `ethereum:${place('ethereum', 'causeway_1')}`);
    await follow(page);
    await chooseArrow(
      page,
      `ethereum:${place('ethereum', 'causeway_1')}`,
      `arbitrum:${place('arbitrum', 'causeway_2')}`,
    );
    const flow = page.getByRole('region', { name: 'Chosen flow' });
    await flow.getByText('Change the decision').click();
    await flow.getByLabel('Reason').fill('A misreading.');
    await flow.getByRole('button', { name: 'Withdraw' }).click();
    await flow.getByText('Withdrawn: your next answers show it as likely.').waitFor();
  });
});
