import { words } from '../../../../browser/words.ts';
import type { CanvasSession } from '../../../../canvas-session/canvas-session.ts';
import { Field } from '../../../../parts/field.tsx';
import { changeNodes } from '../../../../scene/edits.ts';

interface NoteFieldProps {
  session: CanvasSession;
  keys: readonly string[];
  /** The note that stands there; what is written over several stands empty at first. */
  note?: string | null;
}

/** Writes a note at nodes of the picture, or takes it away. */
export function NoteField({ session, keys, note }: NoteFieldProps) {
  const isOne = keys.length === 1;
  const texts = words().canvas;
  return (
    <Field label={isOne ? texts.note : texts.noteOfAll}>
      <textarea
        name="note"
        rows={isOne ? 3 : 2}
        maxLength={5_000}
        defaultValue={note ?? ''}
        onChange={(event) => session.edit(changeNodes(keys, { note: event.currentTarget.value.trim() || null }))}
      />
    </Field>
  );
}
