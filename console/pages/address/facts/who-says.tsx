import { writtenDay } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { CategoryBadge } from '../../../parts/category-badge.tsx';
import { Table } from '../../../parts/table.tsx';
import type { AddressProfile } from '../../../service/tracing-answers.ts';

type Stated = AddressProfile['labels'][number];

/** The labels of all lists, each with its source and day; what counts most comes first. Of a holder equal ones are one row. */
export function WhoSays({ labels }: { labels: Stated[] }) {
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
