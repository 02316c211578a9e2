import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { roleOf } from '../../fixtures/demo/world.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { statementText } from '../../src/graph/statements.ts';
import { describeConsole, expectAccessible, picture } from './open-console.ts';

describeConsole('the investigate page', (get) => {
  const addressOf = (story: string, name: string) => roleOf(get().demo.world, 'ethereum', story, name).address;
  const idle = (page: Page) => page.getByText('Asking…').waitFor({ state: 'detached' });
  const canvas = (page: Page) => page.getByRole('img', { name: /Graph of/ });
  const open = async (address: string, settings = {}) => {
    const page = await get().open(`#/investigate/ethereum/${address}`, settings);
    await page.getByRole('heading', { level: 1 }).waitFor();
    return page;
  };
  const scan = async (chain: Chain, address: string) => {
    const { demo } = get();
    const headers = { 'x-api-key': demo.keys.enterprise };
    const scanned = await fetch(`${demo.url}/api/v1/public/scan?chain=${chain}&address=${address}`, { headers });
    expect(scanned.status).toBe(200);
  };
  /** The canvas of an address whose history was read, with the money behind it. */
  const openScanned = async (address: string, settings = {}) => {
    await scan('ethereum', address);
    return open(address, settings);
  };
  /** An address of a theft whose money crosses bridges. */
  const thiefOf = (chain: Chain, name: string) => roleOf(get().demo.world, chain, 'bridge_theft', name).address;
  /** Scans the last address of the theft, so that those before it are read, and opens one of Ethereum. */
  const openTheft = async (name: string) => {
    await scan('optimism', thiefOf('optimism', 'ferry_5'));
    const page = await open(thiefOf('ethereum', name));
    await idle(page);
    return page;
  };
  const findPath = async (page: Page, chain: Chain, address: string) => {
    await page.getByLabel('To', { exact: true }).fill(address);
    await page.getByLabel('Chain of the second address').selectOption(chain);
    await page.getByRole('button', { name: 'Find a path' }).click();
    await page.getByText('Paths drawn: 1').waitFor();
  };

  it('reads an address that nobody has read, and draws whom it dealt with', async () => {
    const page = await open(addressOf('scam', 'scammer'));
    await idle(page);
    await page.getByRole('button', { name: 'Read its history (1 scan)' }).click();
    await idle(page);
    expect(await canvas(page).getAttribute('aria-label')).toMatch(/Graph of 1[3-9] addresses/);
    await picture(page, 'investigate-expanded');
  });

  it('reads a dashed address by one click, and shows the evidence of a flow by a click on its arrow', async () => {
    // On a chain of its own, so that nobody has read it.
    const bscAddress = (name: string) => roleOf(get().demo.world, 'bsc', 'scam', name).address;
    const [scammer, cashier] = [`bsc:${bscAddress('scammer')}`, `bsc:${bscAddress('scam_cashier')}`];
    const page = await get().open(`#/investigate/bsc/${bscAddress('scammer')}`);
    await page.getByRole('button', { name: 'Read its history (1 scan)' }).click();
    await idle(page);
    const drawn = (id: string, place: string) =>
      page.evaluate(`document.querySelector('.graph-canvas')._cyreg.cy.getElementById('${id}').${place}`);
    const click = async (place: { x: number; y: number }) => canvas(page).click({ position: place });
    expect(await drawn(cashier, `hasClass('unread')`)).toBe(true);
    await click((await drawn(cashier, 'renderedPosition()')) as { x: number; y: number });
    await expect.poll(() => drawn(cashier, `hasClass('unread')`)).toBe(false);
    await idle(page);
    await click((await drawn(`${scammer}>${cashier}`, 'renderedMidpoint()')) as { x: number; y: number });
    const flow = page.getByRole('region', { name: 'Chosen flow' });
    await flow.getByText('Largest transaction').waitFor();
    expect(await flow.getByRole('button', { name: /^Copy 0x[0-9a-f]{64}$/ }).count()).toBe(1);
  });

  it('traces stolen money to the exchange, with progress, evidence on each flow, and the frontier to read', async () => {
    const page = await open(addressOf('laundering', 'thief'));
    await idle(page);
    await page.getByLabel('Direction').selectOption('sent');
    await page.getByLabel('Addresses at most').fill('3');
    await page.getByRole('button', { name: 'Start the trace' }).click();
    await page.getByText('Addresses read: 3').waitFor();
    await idle(page);
    const frontier = page.getByRole('region', { name: 'Frontier: where the trace ended' });
    await frontier.getByRole('button', { name: 'Read' }).first().click();
    await idle(page);
    await page.getByLabel('Addresses at most').fill('25');
    await page.getByRole('button', { name: 'Start the trace' }).click();
    await page.getByText('92.3 % of the money sent').waitFor();
    await idle(page);
    await page.getByRole('button', { name: 'Find the terminals' }).click();
    await page.getByRole('region', { name: 'Terminals' }).getByText('Meridian Exchange').first().waitFor();
    await idle(page);
    await page.locator('summary', { hasText: 'Flows' }).click();
    const flows = page.getByRole('region', { name: 'Flows' });
    expect(await flows.getByRole('row').count()).toBeGreaterThan(4);
    await expectAccessible(page);
    await picture(page, 'investigate-traced');
  });

  it('shows exposure, a path between two addresses and their relationship, each to be copied as Cypher', async () => {
    const page = await openScanned(addressOf('laundering', 'layer_4'));
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const copied = async (region: string) => {
      const shown = page.getByRole('region', { name: region });
      await shown.getByRole('button', { name: 'Copy as Cypher' }).click();
      await shown.getByRole('button', { name: 'Copied' }).waitFor();
      return page.evaluate('navigator.clipboard.readText()');
    };
    await idle(page);
    await page.getByRole('button', { name: 'Show the exposure' }).click();
    await page.getByRole('region', { name: 'Exposure' }).getByText('sanctioned').first().waitFor();
    expect(await copied('Exposure')).toContain(statementText('exposure/open', 'neo4j').trimEnd());
    await page.getByLabel('From', { exact: true }).fill(addressOf('laundering', 'thief'));
    await page.getByLabel('To', { exact: true }).fill(addressOf('laundering', 'layer_4'));
    await page.getByRole('button', { name: 'Find a path' }).click();
    await page.getByText('Paths drawn: 1').waitFor();
    expect(await copied('Two addresses')).toContain(`:param keys => ['ethereum:${addressOf('laundering', 'thief')}'];`);
    await page.getByRole('button', { name: 'Check the relationship' }).click();
    await page.getByText('They are related.').waitFor();
    await page.getByText('Paths drawn: 1').waitFor();
    expect(await copied('Two addresses')).toContain(statementText('relationship/dealings', 'neo4j').trimEnd());
  });

  it('follows money over two bridges to its end as far as a scan does, or as few hops as asked for', async () => {
    const page = await openTheft('vault_thief');
    await scan('ethereum', thiefOf('ethereum', 'vault_thief'));
    await page.getByLabel('Direction').selectOption('sent');
    const trace = page.getByRole('button', { name: 'Start the trace' });
    await page.getByLabel('Hops at most').fill('5');
    await trace.click();
    const frontier = page.getByRole('region', { name: 'Frontier: where the trace ended' });
    await frontier.getByText('the hop limit was reached').waitFor();
    await idle(page);
    await page.getByLabel('Hops at most').fill('10');
    await trace.click();
    await page.getByText('93.0 % of the money sent').waitFor();
    expect(await frontier.getByText('the hop limit was reached').count()).toBe(0);
  });

  it('finds a path to an address on another chain, and draws the crossing dashed', async () => {
    const page = await openTheft('vault_thief');
    await findPath(page, 'arbitrum', thiefOf('arbitrum', 'ferry_3'));
    const dashed = `[...document.querySelector('.graph-canvas')._cyreg.cy.edges('.bridge')]
      .map((edge) => [edge.target().id(), edge.style('line-style')])`;
    expect(await page.evaluate(dashed)).toEqual([[`arbitrum:${thiefOf('arbitrum', 'ferry_2')}`, 'dashed']]);
    await page.getByRole('button', { name: 'Check the relationship' }).click();
    await page.getByText('They are related.').waitFor();
  });

  it('draws a crossing in place of the payment to the bridge that was drawn before', async () => {
    const page = await openTheft('ferry_1');
    const paid = `[...document.querySelector('.graph-canvas')._cyreg.cy.getElementById('ethereum:${thiefOf('ethereum', 'ferry_1')}')
      .outgoers('node')].map((node) => node.data('name'))`;
    expect(await page.evaluate(paid)).toEqual(['Across: spoke pool']);
    await findPath(page, 'arbitrum', thiefOf('arbitrum', 'ferry_2'));
    await expect.poll(() => page.evaluate(paid)).toEqual([expect.stringContaining('(arbitrum)')]);
  });

  it('draws a crossing once, with the evidence of both chains in its panel, the flows and the CSV', async () => {
    const { demo } = get();
    const last = thiefOf('optimism', 'ferry_5');
    const [from, to] = [thiefOf('arbitrum', 'ferry_3'), thiefOf('optimism', 'ferry_4')];
    const arrival = demo.world.moves.optimism.find((move) => move.to === to)!.txHash;
    await scan('optimism', last);
    const page = await get().open(`#/investigate/optimism/${last}`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await idle(page);
    await page.getByRole('button', { name: 'Show the exposure' }).click();
    await page.getByRole('region', { name: 'Exposure' }).getByText('Kelp Vault exploiter').first().waitFor();
    await idle(page);
    await page.evaluate(`void document.querySelector('.graph-canvas')._cyreg.cy.edges()
      .filter((edge) => edge.source().id() === 'arbitrum:${from}' && edge.target().id() === 'optimism:${to}').emit('tap')`);
    const flow = page.getByRole('region', { name: 'Chosen flow' });
    await flow.getByRole('button', { name: `Copy ${arrival}` }).waitFor();
    for (const stated of ['Across', 'both chains state this message']) await flow.getByText(stated).waitFor();
    await flow.getByRole('button', { name: 'Copy 2905733' }).waitFor();
    await page.locator('summary', { hasText: 'Addresses' }).click();
    await page
      .getByRole('region', { name: 'Addresses' })
      .getByRole('button', { name: `Copy ${to}` })
      .waitFor();
    await page
      .getByRole('region', { name: 'Addresses' })
      .getByRole('row', { name: to })
      .getByRole('button')
      .first()
      .click();
    await page.getByRole('button', { name: 'Expand both ways' }).click();
    await idle(page);
    await page.locator('summary', { hasText: 'Flows' }).click();
    const flows = page.getByRole('region', { name: 'Flows' });
    expect(await flows.getByRole('button', { name: `Copy ${arrival}` }).count()).toBe(1);
    await expectAccessible(page);
    await picture(page, 'investigate-bridges');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV', exact: true }).click(),
    ]);
    const rows = (await readFile(await file.path(), 'utf8')).split('\r\n').filter((row) => row.includes(arrival));
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatch(new RegExp(`,across,2905733,id,${arrival},2`));
  });

  it('says in words why a trace ended, and offers to read only where that helps', async () => {
    const page = await openScanned(addressOf('bridge_without_source', 'strait'));
    await idle(page);
    await page.getByRole('button', { name: 'Start the trace' }).click();
    const frontier = page.getByRole('region', { name: 'Frontier: where the trace ended' });
    const beyond = frontier.getByRole('row', {
      name: /the other chain is not supported \(Across → 59144\)/,
    });
    await beyond.waitFor();
    await idle(page);
    expect(await beyond.getByRole('button', { name: 'Read' }).count()).toBe(0);
    await picture(page, 'investigate-frontier');
  });

  it('plays the money in order and saves the graph as PNG, SVG and CSV', async () => {
    const page = await openScanned(addressOf('laundering', 'layer_4'));
    await idle(page);
    await page.getByRole('slider', { name: 'Timeline' }).fill('1');
    await page.getByText(/Up to: 2026-02-28/).waitFor();
    await page.getByRole('button', { name: 'Play' }).click();
    await page.getByText('Up to: everything').waitFor();
    const saved: Record<string, string> = {};
    for (const kind of ['PNG', 'SVG', 'CSV']) {
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('button', { name: kind, exact: true }).click(),
      ]);
      expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${kind.toLowerCase()}$`));
      saved[kind] = await readFile(await file.path(), 'latin1');
    }
    expect(saved.PNG?.slice(1, 4)).toBe('PNG');
    expect(saved.SVG).toMatch(/^<svg .*Meridian Exchange.*<\/svg>$/s);
    expect(saved.CSV?.split('\r\n')[0]).toBe(
      'from_chain,from,from_label,to_chain,to,to_label,to_category,usd,transfers,first_at,last_at,tx_hash,' +
        'bridge,bridge_message_id,bridge_match,arrival_tx_hash,arrived_at',
    );
    expect(saved.CSV).toContain(addressOf('laundering', 'layer_4'));
  });

  it('draws five hundred addresses and stays in motion while the canvas is moved', async () => {
    const page = await open(addressOf('airdrop', 'airdropper'));
    await idle(page);
    await page.getByRole('button', { name: 'Read its history (1 scan)' }).click();
    await idle(page);
    await page.getByLabel('Counterparties at most').fill('500');
    await page.getByRole('button', { name: 'Expand both ways' }).click();
    await idle(page);
    expect(await canvas(page).getAttribute('aria-label')).toMatch(/Graph of 50\d addresses/);
    const box = (await canvas(page).boundingBox())!;
    await page.evaluate(`window.frames = 0; (function count() { frames += 1; requestAnimationFrame(count); })()`);
    await page.mouse.move(box.x + 20, box.y + 20);
    await page.mouse.down();
    for (let step = 0; step < 30; step += 1) await page.mouse.move(box.x + 20 + 8 * step, box.y + 20 + 4 * step);
    await page.mouse.up();
    // A canvas that drew everything at each move would show a handful of frames.
    expect(await page.evaluate('window.frames')).toBeGreaterThan(5);
    await picture(page, 'investigate-500');
  });

  it('serves the keyboard by a list that holds what the canvas draws, in Japanese and dark', async () => {
    const page = await openScanned(addressOf('laundering', 'layer_4'), { language: 'ja', theme: 'dark' });
    await page.getByText('問い合わせ中…').waitFor({ state: 'detached' });
    await page.locator('summary', { hasText: 'アドレス一覧' }).press('Enter');
    const row = page.getByRole('region', { name: 'アドレス一覧' }).getByRole('row', { name: /Meridian Exchange/ });
    await row.getByRole('button').first().press('Enter');
    await page.getByRole('region', { name: '選択中のアドレス' }).getByText('Meridian Exchange').waitFor();
    await expectAccessible(page);
    await picture(page, 'investigate-ja-dark');
  });

  it('confirms a likely arrival over a bridge with a reason, and withdraws that', async () => {
    const place = (chain: 'ethereum' | 'arbitrum', name: string) =>
      roleOf(get().demo.world, chain, 'bridge_likely', name).address;
    const page = await openScanned(place('ethereum', 'causeway_1'));
    await idle(page);
    const trace = async () => {
      await page.getByRole('button', { name: 'Start the trace' }).click();
      await idle(page);
    };
    await trace();
    const frontier = page.getByRole('region', { name: 'Frontier: where the trace ended' });
    await frontier.getByText('Decide on the likely arrival').first().click();
    const confirm = frontier.getByRole('button', { name: 'Confirm' });
    expect(await confirm.isDisabled()).toBe(true);
    await frontier.getByLabel('Reason').fill('The exchange named the customer.');
    await expectAccessible(page);
    await picture(page, 'investigate-likely');
    await confirm.click();
    await frontier.getByText('Confirmed: your next scans and traces follow').waitFor();
    // The next trace goes over it.
    await trace();
    const crossing = `[...document.querySelector('.graph-canvas')._cyreg.cy.edges('.bridge')].map((e) => e.target().id())`;
    expect(await page.evaluate(crossing)).toContain(`arbitrum:${place('arbitrum', 'causeway_2')}`);
    await page.evaluate(`void document.querySelector('.graph-canvas')._cyreg.cy.edges('.bridge').emit('tap')`);
    const flow = page.getByRole('region', { name: 'Chosen flow' });
    await flow.getByText('Change the decision').click();
    await flow.getByLabel('Reason').fill('A misreading.');
    await flow.getByRole('button', { name: 'Withdraw' }).click();
    await flow.getByText('Withdrawn: your next answers show it as likely.').waitFor();
  });
});
