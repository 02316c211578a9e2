import { chainName } from '../../../src/domain/chain.ts';
import type { RiskChanged, WatchlistAlert } from '../../../src/events/payloads.ts';
import { assetText, dollars } from '../../browser/figures.ts';
import { linkTo } from '../../browser/route.ts';
import { comma, words } from '../../browser/words.ts';
import { AddressText } from '../../parts/address-text.tsx';
import { type BadgeCategory, CategoryBadge } from '../../parts/category-badge.tsx';
import { HolderLink } from '../../parts/holder-link.tsx';
import { LevelBadge } from '../../parts/level-badge.tsx';
import type { QueuedAlert } from '../../service/answers.ts';

/** The `data` of an alert: a change of the level alone has no reason. */
type AlertFound = RiskChanged | WatchlistAlert;
type Discovered = NonNullable<WatchlistAlert['discoveries']>[number];

/** Says in the reader's language what happened; names a rule of one's own. */
export function titleOf({ title, data }: QueuedAlert): string {
  const { alerts } = words().monitoring;
  const { levels } = words().parts;
  const found = data as unknown as AlertFound;
  if (!('reason' in found)) return alerts.changed(levels[found.previous_risk_level], levels[found.risk_level]);
  return found.reason === 'rule' ? (found.rule?.name ?? title) : alerts[found.reason];
}

/** Which way the money of an alert went; empty where it is about none. */
export function directionOf({ data }: QueuedAlert): string {
  const { movement, transfer, discoveries = [] } = data as Partial<WatchlistAlert>;
  if (movement) return words().parts.directions[movement.direction];
  if (transfer) return words().alerts.transferDirections[transfer.direction];
  const ways = new Set(discoveries.flatMap(({ direction }) => direction ?? []));
  return [...ways].map((way) => words().monitoring.discovered[way]).join(comma());
}

/** Shows the finding, with the other addresses than the one that the alert is about. */
export function Found({ data }: QueuedAlert) {
  const found = data as unknown as AlertFound;
  const { risk_level, risk_score } = found;
  return (
    <>
      {risk_level && <LevelBadge level={risk_level} score={risk_score} />}
      {'reason' in found && (
        <>
          {found.live?.reason && <p class="muted">{words().monitoring.liveReasons[found.live.reason]}</p>}
          <MovedMoney {...found} />
          <OtherAddresses {...found} />
        </>
      )}
    </>
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

/** Shows what moved and the other end. */
function MovedMoney({ movement, chain, reason, more_movements }: WatchlistAlert) {
  if (!movement || !chain) return null;
  const texts = words().monitoring;
  const { direction, asset, amount, usd, counterparty, confirmed, watched_as } = movement;
  const sum = assetText(`${amount} ${asset}`);
  const facts = [
    counterparty.label,
    confirmed || reason === 'reorganised' ? null : texts.notConfirmed,
    more_movements ? texts.moreMovements(more_movements) : null,
    watched_as,
  ].filter(Boolean);
  return (
    <div class="row center">
      <span>{texts.moved[direction](usd === null ? sum : `${sum} (${dollars(usd)})`)}</span>
      <AddressText chain={chain} address={counterparty.address} />
      {counterparty.category && <CategoryBadge category={counterparty.category as BadgeCategory} />}
      <HolderLink {...counterparty} />
      {facts.length > 0 && <span class="muted">{facts.join(' · ')}</span>}
    </div>
  );
}

/** Addresses that the alert names beside the watched one. */
function OtherAddresses(found: WatchlistAlert) {
  const { chain, item_id, address, counterparties = [], discoveries = [], changes = [] } = found;
  const texts = words().monitoring;
  return (
    <>
      {chain && counterparties.map((one) => <AddressText key={one} chain={chain} address={one} />)}
      {discoveries.map((one) => (
        <div key={one.id} class="row center">
          <LevelBadge level={one.risk_level} />
          <AddressText chain={one.chain} address={one.address} />
          <CategoryBadge category={one.category as BadgeCategory} />
          <HolderLink {...one} />
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
