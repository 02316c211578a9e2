import { useState } from 'preact/hooks';
import { chainName } from '../../../../src/domain/chain.ts';
import { momentText } from '../../../browser/figures.ts';
import { linkTo } from '../../../browser/route.ts';
import { words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { LevelBadge } from '../../../parts/level-badge.tsx';
import { MomentText } from '../../../parts/moment-text.tsx';
import { ErrorNote, Loading } from '../../../parts/notes.tsx';
import { Pager } from '../../../parts/pager.tsx';
import { Table } from '../../../parts/table.tsx';
import type { Watched, Watchlist } from '../../../service/answers.ts';
import { call } from '../../../service/api.ts';
import { useAnswer } from '../../../service/use-answer.ts';
import { useReloadWhile } from '../../../service/use-reload-while.ts';
import { FollowSelect } from './follow-select.tsx';
import { LiveSelect } from './live-select.tsx';
import { WatchActions } from './watch-actions.tsx';
import { WatchForm } from './watch-form.tsx';

const PAGE = 50;

/** The watched addresses with what their last scans found. */
export function WatchlistView() {
  const texts = words().monitoring;
  const [offset, setOffset] = useState(0);
  const { answer, error, loading, reload } = useAnswer<Watchlist>(
    (signal) => call('/watchlist', { query: { limit: PAGE, offset }, signal }),
    [offset],
  );
  useReloadWhile(answer?.items.some(isPending) ?? false, reload);
  return (
    <>
      <WatchForm onAdded={reload} />
      <section class="card" aria-labelledby="watchlist">
        <h2 id="watchlist">{texts.watchlist}</h2>
        <ErrorNote error={error} />
        {loading && !answer && <Loading />}
        {answer && (
          <Table
            caption={texts.watchlist}
            rows={answer.items}
            keyOf={(item) => item.id}
            empty={texts.empty}
            columns={[
              { title: texts.level, cell: (item) => <LevelBadge level={item.last_risk_level ?? 'UNKNOWN'} /> },
              { title: texts.address, cell: (item) => <AddressText chain={item.chain} address={item.token_address} /> },
              { title: texts.chain, cell: (item) => chainName(item.chain) },
              { title: texts.label, cell: (item) => item.label || '–' },
              { title: texts.lastScan, cell: (item) => <LastScan item={item} /> },
              { title: texts.follow, cell: (item) => <FollowSelect item={item} onChanged={reload} /> },
              { title: texts.live, cell: (item) => <LiveSelect item={item} onChanged={reload} /> },
              {
                title: texts.discoveries,
                cell: (item) => (
                  <a
                    href={linkTo('monitoring', ['discoveries', item.id, item.chain, item.token_address])}
                    aria-label={`${texts.discoveries}: ${item.token_address}`}
                  >
                    {texts.discoveries}
                  </a>
                ),
              },
              { title: words().parts.actions, cell: (item) => <WatchActions item={item} onChanged={reload} /> },
            ]}
          />
        )}
        {answer && <Pager page={answer} onOffset={setOffset} />}
      </section>
    </>
  );
}

function isPending(item: Watched): boolean {
  return item.last_scanned_at === null && item.failing_since === null;
}

function LastScan({ item }: { item: Watched }) {
  const texts = words().monitoring;
  if (isPending(item)) return <Loading text={texts.firstScan} />;
  return (
    <>
      <MomentText at={item.last_scanned_at} />
      {item.failing_since && <ErrorNote error={texts.failing(momentText(item.failing_since))} />}
    </>
  );
}
