import { useState } from 'preact/hooks';
import type { CaseRole } from '../../../../../src/domain/case.ts';
import type { SceneNode } from '../../../../../src/domain/scene/scene.ts';
import { linkTo } from '../../../../browser/route.ts';
import { words } from '../../../../browser/words.ts';
import { Field } from '../../../../parts/field.tsx';
import { ChoiceSelect } from '../../../../parts/form/choice-select.tsx';
import { ErrorNote } from '../../../../parts/notes.tsx';
import type { Cases } from '../../../../service/answers.ts';
import { ApiError, apiPath, call } from '../../../../service/api.ts';
import { useAction } from '../../../../service/use-action.ts';
import { useAnswer } from '../../../../service/use-answer.ts';

interface AddToCaseProps {
  nodes: readonly SceneNode[];
  /** Arrows between each and the start of the picture, by key; of some none lead there. */
  hops: ReadonlyMap<string, number>;
}

/** Puts the chosen addresses into a case; what is there already stays as it is. Without a case it leads to the page that opens one. */
export function AddToCase({ nodes, hops }: AddToCaseProps) {
  const texts = words().investigate;
  const { answer, error } = useAnswer<Cases>((signal) => call('/cases', { signal }), []);
  const [chosen, setChosen] = useState('');
  const [role, setRole] = useState<CaseRole>(
    nodes.every(({ key }) => hops.get(key) === 0) ? 'subject' : 'intermediary',
  );
  const cases = answer?.cases ?? [];
  const id = chosen || cases[0]?.id || '';
  const adding = useAction(async () => {
    for (const { key, chain, address, label } of nodes) {
      // A subject is where distances begin.
      const hop_distance = role === 'subject' ? 0 : hops.get(key);
      const body = { chain, address, role, label: label ?? undefined, hop_distance };
      await call(apiPath`/cases/${id}/addresses`, { method: 'POST', body }).catch((error: unknown) => {
        const isThere = nodes.length > 1 && error instanceof ApiError && error.status === 409;
        if (!isThere) throw error;
      });
    }
  });
  const [first] = nodes;
  const firstHops = nodes.length === 1 && first ? hops.get(first.key) : undefined;
  const [added, setAdded] = useState(false);
  if (cases.length === 0) {
    return (
      <p>
        <ErrorNote error={error} />
        <a href={linkTo('cases')}>{texts.openCase}</a>
      </p>
    );
  }
  return (
    <details>
      <summary>{texts.addToCase}</summary>
      <div class="row">
        <Field label={texts.case}>
          <ChoiceSelect
            value={id}
            onChange={setChosen}
            choices={Object.fromEntries(cases.map((one) => [one.id, one.title]))}
          />
        </Field>
        <Field label={texts.role}>
          <ChoiceSelect value={role} onChange={(value) => setRole(value as CaseRole)} choices={words().cases.roles} />
        </Field>
        <button type="button" disabled={adding.busy} onClick={async () => setAdded(await adding.run())}>
          {texts.add}
        </button>
      </div>
      {role !== 'subject' && firstHops !== undefined && <p class="muted">{words().cases.hopsAway(firstHops)}</p>}
      <ErrorNote error={adding.error} />
      {added && (
        <p role="status">
          {texts.added} <a href={linkTo('cases', [id])}>{texts.toCase}</a>
        </p>
      )}
    </details>
  );
}
