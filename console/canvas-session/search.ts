import { type ChainAddress, chainName } from '../../src/domain/chain.ts';
import { shownIds } from '../../src/domain/scene/shown.ts';
import { chainsOfHash } from '../../src/domain/tx-hash.ts';
import { words } from '../browser/words.ts';
import { ADDRESS_LENGTH_MIN, byAddress, type Hit, search } from '../service/search.ts';
import { drawPlaces } from './asks.ts';
import type { CanvasSession } from './canvas-session.ts';

const DRAWN_MAX = 6;
const PASTED_MAX = 50;

/** Everything that a text may mean, what is drawn first; without one, what was looked at last. */
export async function searchAll(session: CanvasSession, text: string, signal: AbortSignal): Promise<Hit[]> {
  const drawn = text === '' ? [] : onCanvas(session, text);
  return [...drawn, ...(await search(text, signal))];
}

/** Draws the addresses of a text that was pasted, as one step, and says what of it was left. Costs nothing. */
export async function drawPasted(session: CanvasSession, text: string, signal: AbortSignal): Promise<void> {
  const { places, others } = await placesIn(text, signal);
  if (places.length > 0) await drawPlaces(session, places, signal);
  if (places.length > 0 || others.length > 0)
    session.notice.value = words().canvas.pasted(places.length, others.length);
}

/** Finds the addresses in a text, each on the chains where it is in use; and the words that are none, or of which it is unclear. */
async function placesIn(text: string, signal: AbortSignal) {
  const wanted = [...new Set(text.split(/[\s,;"']+/).filter((word) => word.length >= ADDRESS_LENGTH_MIN))];
  const places: ChainAddress[] = [];
  const others: string[] = [];
  for (const word of wanted.slice(0, PASTED_MAX)) {
    const hits = chainsOfHash(word).length > 0 ? [] : await byAddress(word, signal);
    const inUse = hits.filter(({ isUnused }) => !isUnused);
    const certain = inUse.length > 0 ? inUse : hits.length === 1 ? hits : [];
    if (certain.length === 0) others.push(word);
    for (const { place } of certain) if (place) places.push(place);
  }
  return { places, others: [...others, ...wanted.slice(PASTED_MAX)] };
}

function onCanvas({ stage }: CanvasSession, text: string): Hit[] {
  const { scene } = stage.value;
  const wanted = text.toLowerCase();
  const ids = shownIds(scene);
  return scene.nodes
    .filter(({ address, label, entity, note }) =>
      [address, label, entity, note].some((one) => one?.toLowerCase().includes(wanted)),
    )
    .flatMap(({ key, label, address, chain }) => {
      const id = ids.get(key);
      return id === undefined
        ? []
        : [
            {
              id: `node ${key}`,
              title: label ?? address,
              about: `${words().canvas.onCanvas} · ${chainName(chain)}`,
              node: id,
            },
          ];
    })
    .slice(0, DRAWN_MAX);
}
