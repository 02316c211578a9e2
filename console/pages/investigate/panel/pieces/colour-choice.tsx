import { NODE_COLOURS } from '../../../../../src/domain/scene/bounds.ts';
import type { SceneNode } from '../../../../../src/domain/scene/scene.ts';
import { words } from '../../../../browser/words.ts';
import type { CanvasSession } from '../../../../canvas-session/canvas-session.ts';
import { changeNodes } from '../../../../scene/edits.ts';

interface ColourChoiceProps {
  session: CanvasSession;
  keys: readonly string[];
  colour: SceneNode['colour'];
}

/** Marks addresses with a colour, or takes it away. */
export function ColourChoice({ session, keys, colour }: ColourChoiceProps) {
  const texts = words().canvas;
  return (
    <fieldset class="colours">
      <legend>{texts.actions.colour}</legend>
      {[...NODE_COLOURS, null].map((one) => (
        <button
          key={one}
          type="button"
          class={`colour mark-${one ?? 'none'}`}
          aria-pressed={one === colour}
          aria-label={one === null ? texts.noColour : texts.colours[one]}
          title={one === null ? texts.noColour : texts.colours[one]}
          onClick={() => session.edit(changeNodes(keys, { colour: one }))}
        />
      ))}
    </fieldset>
  );
}
