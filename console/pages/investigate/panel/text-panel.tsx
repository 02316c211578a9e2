import type { Scene } from '../../../../src/domain/scene/scene.ts';
import { words } from '../../../browser/words.ts';
import type { Desk } from '../../../desk/desk.ts';
import { Field } from '../../../parts/field.tsx';
import { writeText } from '../../../scene/edits.ts';

/** A text on the canvas; emptied it goes. */
export function TextPanel({ desk, text }: { desk: Desk; text: Scene['texts'][number] }) {
  const texts = words().canvas;
  return (
    <section aria-label={texts.text}>
      <Field label={texts.text}>
        <textarea
          name="text"
          rows={5}
          maxLength={5_000}
          defaultValue={text.text}
          onChange={(event) => desk.edit(writeText(text.id, event.currentTarget.value, text))}
        />
      </Field>
      <button type="button" onClick={() => desk.edit(writeText(text.id, '', text))}>
        {texts.remove}
      </button>
    </section>
  );
}
