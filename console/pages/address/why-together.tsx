import { chainName } from '../../../src/domain/chain.ts';
import { count, percentOnLine, writtenDay } from '../../browser/figures.ts';
import { labelled, words } from '../../browser/words.ts';
import { AddressText, CopyText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { ExplorerLink } from '../../parts/explorer-link.tsx';
import { OwnLabels } from '../../parts/own-labels.tsx';
import { Table } from '../../parts/table.tsx';
import type { EntityAnswer } from '../../service/tracing-answers.ts';
import { useAnswer } from '../../service/use-answer.ts';

type Member = EntityAnswer['members'][number];

/** Why an address belongs to a holder, in one line: the rule, and the day of its evidence. */
export function basisText({ basis, at }: { basis: Member['basis']; at: string | null }): string {
  const rule = words().profile.bases[basis];
  return at ? `${rule}, ${writtenDay(at)}` : rule;
}

/** The members of a holder, each with the rule, the transaction that proves it, and how often the rule errs. */
export function WhyTogether({ members }: { members: Member[] }) {
  const texts = words().profile;
  const rates = useRates();
  return (
    <>
      <Table
        caption={texts.members}
        rows={members}
        keyOf={(one) => `${one.chain} ${one.address}`}
        empty={texts.noMembers}
        columns={[
          {
            title: words().parts.address,
            cell: (one) => (
              <>
                <AddressText chain={one.chain} address={one.address} />{' '}
                <span class="muted">{chainName(one.chain)}</span>
                {(one.label !== null || one.category !== 'unknown') && (
                  <div>
                    {one.label} <CategoryBadge category={one.category} />
                  </div>
                )}
                <OwnLabels labels={one.own_labels} />
              </>
            ),
          },
          { title: texts.reason, cell: (one) => <Reason of={one} /> },
        ]}
      />
      <ErrorRates members={members} rates={rates} />
      <PayjoinNote members={members} rates={rates} />
    </>
  );
}

/** Shows rule and evidence in one line where there is room, else below each other. */
function Reason({ of: { chain, basis, tx_hash, at } }: { of: Member }) {
  const texts = words().profile;
  return (
    <div class="reason">
      <span>{texts.bases[basis]}</span>
      <span>
        {tx_hash === null ? (
          texts.byList
        ) : (
          <>
            <CopyText text={tx_hash} /> <ExplorerLink chain={chain} hash={tx_hash} />
          </>
        )}
        {at && (
          <time class="muted" dateTime={at}>
            {' '}
            {writtenDay(at)}
          </time>
        )}
      </span>
    </div>
  );
}

/** Says once for each rule of these members how often it errs. */
function ErrorRates({ members, rates }: WithRates) {
  const texts = words().profile;
  return [...new Set(members.map(({ basis }) => basis))].map((basis) => (
    <p key={basis} class="muted">
      {`${labelled(texts.bases[basis], texts.errorRate)} ${rateText(basis, rates)}`}
    </p>
  ));
}

interface Rate {
  count: number;
  of: number;
}

interface WithRates {
  members: Member[];
  rates: ReadonlyMap<string, Rate> | null;
}

/** The measurements of the rules, by the names of their rows; joint spending errs most where payer and payee spend together. */
const ROW_OF: Partial<Record<Member['basis'], string>> = {
  same_key: 'same_key',
  co_spent: 'co_spending_wallets',
  change: 'change_wallets',
};
const PAYJOINS = 'co_spending_payjoins';

/** Loads how often the rules joined strangers when they were tested, by the names of the rows. */
function useRates(): ReadonlyMap<string, Rate> | null {
  const { answer } = useAnswer(async () => {
    const { ACCURACY } = await import('../../../reports/sections/accuracy-results.ts');
    return new Map(ACCURACY.rows.flatMap(({ id, falseAlarms }) => (falseAlarms ? [[id, falseAlarms as Rate]] : [])));
  }, []);
  return answer;
}

function rateText(basis: Member['basis'], rates: ReadonlyMap<string, Rate> | null): string {
  const texts = words().profile;
  if (basis === 'listed') return texts.asTheList;
  const rate = rates?.get(ROW_OF[basis] ?? '');
  if (!rate || rate.of === 0) return texts.notMeasured;
  return texts.falseJoins(percentOnLine(rate.count / rate.of), count(rate.count), count(rate.of));
}

/** Names the case in which joint spending errs most, where a member rests on it. */
function PayjoinNote({ members, rates }: WithRates) {
  const rate = rates?.get(PAYJOINS);
  if (!rate || !members.some(({ basis }) => basis === 'co_spent')) return null;
  return <p class="muted">{words().profile.payjoins(count(rate.count), count(rate.of))}</p>;
}
