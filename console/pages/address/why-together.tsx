import { chainName } from '../../../src/domain/chain.ts';
import { count, percentOnLine, writtenDay } from '../../browser/figures.ts';
import { words } from '../../browser/words.ts';
import { AddressText, CopyText } from '../../parts/address-text.tsx';
import { CategoryBadge } from '../../parts/category-badge.tsx';
import { ExplorerLink } from '../../parts/explorer-link.tsx';
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
              <AddressText chain={one.chain} address={one.address} /> <span class="muted">{chainName(one.chain)}</span>
            </>
          ),
        },
        {
          title: words().scan.label,
          cell: (one) => (
            <>
              {one.label} {one.category !== 'unknown' && <CategoryBadge category={one.category} />}
            </>
          ),
        },
        { title: texts.rule, cell: (one) => texts.bases[one.basis] },
        {
          title: texts.evidence,
          cell: (one) =>
            one.tx_hash === null ? (
              texts.byList
            ) : (
              <>
                <CopyText text={one.tx_hash} /> <ExplorerLink chain={one.chain} hash={one.tx_hash} />
                {one.at && <span class="muted"> {writtenDay(one.at)}</span>}
              </>
            ),
        },
        { title: texts.errorRate, cell: (one) => rateText(one.basis, rates) },
      ]}
    />
  );
}

interface Rate {
  count: number;
  of: number;
}

/** False joins of `co_spent` in all that was tested; null until it is loaded. */
function useRates(): Rate | null {
  const { answer } = useAnswer(async () => {
    const { ACCURACY } = await import('../../../reports/sections/accuracy-results.ts');
    const rows = ACCURACY.rows.filter(({ rule }) => rule === 'co_spending');
    const sum = (field: keyof Rate) => rows.reduce((all, { falseAlarms }) => all + (falseAlarms?.[field] ?? 0), 0);
    return { count: sum('count'), of: sum('of') };
  }, []);
  return answer;
}

function rateText(basis: Member['basis'], rate: Rate | null): string {
  const texts = words().profile;
  if (basis === 'same_key') return texts.certain;
  if (basis === 'listed') return texts.asTheList;
  if (!rate || rate.of === 0) return texts.notMeasured;
  return texts.falseJoins(percentOnLine(rate.count / rate.of), count(rate.count), count(rate.of));
}
