import { useEffect } from 'preact/hooks';
import { count } from '../browser/figures.ts';
import { linkTo } from '../browser/route.ts';
import { useShownLink } from '../browser/use-shown-link.ts';
import { words } from '../browser/words.ts';
import { Dropdown } from '../parts/dropdown.tsx';
import { countOpenAlerts, openAlerts } from '../service/open-alerts.ts';
import { isSignedIn } from '../service/session.ts';
import { MAIN_PAGES, OTHER_PAGES, type PageName } from './pages.ts';
import { ViewChoices } from './view-choices.tsx';
import { YouMenu } from './you-menu.tsx';

/** Name, navigation and menu of the person; before sign-in language and theme alone. */
export function PageHeader({ shown }: { shown: PageName | undefined }) {
  const { layout: texts } = words();
  const nav = useShownLink(isSignedIn.value ? shown : undefined);
  const other = OTHER_PAGES.find((name) => name === shown);
  return (
    <header class="page-header">
      <a class="brand" href="#/">
        <img src="/icon.svg" alt="" width="22" height="22" /> <span>traceflow</span>
      </a>
      {isSignedIn.value && (
        <nav ref={nav} aria-label={texts.navigation}>
          <span class="pages">
            {MAIN_PAGES.map((name) => (
              <a key={name} href={linkTo(name)} aria-current={name === shown ? 'page' : undefined}>
                {texts.pages[name]}
                {name === 'alerts' && <AlertBadge />}
              </a>
            ))}
          </span>
          <Dropdown label={other ? texts.pages[other] : texts.more} shown={other !== undefined}>
            {OTHER_PAGES.map((name) => (
              <a key={name} href={linkTo(name)} aria-current={name === shown ? 'page' : undefined}>
                {texts.pages[name]}
              </a>
            ))}
          </Dropdown>
        </nav>
      )}
      <div class="choices">{isSignedIn.value ? <YouMenu /> : <ViewChoices />}</div>
    </header>
  );
}

const EVERY_MS = 60_000;

/** The number of alerts without an assignee; nothing where there is none. */
function AlertBadge() {
  useEffect(() => {
    void countOpenAlerts();
    const timer = setInterval(() => {
      if (!document.hidden) void countOpenAlerts();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const open = openAlerts.value;
  if (!open) return null;
  return (
    <span class="count-badge">
      <span aria-hidden="true">{open > 99 ? '99+' : count(open)}</span>
      <span class="visually-hidden"> {words().layout.openAlerts(open)}</span>
    </span>
  );
}
