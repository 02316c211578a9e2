import { useEffect } from 'preact/hooks';
import { goTo, linkTo } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { SearchBox } from '../../parts/search-box.tsx';
import { search } from '../../service/search.ts';
import { Guide } from './guide.tsx';
import { SourcesSummary } from './sources-summary.tsx';
import { OpenAlerts, OpenCases, RecentBoards, RecentlyScanned, RunningJobs } from './work.tsx';

/** `#/`: one search over everything, and what waits for the reader. */
export function HomePage() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isTyping = (event.target as Element).matches?.('input, select, textarea, [contenteditable]');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      document.getElementById('home-search')?.focus();
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <div class="home">
      <h1 class="visually-hidden">{words().home.title}</h1>
      <SearchBox
        id="home-search"
        search={search}
        onTake={({ place, link }) => {
          if (place) goTo(linkTo('address', [place.chain, place.address]));
          else if (link) goTo(linkTo(...link));
        }}
      />
      <Guide />
      <div class="columns">
        <OpenAlerts />
        <OpenCases />
        <RunningJobs />
        <RecentBoards />
        <RecentlyScanned />
        <SourcesSummary />
      </div>
    </div>
  );
}
