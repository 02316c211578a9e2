import type { ComponentType } from 'preact';
import type { Route } from '../browser/route.ts';
import type { ConsoleWords } from '../browser/words.ts';

export type PageName = keyof ConsoleWords['layout']['pages'];

/** The pages by the first part of their address, each loaded when it is first opened; the first is the start page. */
export const PAGES = {
  home: async () => (await import('../pages/home-page.tsx')).HomePage,
  scan: async () => (await import('../pages/scan/scan-page.tsx')).ScanPage,
  investigate: async () => (await import('../pages/investigate/investigate-page.tsx')).InvestigatePage,
  cases: async () => (await import('../pages/cases/cases-page.tsx')).CasesPage,
  alerts: async () => (await import('../pages/alerts/alerts-page.tsx')).AlertsPage,
  monitoring: async () => (await import('../pages/monitoring/monitoring-page.tsx')).MonitoringPage,
  rules: async () => (await import('../pages/rules/rules-page.tsx')).RulesPage,
  people: async () => (await import('../pages/people-page.tsx')).PeoplePage,
  query: async () => (await import('../pages/query-page.tsx')).QueryPage,
  scamdb: async () => (await import('../pages/scamdb-page.tsx')).ScamdbPage,
  sources: async () => (await import('../pages/sources-page.tsx')).SourcesPage,
  account: async () => (await import('../pages/account-page.tsx')).AccountPage,
  address: async () => (await import('../pages/address/address-page.tsx')).AddressPage,
  entity: async () => (await import('../pages/address/entity-page.tsx')).EntityPage,
} satisfies Record<PageName, () => Promise<ComponentType<{ route: Route }>>>;

export const PAGE_NAMES = Object.keys(PAGES) as PageName[];
/** Pages in the navigation itself; a menu holds the others. Links lead to pages about one thing. */
export const MAIN_PAGES: readonly PageName[] = ['home', 'investigate', 'cases', 'alerts', 'scan'];
const OF_ONE: readonly PageName[] = ['address', 'entity'];
export const OTHER_PAGES = PAGE_NAMES.filter((name) => ![...MAIN_PAGES, ...OF_ONE].includes(name));
