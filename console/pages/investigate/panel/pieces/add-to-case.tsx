import { useState } from 'preact/hooks';
import type { CaseRole } from '../../../../../src/domain/case.ts';
import type { SceneNode } from '../../../../../src/domain/scene/scene.ts';
import { linkTo } from '../../../../browser/route.ts';
import { words } from '../../../../browser/words.ts';
import { Field } from '../../../../parts/field.tsx';
import { ChoiceSelect } from '../../../../parts/form/choice-select.tsx';
import { ErrorNote } from '../../../../parts/notes.tsx';
import type { Cases } from '../../../../service/answers.ts';
import { apiPath, call } from '../../../../service/api.ts';
import { useAction } from '../../../../service/use-action.ts';
import { useAnswer } from '../../../../service/use-answer.ts';

interface AddToCaseProps {
  node: SceneNode;
  /** Arrows between it and the start of the picture; undefined where none lead there. */
  hops: number | undefined;
}

/** Puts the chosen address into a case. Without a case it leads to the page that opens one. */
export function AddToCase({ node, hops }: AddToCaseProps) {
  const texts = words().investigate;
  const { answer, error } = useAnswer<Cases>((signal) => call('/cases', { signal }), []);
  const [chosen, setChosen] = useState('');
  const [role, setRole] = useState<CaseRole>(hops === 0 ? 'subject' : 'intermediary');
  const cases = answer?.cases ?? [];
  const id = chosen || cases[0]?.id || '';
  const adding = useAction(() => {
    // A subject is where distances begin.
    const hop_distance = role === 'subject' ? 0 : hops;
    const body = { chain: node.chain, address: node.address, role, label: node.label ?? undefined, hop_distance };
    return call(apiPath`/cases/${id}/addresses`, { method: 'POST', body });
  });
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
      {role !== 'subject' && hops !== undefined && <p class="muted">{words().cases.hopsAway(hops)}</p>}
      <ErrorNote error={adding.error} />
      {added && (
        <p role="status">
          {texts.added} <a href={linkTo('cases', [id])}>{texts.toCase}</a>
        </p>
      )}
    </details>
  );
}
