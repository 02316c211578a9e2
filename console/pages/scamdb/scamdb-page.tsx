import type { Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { Entries } from './entries.tsx';
import { EntryView } from './entry-view.tsx';
import { ScamLookupForm } from './look-up.tsx';
import { ReportForm } from './report-form.tsx';
import { Statistics } from './statistics.tsx';

/** `#/scamdb`; `#/scamdb/<id>` shows one entry. */
export function ScamdbPage({ route }: { route: Route }) {
  const [id] = route.parts;
  return (
    <>
      <h1>{words().scamdb.title}</h1>
      {id ? (
        <EntryView key={id} id={id} />
      ) : (
        <>
          <ScamLookupForm />
          <Entries />
          <Statistics />
          <ReportForm />
        </>
      )}
    </>
  );
}
