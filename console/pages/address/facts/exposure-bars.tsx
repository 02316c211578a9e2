import { protocolName } from '../../../../src/domain/bridges/protocols.ts';
import { plainNote } from '../../../../words/look-up.ts';
import { dollars, percentOnLine } from '../../../browser/figures.ts';
import { words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { type BadgeCategory, CategoryBadge } from '../../../parts/category-badge.tsx';
import { Table } from '../../../parts/table.tsx';
import type { Exposures } from '../../../service/tracing-answers.ts';

type Bucket = Exposures['direct'][number];

/** Draws where the money came from and went to, by category and distance: every bar of both directions has one scale of dollars. */
export function ExposureBars({ exposure }: { exposure: Exposures }) {
  const texts = words().profile;
  const buckets = [...exposure.direct, ...exposure.indirect];
  const most = Math.max(0, ...buckets.map(({ usd }) => usd));
  return (
    <>
      {(['received', 'sent'] as const).map((direction) => {
        const rows = buckets.filter((one) => one.direction === direction).sort((a, b) => b.usd - a.usd);
        return (
          <div key={direction} class="exposure-bars">
            <h3>{texts.directions[direction]}</h3>
            <BucketTable caption={texts.directions[direction]} rows={rows} most={most} />
            <Unattributed usd={restOf(exposure, direction, rows)} rows={rows.length} />
          </div>
        );
      })}
      {exposure.note && <p class="muted">{plainNote(exposure.note)}</p>}
    </>
  );
}

/** Returns what no row names: money that ended at a bridge has no known end either, and is a row. */
function restOf(exposure: Exposures, direction: 'received' | 'sent', rows: Bucket[]): number {
  const named = rows.reduce((sum, { usd }) => sum + usd, 0);
  return Math.min(exposure[`unattributed_${direction}_usd`], exposure[`${direction}_usd`] - named);
}

/** Says how many dollars have no labelled end; nothing of a rest as small as what the rows round off, half a cent each. */
function Unattributed({ usd, rows }: { usd: number; rows: number }) {
  const roundedOff = 0.005 * Math.max(1, rows);
  return usd < roundedOff ? null : <p class="muted">{words().profile.unattributed(dollars(usd))}</p>;
}

function BucketTable({ caption, rows, most }: { caption: string; rows: Bucket[]; most: number }) {
  const texts = words().profile;
  return (
    <Table
      caption={caption}
      rows={rows}
      keyOf={(one) => `${one.category} ${one.min_hops > 1}`}
      empty={texts.noExposure}
      columns={[
        {
          title: words().scan.category,
          cell: (one) => (
            <>
              <CategoryBadge category={one.category} />
              <div class="muted">{one.min_hops === 1 ? texts.direct : texts.hopsFrom(one.min_hops)}</div>
            </>
          ),
        },
        { title: 'USD', cell: (one) => dollars(one.usd), numeric: true },
        { title: words().scan.share, cell: (one) => percentOnLine(one.share), numeric: true },
        { title: texts.bar, cell: (one) => <DollarBar usd={one.usd} most={most} category={one.category} /> },
        { title: texts.largestParty, cell: ({ top: [party] }) => party && <Party party={party} /> },
      ]}
    />
  );
}

function Party({ party }: { party: Bucket['top'][number] }) {
  return (
    <>
      {party.label === null ? party.entity_name : protocolName(party.label)}{' '}
      <AddressText chain={party.chain} address={party.address} />
    </>
  );
}

interface DollarBarProps {
  usd: number;
  /** The largest of all bars that stand together: they have one scale. */
  most: number;
  category: BadgeCategory;
}

const WIDTH = 200;
/** The least that is seen of something above 0. */
const SEEN = 2;

/** Draws a bar of US dollars in the colour of a category, with its figure. */
function DollarBar({ usd, most, category }: DollarBarProps) {
  const width = usd > 0 && most > 0 ? Math.max(SEEN, (WIDTH * usd) / most) : 0;
  return (
    <svg
      class={`dollar-bar category-${category}`}
      viewBox={`0 0 ${WIDTH} 12`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect class="room" width={WIDTH} height="12" rx="2" />
      <rect width={width} height="12" rx="2" fill="currentcolor" />
    </svg>
  );
}
