import { signal } from '@preact/signals';

/** Size of letters in cards; none is drawn smaller on the screen than `SMALLEST`. */
export const FONT = 12;
export const SMALLEST = 10.9;
/** Heads of arrows, for their width. */
export const ARROW_SCALE = 0.9;

/** Counts the fonts that came after the page: what is drawn and measured in one is so again. */
const fonts = signal(0);
document.fonts.addEventListener('loadingdone', () => {
  fonts.value += 1;
});

/** Returns the font of the page, in which the canvas writes too. */
export function pageFont(): string {
  void fonts.value;
  return getComputedStyle(document.documentElement).fontFamily;
}

/** At this size letters are measured, from which their width at any other follows. */
const MEASURED = 100;
const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D;
const widths = new Map<string, number>();
/** The language and the fonts in which they are. */
let measuredIn = '';

/** Returns how wide the browser draws a text in one line: letters of some scripts and fonts take half as much again as an estimate. */
export function drawnWidth(text: string, size: number): number {
  const drawnIn = `${document.documentElement.lang} ${fonts.value}`;
  if (drawnIn !== measuredIn) {
    widths.clear();
    measuredIn = drawnIn;
    pen.font = `${MEASURED}px ${pageFont()}`;
  }
  const known = widths.get(text) ?? pen.measureText(text).width / MEASURED;
  widths.set(text, known);
  return known * size;
}
