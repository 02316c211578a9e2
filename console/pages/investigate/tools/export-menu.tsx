import { boardGraphml } from '../../../../src/exports/graphml.ts';
import { boardCanvas } from '../../../../src/exports/json-canvas.ts';
import { momentText } from '../../../browser/figures.ts';
import { saveFile } from '../../../browser/save-file.ts';
import { comma, labelled, words } from '../../../browser/words.ts';
import { type Imprint, picturePng, pictureSvg } from '../../../canvas/picture.ts';
import { flowsCsv, transfersCsv } from '../../../canvas/tables.ts';
import { type Desk, usualTitle } from '../../../desk/desk.ts';
import type { Saving } from '../../../desk/saving.ts';
import { Dropdown } from '../../../parts/dropdown.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import type { Sources } from '../../../service/answers.ts';
import { ApiError, call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';

const KINDS = ['png1', 'png2', 'svg', 'json', 'graphml', 'canvas', 'flows', 'transactions'] as const;
type Kind = (typeof KINDS)[number];

/** Saves the picture, its scene and its tables; pictures name their data. */
export function ExportMenu({ desk, saving }: { desk: Desk; saving: Saving }) {
  const texts = words().canvas;
  const exporting = useAction((kind: Kind) => exportAs(kind, desk, saving));
  return (
    <Dropdown label={texts.export}>
      <div class="menu-list">
        {KINDS.map((kind) => (
          <button key={kind} type="button" disabled={exporting.busy} onClick={() => exporting.run(kind)}>
            {texts.exports[kind]}
          </button>
        ))}
      </div>
      <ErrorNote error={exporting.error} />
    </Dropdown>
  );
}

async function exportAs(kind: Kind, desk: Desk, saving: Saving): Promise<void> {
  const { scene } = desk.stage.value;
  const shown = desk.shown.value;
  const title = saving.board.value?.title ?? usualTitle(desk);
  const name = `traceflow-${title.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 40)}`;
  if (kind === 'json') {
    return saveFile(
      `${name}.json`,
      new Blob([JSON.stringify({ title, scene }, null, 1)], { type: 'application/json' }),
    );
  }
  if (kind === 'graphml') {
    return saveFile(`${name}.graphml`, new Blob([boardGraphml(title, scene)], { type: 'application/graphml+xml' }));
  }
  if (kind === 'canvas') {
    return saveFile(`${name}.canvas`, new Blob([boardCanvas(scene)], { type: 'application/json' }));
  }
  if (kind === 'flows') return saveFile(`${name}-flows.csv`, flowsCsv(scene, shown));
  if (kind === 'transactions') {
    const rows = shown.edges.flatMap(({ flows }) =>
      flows.flatMap((flow) => flow.transfers.map((one) => ({ ...one, flow }))),
    );
    return saveFile(`${name}-transactions.csv`, transfersCsv(rows));
  }
  const picture = pictureSvg(scene, shown, await imprintOf(desk, title));
  if (kind === 'svg') return saveFile(`${name}.svg`, new Blob([picture.svg], { type: 'image/svg+xml' }));
  saveFile(`${name}.png`, await picturePng(picture, kind === 'png2' ? 2 : 1));
}

/** Day of the data, the span that is shown, the chains that were read, and the label lists with their days. */
async function imprintOf(desk: Desk, title: string): Promise<Imprint> {
  const texts = words().canvas;
  const { nodes, filters } = desk.stage.value.scene;
  const known = await sourcesOf();
  const chains = [...new Set(nodes.map(({ chain }) => chain))].sort();
  const hosts = (known?.sources ?? []).flatMap(({ chain, host }) =>
    chains.some((one) => one === chain) && host ? [host] : [],
  );
  const lists = (known?.loaded_lists ?? []).map(({ source, as_of }) => `${source} ${as_of}`);
  const isSpan = filters.from !== null || filters.to !== null;
  return {
    title,
    lines: [
      labelled(texts.dataOf, momentText(new Date().toISOString())),
      ...(isSpan ? [labelled(texts.timeline, `${momentText(filters.from)} – ${momentText(filters.to)}`)] : []),
      labelled(texts.chains, chains.join(comma())),
      labelled(texts.sources, [...new Set(hosts)].join(comma()) || '–'),
      labelled(texts.lists, lists.slice(0, 8).join(comma()) || '–'),
      'traceflow',
    ],
  };
}

/** Sources and lists; null for a key that may not see them. */
async function sourcesOf(): Promise<Sources | null> {
  return call<Sources>('/sources').catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 403) return null;
    throw error;
  });
}
