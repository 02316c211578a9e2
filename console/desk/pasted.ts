import { words } from '../browser/words.ts';
import { drawPlaces } from './asks.ts';
import type { Desk } from './desk.ts';
import { placesIn } from './search.ts';

/** Draws the addresses of a text that was pasted, as one step, and says what of it was left. Costs nothing. */
export async function drawPasted(desk: Desk, text: string, signal: AbortSignal): Promise<void> {
  const { places, others } = await placesIn(text, signal);
  if (places.length > 0) await drawPlaces(desk, places, signal);
  if (places.length > 0 || others.length > 0) desk.notice.value = words().canvas.pasted(places.length, others.length);
}
