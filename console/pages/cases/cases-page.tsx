import type { Route } from '../../browser/route.ts';
import { CaseListPage } from './case-list.tsx';
import { CaseView } from './case-view.tsx';

/** `#/cases` lists them; `#/cases/<id>` shows one. */
export function CasesPage({ route }: { route: Route }) {
  const [id] = route.parts;
  return id ? <CaseView key={id} id={id} /> : <CaseListPage />;
}
