import type { ComponentType } from 'preact';
import type { Route } from '../browser/route.ts';
import type { ConsoleWords } from '../browser/words.ts';
import { AccountPage } from '../pages/account/account-page.tsx';
import { CasesPage } from '../pages/cases/cases-page.tsx';
import { InvestigatePage } from '../pages/investigate/investigate-page.tsx';
import { MonitoringPage } from '../pages/monitoring/monitoring-page.tsx';
import { QueryPage } from '../pages/query/query-page.tsx';
import { ScamdbPage } from '../pages/scamdb/scamdb-page.tsx';
import { ScanPage } from '../pages/scan/scan-page.tsx';
import { SourcesPage } from '../pages/sources/sources-page.tsx';

type PageName = keyof ConsoleWords['layout']['pages'];

/** The pages by the first part of their address, in the order of the navigation; the first is the start page. */
export const PAGES = {
  scan: ScanPage,
  investigate: InvestigatePage,
  query: QueryPage,
  cases: CasesPage,
  monitoring: MonitoringPage,
  scamdb: ScamdbPage,
  sources: SourcesPage,
  account: AccountPage,
} satisfies Record<PageName, ComponentType<{ route: Route }>>;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];
