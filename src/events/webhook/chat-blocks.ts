import type { EventType } from '../../domain/event.ts';
import type { BatchCompleted, EventPayload, RiskChanged, ScanCompleted, WatchlistAlert } from '../payloads.ts';

/** A message in the block format of Slack's incoming webhooks. */
export interface ChatMessage {
  /** What notifications show. */
  text: string;
  blocks: object[];
}

const HEADER_MAX = 150;
const TEXT_MAX = 2_900;
const FIELD_MAX = 1_900;
const FIELDS_MAX = 10;
const DETECTIONS_SHOWN = 5;
/** Shown as sections of their own, or not at all. */
const NOT_FIELDS = new Set(['detections', 'detail_url', 'score_semantics', 'path']);

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
};

/** The same event for people in a chat: a title, its figures, its worst detections, a link. */
export function chatBlocks({ event, timestamp, data }: EventPayload): ChatMessage {
  const { detections, detail_url } = data as { detections?: unknown; detail_url?: unknown };
  const { transfer } = data as { transfer?: object };
  const fields = Object.entries({ ...transfer, ...data })
    .filter(([name, value]) => !NOT_FIELDS.has(name) && isFigure(value))
    .slice(0, FIELDS_MAX)
    .map(([name, value]) => markdown(`*${name.replaceAll('_', ' ')}*\n${escaped(String(value))}`, FIELD_MAX));
  const title = cut(titleOf(event, data as TitleData), HEADER_MAX);
  const blocks: object[] = [{ type: 'header', text: { type: 'plain_text', text: title } }];
  if (fields.length > 0) blocks.push({ type: 'section', fields });
  const lines = detectionLines(detections);
  if (lines.length > 0) blocks.push({ type: 'section', text: markdown(lines.join('\n'), TEXT_MAX) });
  const context = [markdown(`${escaped(event)} at ${escaped(timestamp)} UTC`, TEXT_MAX)];
  if (typeof detail_url === 'string') context.push(markdown(`<${escaped(encodeURI(detail_url))}|Details>`, TEXT_MAX));
  blocks.push({ type: 'context', elements: context });
  return { text: escaped(title), blocks };
}

/** The data of an event that its title names. */
type TitleData = Partial<
  Omit<ScanCompleted & RiskChanged, 'status'> & BatchCompleted & Pick<WatchlistAlert, 'reason' | 'discoveries'>
>;

/** A line that says what happened, and to which address. */
function titleOf(event: EventType, data: TitleData): string {
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

function detectionLines(detections: unknown): string[] {
  if (!Array.isArray(detections)) return [];
  const lines = detections
    .slice(0, DETECTIONS_SHOWN)
    .map(
      ({ severity, detector_name, description }) =>
        `• *${escaped(severity)}* ${escaped(detector_name)}: ${escaped(description)}`,
    );
  const more = detections.length - lines.length;
  return more > 0 ? [...lines, `… and ${more} more`] : lines;
}

function isFigure(value: unknown): boolean {
  return value !== null && value !== '' && ['string', 'number', 'boolean'].includes(typeof value);
}

function markdown(text: string, max: number): { type: 'mrkdwn'; text: string } {
  return { type: 'mrkdwn', text: cut(text, max) };
}

/** At most `max` characters and an ellipsis. */
function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** Slack reads these three characters as its own. */
function escaped(text: unknown): string {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
