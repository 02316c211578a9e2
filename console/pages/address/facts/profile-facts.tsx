import type { ComponentChildren } from 'preact';
import { chainName } from '../../../../src/domain/chain.ts';
import { dollars, writtenDay } from '../../../browser/figures.ts';
import { linkTo } from '../../../browser/route.ts';
import { language, words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { CategoryBadge } from '../../../parts/category-badge.tsx';
import { DecimalText, fractionOf } from '../../../parts/decimal-text.tsx';
import { HolderLink } from '../../../parts/holder-link.tsx';
import { MomentText } from '../../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../../parts/notes.tsx';
import { OwnLabels } from '../../../parts/own-labels.tsx';
import { Table } from '../../../parts/table.tsx';
import { apiPath, call } from '../../../service/api.ts';
import type { AddressProfile, Exposures, GraphCounterparties } from '../../../service/tracing-answers.ts';
import { type Asked, useAnswer } from '../../../service/use-answer.ts';
import { Activity } from './activity.tsx';
import { ExposureBars } from './exposure-bars.tsx';

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
  // Where nothing can be known, what was asked first says so for all of them.
  const isKnown = known.answer !== null || known.error !== null;
  const after = <Answer,>(asked: Asked<Answer>) =>
    isKnown || !asked.error ? asked : { ...asked, error: null, loading: true };
  return (
    <>
      <div class="columns">
        <div>
          <Part id="who-says" title={texts.whoSays} asked={known}>
            {({ labels }) => <WhoSays labels={labels} />}
          </Part>
          <Part id="held-by" title={texts.heldBy} asked={known}>
            {({ cases, boards }) => <HeldBy cases={cases} boards={boards} />}
          </Part>
        </div>
        <Part id="balances" title={texts.balances} asked={known}>
          {({ balances }) => <Balances balances={balances} ofHolder={group === 'entity'} />}
        </Part>
      </div>
      <Part id="activity" title={texts.activity} asked={known}>
        {({ months, months_truncated }) => <Activity months={months} truncated={months_truncated} />}
      </Part>
      <Part id="exposure" title={words().investigate.exposure} asked={after(exposure)}>
        {(answer) => <ExposureBars exposure={answer} />}
      </Part>
      <Part id="parties" title={texts.parties} asked={after(parties)}>
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

interface BalancesProps {
  balances: AddressProfile['balances'];
  /** True for a holder: each row names its address. */
  ofHolder: boolean;
}

/** Lists what the chain said that is held, each with the moment at which it did. */
function Balances({ balances, ofHolder }: BalancesProps) {
  const texts = words().profile;
  const fraction = fractionOf(balances.map(({ amount }) => Number(amount)));
  return (
    <Table
      caption={texts.balances}
      rows={balances}
      keyOf={(one) => `${one.chain} ${one.address} ${one.asset}`}
      empty={texts.noBalances}
      columns={[
        ...(ofHolder
          ? [
              {
                title: words().parts.address,
                cell: ({ chain, address }: AddressProfile['balances'][number]) => (
                  <>
                    <AddressText chain={chain} address={address} /> <span class="muted">{chainName(chain)}</span>
                  </>
                ),
              },
            ]
          : []),
        { title: texts.asset, cell: (one) => one.asset },
        {
          title: words().parts.amount,
          cell: (one) => <DecimalText value={Number(one.amount)} fraction={fraction} />,
          numeric: true,
        },
        { title: texts.statedAt, cell: (one) => <MomentText at={one.at} /> },
      ]}
    />
  );
}

type Row = GraphCounterparties['counterparties'][number];

/** Lists the largest counterparties: name and holder, what came from them and what went to them. */
function PartyTable({ answer }: { answer: GraphCounterparties }) {
  const texts = words().profile;
  return (
    <>
      <Table
        caption={texts.parties}
        rows={answer.counterparties}
        keyOf={(one) => one.address}
        empty={texts.noParties}
        columns={[
          { title: texts.party, cell: (one) => <PartyName chain={answer.chain} party={one} /> },
          { title: texts.cameFrom, cell: (one) => <Sum of={one.received} />, numeric: true },
          { title: texts.wentTo, cell: (one) => <Sum of={one.sent} />, numeric: true },
          { title: texts.lastDealing, cell: (one) => <MomentText at={lastOf(one)} /> },
        ]}
      />
      {answer.total > answer.counterparties.length && (
        <p class="muted">{texts.partiesOf(answer.counterparties.length, answer.total)}</p>
      )}
    </>
  );
}

function PartyName({ chain, party }: { chain: string; party: Row }) {
  const texts = words().profile;
  const { address, label, category, entity_id, address_count = 1 } = party;
  return (
    <>
      {label} <AddressText chain={chain} address={address} /> <CategoryBadge category={category} />
      <OwnLabels labels={party.own_labels} />
      {entity_id && (
        <div class="muted">
          <HolderLink {...party} />
          {address_count > 1 && ` · ${texts.addressCount(address_count)}`}
        </div>
      )}
    </>
  );
}

function Sum({ of }: { of: Row['sent'] }) {
  if (!of) return null;
  return (
    <>
      {dollars(of.usd)}
      {of.tx_count > 1 && <div class="muted">{words().profile.transactions(of.tx_count)}</div>}
    </>
  );
}

function lastOf({ sent, received }: Row): string | undefined {
  return [sent?.last_at, received?.last_at].filter(Boolean).sort().at(-1);
}

type Stated = AddressProfile['labels'][number];

/** The labels of all lists, each with its source and day; what counts most comes first. Of a holder equal ones are one row. */
function WhoSays({ labels }: { labels: Stated[] }) {
  const texts = words().profile;
  const counts = new Map<string, number>();
  for (const one of labels) counts.set(nameOf(one), (counts.get(nameOf(one)) ?? 0) + 1);
  const rows = labels.filter((one, i) => labels.findIndex((other) => nameOf(other) === nameOf(one)) === i);
  return (
    <Table
      caption={texts.whoSays}
      rows={rows}
      keyOf={nameOf}
      empty={texts.noLabels}
      columns={[
        {
          title: words().scan.label,
          cell: (one) => (
            <span class={one.in_force ? undefined : 'muted'}>
              {one.label} <CategoryBadge category={one.category} />
              <span class="muted">
                {one.entity && !one.label.includes(one.entity) && ` ${one.entity}`}
                {(counts.get(nameOf(one)) ?? 1) > 1 && ` ${texts.addressCount(counts.get(nameOf(one)) ?? 1)}`}
              </span>
            </span>
          ),
        },
        { title: texts.source, cell: (one) => <Source of={one} /> },
        { title: texts.since, cell: (one) => dayText(one) },
        { title: texts.standing, cell: (one) => standingText(one) },
      ]}
    />
  );
}

/** A list by its name; the account by who of it says so, and why. */
function Source({ of: { own, source } }: { of: Stated }) {
  if (!own) return <code>{source}</code>;
  return (
    <>
      {words().profile.ownLabel(own.author)}
      <div class="muted">{own.reason}</div>
    </>
  );
}

function nameOf({ source, label, category, valid_from, valid_to }: Stated): string {
  return [source, label, category, valid_from, valid_to].join(' ');
}

function dayText({ valid_from, valid_to }: Stated): string {
  const from = valid_from ? writtenDay(valid_from) : words().profile.noDay;
  return valid_to ? `${from} – ${writtenDay(valid_to)}` : from;
}

function standingText({ in_force, sure, own }: Stated): string {
  const texts = words().profile;
  if (!in_force) return texts.ended;
  if (own) return own.use_for_levels ? texts.forLevels : texts.notForLevels;
  return sure ? texts.sure : texts.report;
}
