import { words } from '../../../browser/words.ts';
import type { ActionId, CanvasAction } from '../../../desk/actions.ts';
import type { Desk } from '../../../desk/desk.ts';
import type { Saving } from '../../../desk/saving.ts';
import { Icon } from '../../../parts/icon.tsx';
import { ICONS, type IconName } from '../../../parts/icon-shapes.ts';
import { BoardMenu } from './board-menu.tsx';
import { ExportMenu } from './export-menu.tsx';
import { Filters } from './filters.tsx';
import { CanvasSearch } from './search.tsx';

interface ToolbarProps {
  desk: Desk;
  saving: Saving;
  actions: readonly CanvasAction[];
}

const SHOWN: ActionId[] = ['undo', 'redo', 'arrange', 'fit', 'hide', 'unhide', 'text', 'help'];

/** Search, the actions that are used most, filters, the board and its exports. */
export function Toolbar({ desk, saving, actions }: ToolbarProps) {
  const texts = words().canvas;
  const { past, future, scene } = desk.stage.value;
  const hidden = scene.nodes.filter((node) => node.hidden).length;
  const isIdle: Partial<Record<ActionId, boolean>> = {
    undo: past.length === 0,
    redo: future.length === 0,
    hide: desk.chosen.value.size === 0,
    unhide: hidden === 0,
    arrange: desk.busy.value || scene.nodes.length === 0,
  };
  return (
    <div class="toolbar" role="toolbar" aria-label={texts.tools}>
      <CanvasSearch desk={desk} />
      {SHOWN.map((id) => {
        const action = actions.find((one) => one.id === id);
        const title = id === 'unhide' && hidden > 0 ? texts.unhide(hidden) : texts.actions[id];
        return (
          <button
            key={id}
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
      <Filters desk={desk} />
      <BoardMenu desk={desk} saving={saving} />
      <ExportMenu desk={desk} saving={saving} />
      <span class="muted saving" role="status">
        {texts.saving[saving.state.value]}
      </span>
    </div>
  );
}
