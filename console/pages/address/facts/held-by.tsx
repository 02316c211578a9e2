import { linkTo } from '../../../browser/route.ts';
import { words } from '../../../browser/words.ts';
import type { AddressProfile } from '../../../service/tracing-answers.ts';

/** The cases and boards of the account in which it is. */
export function HeldBy({ cases, boards }: { cases: AddressProfile['cases']; boards: AddressProfile['boards'] }) {
  const { profile: texts, cases: caseTexts } = words();
  if (cases.length + boards.length === 0) return <p class="note">{texts.heldNowhere}</p>;
  return (
    <ul class="plain">
      {cases.map(({ id, title, role, status }) => (
        <li key={id}>
          <a href={linkTo('cases', [id])}>{title}</a>{' '}
          <span class="muted">
            {[words().investigate.case, caseTexts.statuses[status], caseTexts.roles[role]].join(' · ')}
          </span>
        </li>
      ))}
      {boards.map(({ id, title }) => (
        <li key={id}>
          <a href={linkTo('investigate', ['board', id])}>{title}</a> <span class="muted">{words().canvas.board}</span>
        </li>
      ))}
    </ul>
  );
}
