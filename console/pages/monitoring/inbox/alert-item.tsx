import { chainName } from '../../../../src/domain/chain.ts';
import { assetText, dollars } from '../../../browser/figures.ts';
import { linkTo } from '../../../browser/route.ts';
import { words } from '../../../browser/words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { type BadgeCategory, CategoryBadge } from '../../../parts/category-badge.tsx';
import { LevelBadge } from '../../../parts/level-badge.tsx';
import { MomentText } from '../../../parts/moment-text.tsx';
import type { Alert } from '../../../service/answers.ts';

type Discovered = NonNullable<Extract<Alert, { event: 'watchlist.alert' }>['data']['discoveries']>[number];

interface AlertItemProps {
  alert: Alert;
  busy: boolean;
  onRead: () => void;
}

/** One alert with its addresses and where to look on. */
export function AlertItem({ alert, busy, onRead }: AlertItemProps) {
  const texts = words().monitoring;
  const { address, chain, risk_level, risk_score } = alert.data;
  const title = titleOf(alert);
  return (
    <article class={alert.read_at ? 'entry' : 'entry unread'} aria-label={`${title} ${address ?? ''}`}>
      <div class="row center">
        {risk_level && <LevelBadge level={risk_level} score={risk_score} />}
        <strong>{title}</strong>
        <span class="muted">
          <MomentText at={alert.created_at} />
        </span>
      </div>
      {address && chain && (
        <div class="row center">
          <AddressText chain={chain} address={address} />
          <span class="muted">{chainName(chain)}</span>
          <a href={linkTo('investigate', [chain, address])}>{texts.openCanvas}</a>
        </div>
      )}
      {alert.event === 'watchlist.alert' && alert.data.live?.reason && (
        <span class="muted">{texts.liveReasons[alert.data.live.reason]}</span>
      )}
      <MovedMoney alert={alert} />
      <OtherAddresses alert={alert} />
      {!alert.read_at && (
        <div class="row-actions">
          <button type="button" disabled={busy} aria-label={`${texts.markRead}: ${title}`} onClick={onRead}>
            {texts.markRead}
          </button>
        </div>
      )}
    </article>
  );
}

function discoveryFacts({ chain, direction, hop, usd }: Discovered): string {
  const texts = words().monitoring;
  const facts = [
    chainName(chain),
    direction && texts.discovered[direction],
    texts.hop(hop),
    texts.atMost(dollars(usd)),
  ];
  return facts.filter(Boolean).join(' · ');
}

function titleOf(alert: Alert): string {
  const { alerts } = words().monitoring;
  if (alert.event === 'watchlist.alert') return alerts[alert.data.reason];
  const { levels } = words().parts;
  return alerts.changed(levels[alert.data.previous_risk_level], levels[alert.data.risk_level]);
}

/** Shows what moved and the other end. */
function MovedMoney({ alert }: { alert: Alert }) {
  if (alert.event !== 'watchlist.alert' || !alert.data.movement || !alert.data.chain) return null;
  const texts = words().monitoring;
  const { direction, asset, amount, usd, counterparty, confirmed, watched_as } = alert.data.movement;
  const sum = assetText(`${amount} ${asset}`);
  const facts = [
    counterparty.label,
    confirmed || alert.data.reason === 'reorganised' ? null : texts.notConfirmed,
    alert.data.more_movements ? texts.moreMovements(alert.data.more_movements) : null,
    watched_as,
  ].filter(Boolean);
  return (
    <div class="row center">
      <span>{texts.moved[direction](usd === null ? sum : `${sum} (${dollars(usd)})`)}</span>
      <AddressText chain={alert.data.chain} address={counterparty.address} />
      {counterparty.category && <CategoryBadge category={counterparty.category as BadgeCategory} />}
      {facts.length > 0 && <span class="muted">{facts.join(' · ')}</span>}
    </div>
  );
}

/** Addresses that the alert names beside the watched one. */
function OtherAddresses({ alert }: { alert: Alert }) {
  if (alert.event !== 'watchlist.alert') return null;
  const { chain, item_id, address, counterparties = [], discoveries = [], changes = [] } = alert.data;
  const texts = words().monitoring;
  return (
    <>
      {chain && counterparties.map((one) => <AddressText key={one} chain={chain} address={one} />)}
      {discoveries.map((one) => (
        <div key={one.id} class="row center">
          <LevelBadge level={one.risk_level} />
          <AddressText chain={one.chain} address={one.address} />
          <CategoryBadge category={one.category as BadgeCategory} />
          <span class="muted">{discoveryFacts(one)}</span>
        </div>
      ))}
      {discoveries.length > 0 && item_id && chain && address && (
        <a href={linkTo('monitoring', ['discoveries', item_id, chain, address])}>{texts.discoveries}</a>
      )}
      {changes.map((one) => (
        <div key={`${one.chain} ${one.address}`} class="row center">
          <LevelBadge level={one.risk_level} />
          <AddressText chain={one.chain} address={one.address} />
          <span class="muted">{chainName(one.chain)}</span>
        </div>
      ))}
    </>
  );
}
