import type { EventType } from '../domain/event.ts';
import type { BatchCompleted, RiskChanged, ScanCompleted, WatchlistAlert } from './payloads.ts';

/** Headlines of `watchlist.alert` by reason. */
const ALERTS: Record<WatchlistAlert['reason'], string> = {
  high_risk: 'A watched address is of high risk',
  sanctioned_counterparty: 'A watched address dealt with a sanctioned one',
  label_changed: 'A list changed its entry of a watched address',
  discovery: 'A risky address was found along the money of a watched one',
  rule_set: 'New rules changed the levels of watched addresses',
  movement: 'Money moved at a watched address',
  reorganised: 'A movement at a watched address was taken back',
  live_ended: 'A watched address is no longer listened to',
  live_began: 'A watched address is listened to again',
  transfer_counterparty: 'A list names the other side of a screened transfer',
  transfer_not_screened: 'A transfer could not be screened',
  rule: 'A rule of your own matched',
};

/** The data of an event that its title names. */
type TitleData = Partial<
  Omit<ScanCompleted & RiskChanged, 'status'> & BatchCompleted & Pick<WatchlistAlert, 'reason' | 'discoveries' | 'rule'>
>;

/** A line that says what happened, and to which address. */
export function eventTitle(event: EventType, given: object): string {
  const data = given as TitleData;
  const headline = headlineOf(event, data);
  return data.address === undefined ? headline : `${headline}: ${data.address} on ${data.chain}`;
}

function headlineOf(event: EventType, data: TitleData): string {
  switch (event) {
    case 'risk.changed':
      return `Risk changed from ${data.previous_risk_level} to ${data.risk_level}`;
    case 'risk.high_detected':
      return 'Risk reached HIGH';
    case 'risk.critical_detected':
      return 'Risk reached CRITICAL';
    case 'scan.completed':
      return `Scan completed, risk ${data.risk_level}`;
    case 'batch.completed':
      return `Batch ${data.status}: ${data.completed} of ${data.total} addresses scanned`;
    case 'watchlist.alert':
      if (data.rule) return data.rule.name;
      return data.reason === 'discovery' ? discoveryHeadline(data.discoveries ?? []) : ALERTS[data.reason!];
  }
}

/** Names the direction where all of them have one. */
function discoveryHeadline(discoveries: readonly { direction?: 'received' | 'sent' }[]): string {
  const ways = new Set(discoveries.map(({ direction }) => direction));
  if (ways.size !== 1) return ALERTS.discovery;
  if (ways.has('sent')) return 'Money of a watched address reached a risky one';
  return ways.has('received') ? 'Money of a risky address reached a watched one' : ALERTS.discovery;
}
