import { useState } from 'preact/hooks';
import { words } from '../browser/words.ts';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { tryKey } from '../service/api.ts';
import { refusal, signIn } from '../service/session.ts';

/** Takes an API key once the service accepts it. */
export function SignIn() {
  const texts = words().layout;
  const [given, setGiven] = useState('');
  const [error, setError] = useState<Error | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await tryKey(given.trim());
      signIn(given.trim());
    } catch (refused) {
      setError(refused as Error);
      setBusy(false);
    }
  };
  return (
    <form class="card sign-in" onSubmit={submit}>
      <h1>{texts.signIn}</h1>
      <p>{texts.about}</p>
      <Field label={texts.apiKey} hint={texts.keyHint}>
        <input
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          placeholder="tfk_…"
          value={given}
          onInput={(event) => setGiven(event.currentTarget.value)}
        />
      </Field>
      <ErrorNote error={error ?? refusal.value} />
      <button type="submit" class="primary" disabled={busy}>
        {texts.signIn}
      </button>
    </form>
  );
}
