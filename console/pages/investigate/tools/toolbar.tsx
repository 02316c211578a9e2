import { CATEGORIES, type Category } from '../../../../src/domain/label.ts';
import { EMPTY_SCENE } from '../../../../src/domain/scene/empty-scene.ts';
import { assetsIn } from '../../../../src/domain/scene/sums.ts';
import { boardGraphml } from '../../../../src/exports/graphml.ts';
import { boardCanvas } from '../../../../src/exports/json-canvas.ts';
import { codeWord } from '../../../../words/look-up.ts';
import { momentText } from '../../../browser/figures.ts';
import { goTo, linkTo } from '../../../browser/route.ts';
import { saveFile } from '../../../browser/save-file.ts';
import { bracketed, comma, labelled, words } from '../../../browser/words.ts';
import { type Imprint, picturePng, pictureSvg } from '../../../canvas/picture.ts';
import { flowsCsv, transfersCsv } from '../../../canvas/tables.ts';
import type { ActionId, CanvasAction } from '../../../canvas-session/actions.ts';
import { drawPlaces, openTransaction } from '../../../canvas-session/asks.ts';
import { type CanvasSession, usualTitle } from '../../../canvas-session/canvas-session.ts';
import { drawHolder } from '../../../canvas-session/holder.ts';
import type { Saving } from '../../../canvas-session/saving.ts';
import { searchAll } from '../../../canvas-session/search.ts';
import { Dropdown } from '../../../parts/dropdown.tsx';
import { Field } from '../../../parts/field.tsx';
import { Checkbox } from '../../../parts/form/checkbox.tsx';
import { ChoiceSelect } from '../../../parts/form/choice-select.tsx';
import { Icon } from '../../../parts/icon.tsx';
import { ICONS, type IconName } from '../../../parts/icon-shapes.ts';
import { ErrorNote } from '../../../parts/notes.tsx';
import { SearchBox } from '../../../parts/search-box.tsx';
import { setFilters } from '../../../scene/edits.ts';
import type { Sources } from '../../../service/answers.ts';
import { ApiError, call } from '../../../service/api.ts';
import type { Hit } from '../../../service/search.ts';
import { useAction } from '../../../service/use-action.ts';
import { BoardMenu } from './board-menu.tsx';

interface ToolbarProps {
  session: CanvasSession;
  saving: Saving;
  actions: readonly CanvasAction[];
}

const SHOWN: ActionId[] = ['undo', 'redo', 'arrange', 'fit', 'hide', 'unhide', 'text', 'help'];

/** Left out on a phone, which has it elsewhere or has no keyboard for it. */
const WIDE_ONLY: ActionId[] = ['fit', 'help'];

/** Search, the actions that are used most, filters, the board and its exports. */
export function Toolbar({ session, saving, actions }: ToolbarProps) {
  const texts = words().canvas;
  const { past, future, scene } = session.stage.value;
  const hidden = scene.nodes.filter((node) => node.hidden).length;
  const isIdle: Partial<Record<ActionId, boolean>> = {
    undo: past.length === 0,
    redo: future.length === 0,
    hide: session.chosen.value.size === 0,
    unhide: hidden === 0,
    arrange: session.busy.value || scene.nodes.length === 0,
  };
  return (
    <div class="toolbar" role="toolbar" aria-label={texts.tools}>
      <CanvasSearch session={session} />
      <div class="tools">
        {SHOWN.map((id) => {
          const action = actions.find((one) => one.id === id);
          const title = id === 'unhide' && hidden > 0 ? texts.unhide(hidden) : texts.actions[id];
          return (
            <button
              key={id}
              class={WIDE_ONLY.includes(id) ? 'wide-only' : undefined}
              type="button"
              disabled={isIdle[id] || !action}
              title={action ? `${title} (${action.key})` : title}
              aria-label={title}
              onClick={() => action?.run()}
            >
              {id in ICONS ? <Icon name={id as IconName} /> : title}
            </button>
          );
        })}
        <Filters session={session} />
        <BoardMenu session={session} saving={saving} />
        <ExportMenu session={session} saving={saving} />
      </div>
      <span class="muted saving" role="status">
        {texts.saving[saving.state.value]}
      </span>
    </div>
  );
}

