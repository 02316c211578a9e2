import { linkTo, type Route } from '../../browser/route.ts';
import { words } from '../../browser/words.ts';
import { SectionLinks } from '../../parts/section-links.tsx';
import { Discoveries } from './discoveries.tsx';
import { WatchlistView } from './watchlist-view.tsx';
import { WebhooksView } from './webhooks-view.tsx';

/** `#/monitoring`, `#/monitoring/discoveries/<item>/<chain>/<address>`, `#/monitoring/webhooks`. */
export function MonitoringPage({ route }: { route: Route }) {
  const texts = words().monitoring;
  const [section, id, chain = '', address = ''] = route.parts;
  return (
    <>
      <h1>{texts.title}</h1>
      <SectionLinks
        label={texts.title}
        links={[
          { title: texts.watchlist, href: linkTo('monitoring'), shown: section !== 'webhooks' },
          { title: texts.webhooks, href: linkTo('monitoring', ['webhooks']), shown: section === 'webhooks' },
        ]}
      />
      {section === 'webhooks' ? (
        <WebhooksView />
      ) : section === 'discoveries' && id ? (
        <Discoveries key={id} itemId={id} chain={chain} address={address} />
      ) : (
        <WatchlistView />
      )}
    </>
  );
}
