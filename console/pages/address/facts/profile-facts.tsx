import type { ComponentChildren } from 'preact';
import { linkTo } from '../../../browser/route.ts';
import { language, words } from '../../../browser/words.ts';
import { ErrorNote, Loading } from '../../../parts/notes.tsx';
import { apiPath, call } from '../../../service/api.ts';
import type { AddressProfile, Exposures, GraphCounterparties } from '../../../service/tracing-answers.ts';
import { type Asked, useAnswer } from '../../../service/use-answer.ts';
import { Activity } from './activity.tsx';
import { Balances } from './balances.tsx';
import { ExposureBars } from './exposure-bars.tsx';
import { PartyTable } from './party-table.tsx';
import { WhoSays } from './who-says.tsx';

const PARTIES_MAX = 20;
const HOPS = 5;

interface ProfileOf {
  chain: string;
  address: string;
  /** `entity`: of its holder, as one party. */
  group: 'address' | 'entity';
}

/** All that is known without a scan: each part comes by itself, and says by itself where it failed. */
export function ProfileFacts({ chain, address, group, known }: ProfileOf & { known: Asked<AddressProfile> }) {
  const texts = words().profile;
  const lang = language.value;
  const exposure = useExposure({ chain, address, group, lang });
  const parties = useAnswer<GraphCounterparties>(
    (signal) =>
      call(apiPath`/graph/counterparties/${address}`, { query: { chain, group, limit: PARTIES_MAX }, signal }),
    [chain, address, group],
  );
  return (
    <>
      <div class="columns">
        <Part id="who-says" title={texts.whoSays} asked={known}>
          {({ labels }) => <WhoSays labels={labels} />}
        </Part>
        <div>
          <Part id="balances" title={texts.balances} asked={known}>
            {({ balances }) => <Balances balances={balances} ofHolder={group === 'entity'} />}
          </Part>
          <Part id="held-by" title={texts.heldBy} asked={known}>
            {({ cases, boards }) => <HeldBy cases={cases} boards={boards} />}
          </Part>
        </div>
      </div>
      <Part id="activity" title={texts.activity} asked={known}>
        {({ months, months_truncated }) => <Activity months={months} truncated={months_truncated} />}
      </Part>
      <Part id="exposure" title={words().investigate.exposure} asked={exposure}>
        {(answer) => <ExposureBars exposure={answer} />}
      </Part>
      <Part id="parties" title={texts.parties} asked={parties}>
        {(answer) => <PartyTable answer={answer} />}
      </Part>
    </>
  );
}

/** Asks where its money came from and went to. */
export function useExposure({ chain, address, group, lang }: ProfileOf & { lang: string }): Asked<Exposures> {
  return useAnswer(
    (signal) =>
      call(apiPath`/exposure/${address}`, { query: { chain, group, max_hops: HOPS, lang, patterns: 'off' }, signal }),
    [chain, address, group, lang],
  );
}

/** Asks for what lists, chains and the account know. */
export function useProfile({ chain, address, group }: ProfileOf): Asked<AddressProfile> {
  return useAnswer(
    (signal) => call(apiPath`/graph/profile/${address}`, { query: { chain, group }, signal }),
    [chain, address, group],
  );
}

interface PartProps<Answer> {
  id: string;
  title: string;
  asked: Asked<Answer>;
  children: (answer: Answer) => ComponentChildren;
}

function Part<Answer>({ id, title, asked: { answer, error, loading }, children }: PartProps<Answer>) {
  return (
    <section class="card" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ErrorNote error={error} />
      {loading && !answer && <Loading />}
      {answer && children(answer)}
    </section>
  );
}

/** The cases and boards of the account in which it is. */
function HeldBy({ cases, boards }: { cases: AddressProfile['cases']; boards: AddressProfile['boards'] }) {
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
