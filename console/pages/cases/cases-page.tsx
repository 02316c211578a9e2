import type { Route } from '../../browser/route.ts';
import { CaseListPage } from './case-list.tsx';
import { CaseView } from './case-view.tsx';

/** `#/cases` lists them; `#/cases/<id>/<tab>` shows one. */
export function CasesPage({ route }: { route: Route }) {
  const [id, tab] = route.parts;
  return id ? <CaseView key={id} id={id} tab={tab} /> : <CaseListPage />;
}
