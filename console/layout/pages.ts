import type { ComponentType } from 'preact';
import type { Route } from '../browser/route.ts';
import type { ConsoleWords } from '../browser/words.ts';
import { AccountPage } from '../pages/account/account-page.tsx';
import { AddressPage } from '../pages/address/address-page.tsx';
import { EntityPage } from '../pages/address/entity-page.tsx';
import { AlertsPage } from '../pages/alerts/alerts-page.tsx';
import { CasesPage } from '../pages/cases/cases-page.tsx';
import { HomePage } from '../pages/home/home-page.tsx';
import { InvestigatePage } from '../pages/investigate/investigate-page.tsx';
import { MonitoringPage } from '../pages/monitoring/monitoring-page.tsx';
import { PeoplePage } from '../pages/people/people-page.tsx';
import { QueryPage } from '../pages/query/query-page.tsx';
import { RulesPage } from '../pages/rules/rules-page.tsx';
import { ScamdbPage } from '../pages/scamdb/scamdb-page.tsx';
import { ScanPage } from '../pages/scan/scan-page.tsx';
import { SourcesPage } from '../pages/sources/sources-page.tsx';

export type PageName = keyof ConsoleWords['layout']['pages'];

/** The pages by the first part of their address; the first is the start page. */
export const PAGES = {
  home: HomePage,
  scan: ScanPage,
  investigate: InvestigatePage,
  cases: CasesPage,
  alerts: AlertsPage,
  monitoring: MonitoringPage,
  rules: RulesPage,
  people: PeoplePage,
  query: QueryPage,
  scamdb: ScamdbPage,
  sources: SourcesPage,
  account: AccountPage,
  address: AddressPage,
  entity: EntityPage,
} satisfies Record<PageName, ComponentType<{ route: Route }>>;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];
/** Those that stand in the navigation itself; a menu holds the others. Links lead to those about one thing. */
export const MAIN_PAGES: readonly PageName[] = ['home', 'investigate', 'cases', 'alerts', 'scan'];
const OF_ONE: readonly PageName[] = ['address', 'entity'];
export const OTHER_PAGES = PAGE_NAMES.filter((name) => ![...MAIN_PAGES, ...OF_ONE].includes(name));
