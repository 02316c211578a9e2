import { useState } from 'preact/hooks';
import { words } from '../../browser/words.ts';
import { ConfirmButton } from '../../parts/form/confirm-button.tsx';
import { MomentText } from '../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../parts/notes.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { Table } from '../../parts/table.tsx';
import type { Keys, NewKey } from '../../service/answers.ts';
import { apiPath, call } from '../../service/api.ts';
import { key as keyOfTab, session } from '../../service/session.ts';
import { useAction } from '../../service/use-action.ts';
import { useAnswer } from '../../service/use-answer.ts';
import { KeyForm } from './key-form.tsx';

/** The keys of the account; a new one is shown once. */
export function ApiKeys() {
  const texts = words().account;
  const [created, setCreated] = useState<NewKey | null>(null);
  const { answer, error, loading, reload } = useAnswer<Keys>((signal) => call('/api-keys', { signal }), []);
  const revoke = useAction(async (id: string) => {
    await call(apiPath`/api-keys/${id}`, { method: 'DELETE' });
    reload();
  });
  const isOfTab = (prefix: string) => keyOfTab.value?.startsWith(prefix) ?? false;
  return (
    <section class="card" aria-labelledby="keys">
      <h2 id="keys">{texts.keys}</h2>
      {created && (
        <SecretOnce
          title={`${texts.newKey}: ${created.name}`}
          text={texts.newKeyText}
          secret={created.key}
          onDone={() => setCreated(null)}
        />
      )}
      <ErrorNote error={error ?? revoke.error} />
      {loading && !answer && <Loading />}
      {answer && (
        <Table
          caption={texts.keys}
          rows={answer.keys}
          keyOf={(key) => key.id}
          empty=""
          columns={[
            {
              title: texts.prefix,
              cell: (key) => (
                <>
                  <code>{key.prefix}…</code> {isOfTab(key.prefix) && <span class="muted">{texts.thisTab}</span>}
                </>
              ),
            },
            { title: texts.name, cell: (key) => key.name },
            {
              title: texts.rights,
              cell: (key) => (
                <>
                  {key.scopes.join(', ')}
                  {key.allowed_ips.length > 0 && <small class="hint">{key.allowed_ips.join(', ')}</small>}
                </>
              ),
            },
            {
              title: texts.expires,
              cell: (key) => (key.expires_at ? <MomentText at={key.expires_at} /> : texts.never),
            },
            { title: texts.created, cell: (key) => <MomentText at={key.created_at} /> },
            {
              title: texts.lastUsed,
              cell: (key) => (key.last_used_at ? <MomentText at={key.last_used_at} /> : texts.never),
            },
            {
              title: words().parts.actions,
              cell: (key) => (
                <ConfirmButton
                  label={texts.revoke}
                  about={key.name}
                  disabled={revoke.busy}
                  onConfirm={() => revoke.run(key.id)}
                />
              ),
            },
          ]}
        />
      )}
      {answer && (
        <KeyForm
          held={answer.keys.find(({ prefix }) => isOfTab(prefix))?.scopes ?? session.value?.rights ?? []}
          onCreated={(fresh) => {
            setCreated(fresh);
            reload();
          }}
        />
      )}
    </section>
  );
}
