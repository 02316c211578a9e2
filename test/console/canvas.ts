import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { NAME_CLASSES } from '../../console/canvas/name-sides.ts';
import * as enConsole from '../../words/en/console.ts';

/** Waits until the canvas asks nothing. */
export const idle = async (page: Page, { working } = enConsole.investigate): Promise<void> => {
  await page.locator('.graph-canvas').waitFor();
  await page.getByText(working).waitFor({ state: 'detached' });
};

/** Reads something of what the canvas draws. */
export function drawn<T>(page: Page, expression: string): Promise<T> {
  return page.evaluate(
    `(() => { const cy = document.querySelector('.graph-canvas')._cyreg.cy; return ${expression}; })()`,
  );
}

/** Ids of the drawn addresses, bundles and groups. */
export const drawnNodes = (page: Page): Promise<string[]> =>
  drawn(page, `cy.nodes('.address, .bundle, .group').map((node) => node.id())`);

/** How names stand at a scale and under the pointer: not a part of the picture. */
const SEEN = JSON.stringify(['far', ...NAME_CLASSES.keys()]);

/** The whole picture: what is drawn, where, and what it says. */
export const pictureOf = (page: Page): Promise<unknown> =>
  drawn(
    page,
    `cy.elements().map((one) => [one.id(), one.data('name'), one.classes().filter((name) => !${SEEN}.includes(name)).join(' '), one.isNode() && !one.isParent() ? one.position() : null]).sort()`,
  );

/** Chooses a node by a click on it; one out of sight is brought there. Tries again where the picture moved under the mouse. */
export async function clickOn(page: Page, id: string): Promise<void> {
  const node = `cy.getElementById('${id}')`;
  const canvas = page.locator('.graph-canvas');
  const choose = async () => {
    const position = await drawn<{ x: number; y: number } | undefined>(page, `${node}.renderedPosition()`);
    if (!position) return false;
    const { x, y } = position;
    const isInSight = await drawn<boolean>(page, `${x} > 0 && ${y} > 0 && ${x} < cy.width() && ${y} < cy.height()`);
    if (isInSight) await canvas.click({ position, timeout: 2_000 }).catch(() => undefined);
    else await canvas.press('f');
    return drawn(page, `${node}.selected()`);
  };
  await expect.poll(choose).toBe(true);
}

/** Chooses an arrow once it is drawn; a picture that is redrawn meanwhile forgets the choice. */
export async function chooseArrow(page: Page, from: string, to: string): Promise<void> {
  const choose = `(cy.elements().unselect(), cy.edges().filter((edge) => edge.source().id() === '${from}' && edge.target().id() === '${to}').select().nonempty())`;
  const flow = page.getByRole('region', { name: 'Chosen flow' });
  await expect.poll(async () => (await drawn(page, choose)) && flow.isVisible()).toBe(true);
}
