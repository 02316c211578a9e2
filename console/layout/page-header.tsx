import { linkTo } from '../browser/route.ts';
import { useShownLink } from '../browser/use-shown-link.ts';
import { words } from '../browser/words.ts';
import { Dropdown } from '../parts/dropdown.tsx';
import { isSignedIn } from '../service/session.ts';
import { AlertBadge } from './alert-badge.tsx';
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
