import { useState } from 'preact/hooks';
import { goTo, linkTo, type Route } from '../../../browser/route.ts';
import { language, words } from '../../../browser/words.ts';
import { Field } from '../../../parts/field.tsx';
import { ErrorNote } from '../../../parts/notes.tsx';
import { call } from '../../../service/api.ts';
import { useAction } from '../../../service/use-action.ts';
import { batchEntries } from './batch-entries.ts';
import { BatchResults } from './batch-results.tsx';

/** `#/scan/batch` takes addresses, `#/scan/batch/<job>` follows their scans. */
export function BatchSection({ route }: { route: Route }) {
  const [, jobId] = route.parts;
  return jobId ? <BatchResults key={jobId} jobId={jobId} /> : <BatchForm />;
}

function BatchForm() {
  const texts = words().checks;
  const [text, setText] = useState('');
  const entries = batchEntries(text);
  const { run, busy, error } = useAction(async () => {
    const body = { addresses: entries, lang: language.value };
    const { job_id } = await call<{ job_id: string }>('/public/scan/batch', { method: 'POST', body });
    goTo(linkTo('scan', ['batch', job_id]));
  });
  const submit = (event: Event) => {
    event.preventDefault();
    run();
  };
  const readFile = async ({ currentTarget: input }: { currentTarget: HTMLInputElement }) => {
    const [file] = input.files ?? [];
    if (file) setText(await file.text());
  };
  return (
    <form class="card" aria-label={texts.sections.batch} onSubmit={submit}>
      <Field label={texts.entries} hint={texts.entriesHint}>
        <textarea rows={8} spellcheck={false} value={text} onInput={(event) => setText(event.currentTarget.value)} />
      </Field>
      <Field label={texts.chooseFile}>
        <input type="file" accept=".csv,.txt,text/csv,text/plain" onChange={readFile} />
      </Field>
      <ErrorNote error={error} />
      <div class="row center">
        <button type="submit" class="primary" disabled={busy || entries.length === 0}>
          {texts.startBatch}
        </button>
        <span class="muted" role="status">
          {entries.length > 0 && texts.readEntries(entries.length)}
        </span>
      </div>
    </form>
  );
}
