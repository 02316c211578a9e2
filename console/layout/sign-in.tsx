import { useState } from 'preact/hooks';
import { words } from '../browser/words.ts';
import { Field } from '../parts/field.tsx';
import { ErrorNote } from '../parts/notes.tsx';
import { tryKey } from '../service/api.ts';
import { refusal, session, signIn } from '../service/session.ts';

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
      <ByName />
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

/** The way to the provider where the operator set one, and why it led back without a session. */
function ByName() {
  const texts = words().layout;
  const url = session.value?.sign_in_url;
  if (!url) return null;
  const reason = new URLSearchParams(location.search).get('sign_in') as keyof typeof texts.refusedSignIns | null;
  return (
    <>
      {reason && <ErrorNote error={texts.refusedSignIns[reason] ?? texts.refusedSignIns.refused} />}
      <p>
        <a class="primary button" href={`${url}?return_to=${encodeURIComponent(`/${location.hash}`)}`}>
          {texts.signInByName}
        </a>
      </p>
    </>
  );
}
