import { useEffect, useRef } from 'preact/hooks';
import { dollars, monthText } from '../../../browser/figures.ts';
import { shownTheme } from '../../../browser/theme.ts';
import { language, words } from '../../../browser/words.ts';
import { Table } from '../../../parts/table.tsx';
import type { AddressProfile } from '../../../service/tracing-answers.ts';

type Month = AddressProfile['months'][number];

/** Money by month, in above the line and out below it, and the same as a table. */
export function Activity({ months, truncated }: { months: Month[]; truncated: boolean }) {
  const texts = words().profile;
  const frame = useRef<HTMLDivElement>(null);
  const theme = shownTheme.value;
  useEffect(() => {
    const place = frame.current;
    if (!place || months.length === 0) return;
    let drawn: { destroy: () => void } | null = null;
    let isGone = false;
    // The library is loaded where something is drawn, not with the console.
    void import('./activity-chart.ts').then(({ drawActivity }) => {
      if (!isGone) drawn = drawActivity(place, months);
    });
    return () => {
      isGone = true;
      drawn?.destroy();
    };
  }, [months, theme, language.value]);
  if (months.length === 0) return <p class="note">{texts.noActivity}</p>;
  return (
    <>
      <p class="muted legend-line">
        <span class="sample received" aria-hidden="true" /> {texts.cameIn}{' '}
        <span class="sample sent" aria-hidden="true" /> {texts.wentOut}
        {truncated && ` · ${texts.monthsTruncated}`}
      </p>
      <div ref={frame} class="activity-chart" role="img" aria-label={summaryOf(months)} />
      <details>
        <summary>{texts.asTable}</summary>
        <MonthTable months={months} />
      </details>
    </>
  );
}

function summaryOf(months: Month[]): string {
  const [first, last] = [months[0]!, months.at(-1)!];
  const sum = (side: 'received' | 'sent') => dollars(months.reduce((all, one) => all + one[side].usd, 0));
  return words().profile.activitySummary(monthText(first.month), monthText(last.month), sum('received'), sum('sent'));
}

function MonthTable({ months }: { months: Month[] }) {
  const texts = words().profile;
  const cell = ({ usd, transfers, unpriced }: Month['sent']) =>
    transfers === 0 ? '' : `${dollars(usd)}${unpriced > 0 ? ` · ${texts.unpriced(unpriced)}` : ''}`;
  return (
    <Table
      caption={texts.activity}
      rows={months.toReversed()}
      keyOf={(one) => one.month}
      empty={texts.noActivity}
      columns={[
        { title: texts.month, cell: (one) => monthText(one.month) },
        { title: texts.cameIn, cell: (one) => cell(one.received), numeric: true },
        { title: texts.wentOut, cell: (one) => cell(one.sent), numeric: true },
      ]}
    />
  );
}