/** Shows the search box of the canvas: a hit is added to the picture or opened alone. Spends only where it says so. */
function CanvasSearch({ session }: { session: CanvasSession }) {
  const isBegun = session.stage.value.scene.nodes.length > 0;
  const take = (hit: Hit, alone: boolean) => {
    // Keys go on where the hit is.
    document.querySelector<HTMLElement>('.graph-canvas')?.focus();
    if (hit.node) session.chosen.value = new Set([hit.node]);
    else if (hit.transaction) {
      const { transaction } = hit;
      void session.run((signal) => openTransaction(session, transaction, signal));
    } else if (hit.holder && !alone) {
      const { holder } = hit;
      void session.run((signal) => drawHolder(session, holder, signal));
    } else if (hit.place && isBegun && !alone) {
      const { place } = hit;
      void session.run((signal) => drawPlaces(session, [place], signal));
    } else if (hit.link) goTo(linkTo(...hit.link));
  };
  return (
    <SearchBox
      id="canvas-search"
      search={(text, signal) => searchAll(session, text, signal)}
      onTake={take}
      second={(hit, takeAlone) =>
        hit.place &&
        isBegun && (
          // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: Shift+Enter in the box
          <span
            class="link"
            title="Shift+Enter"
            onClick={(event) => {
              event.stopPropagation();
              takeAlone();
            }}
          >
            {words().canvas.openAlone}
          </span>
        )
      }
    />
  );
}

/** Which money the picture shows; all sums follow. */
function Filters({ session }: { session: CanvasSession }) {
  const texts = words().canvas;
  const { filters, flows, nodes } = session.stage.value.scene;
  const categories = CATEGORIES.filter((one) => nodes.some(({ category }) => category === one));
  const active = activeFilters(session);
  const toggled = <T,>(list: readonly T[], one: T) =>
    list.includes(one) ? list.filter((other) => other !== one) : [...list, one];
  return (
    <Dropdown label={active > 0 ? bracketed(texts.filters, active) : texts.filters}>
      <Field label={texts.minUsd}>
        <input
          type="number"
          min="0"
          value={filters.min_usd ?? ''}
          onChange={({ currentTarget: { value } }) =>
            session.edit(setFilters({ min_usd: value === '' ? null : Math.max(0, Number(value)) }))
          }
        />
      </Field>
      <Field label={words().investigate.direction}>
        <ChoiceSelect
          value={filters.direction}
          choices={texts.directions}
          onChange={(value) => session.edit(setFilters({ direction: value as typeof filters.direction }))}
        />
      </Field>
      <Checkbox
        label={texts.followedOnly}
        checked={filters.followed_only}
        onChange={(checked) => session.edit(setFilters({ followed_only: checked }))}
      />
      <fieldset class="choices-list">
        <legend>{texts.assets}</legend>
        {assetsIn(flows).map((asset) => (
          <Checkbox
            key={asset}
            label={asset}
            checked={filters.assets.includes(asset)}
            onChange={() => session.edit(setFilters({ assets: toggled(filters.assets, asset).slice(0, 200) }))}
          />
        ))}
      </fieldset>
      <fieldset class="choices-list">
        <legend>{words().investigate.category}</legend>
        {categories.map((category: Category) => (
          <Checkbox
            key={category}
            label={codeWord(words().codes, category)}
            checked={filters.categories.includes(category)}
            onChange={() => session.edit(setFilters({ categories: toggled(filters.categories, category) }))}
          />
        ))}
      </fieldset>
      <button type="button" disabled={active === 0} onClick={() => session.edit(setFilters(EMPTY_SCENE.filters))}>
        {texts.noFilters}
      </button>
    </Dropdown>
  );
}

function activeFilters({ stage }: CanvasSession): number {
  const { from, to, min_usd, assets, categories, direction, followed_only } = stage.value.scene.filters;
  const isActive = [from !== null || to !== null, min_usd !== null, assets.length > 0, categories.length > 0];
  return [...isActive, direction !== 'both', followed_only].filter(Boolean).length;
}

const KINDS = ['png1', 'png2', 'svg', 'json', 'graphml', 'canvas', 'flows', 'transactions'] as const;
type Kind = (typeof KINDS)[number];

/** Saves the picture, its scene and its tables; pictures name their data. */
function ExportMenu({ session, saving }: { session: CanvasSession; saving: Saving }) {
  const texts = words().canvas;
  const exporting = useAction((kind: Kind) => exportAs(kind, session, saving));
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

async function exportAs(kind: Kind, session: CanvasSession, saving: Saving): Promise<void> {
  const { scene } = session.stage.value;
  const shown = session.shown.value;
  const title = saving.board.value?.title ?? usualTitle(session);
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
  const picture = pictureSvg(scene, shown, await imprintOf(session, title));
  if (kind === 'svg') return saveFile(`${name}.svg`, new Blob([picture.svg], { type: 'image/svg+xml' }));
  saveFile(`${name}.png`, await picturePng(picture, kind === 'png2' ? 2 : 1));
}

/** Day of the data, the span that is shown, the chains that were read, and the label lists with their days. */
async function imprintOf(session: CanvasSession, title: string): Promise<Imprint> {
  const texts = words().canvas;
  const { nodes, filters } = session.stage.value.scene;
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
