import type { Route } from '../../browser/route.ts';
import { CaseListPage } from './case-list.tsx';
import { CaseView } from './case-view.tsx';

/** `#/cases` lists them, `#/cases?new=1` with the form for a new one; `#/cases/<id>/<tab>` shows one. */
export function CasesPage({ route }: { route: Route }) {
  const [id, tab] = route.parts;
  return id ? <CaseView key={id} id={id} tab={tab} /> : <CaseListPage isOpening={route.query.has('new')} />;
}
