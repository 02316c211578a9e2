import type { AlertSeverity } from '../../domain/alert.ts';
import { severityOfLevel } from '../alerts.ts';
import { eventTitle } from '../event-title.ts';
import type { EventPayload, WatchlistAlert } from '../payloads.ts';

/** How an event is written for the service behind an endpoint's host. */
interface MessageShape {
  name: 'slack' | 'teams' | 'pagerduty';
  fits: (host: string, chatHost: string) => boolean;
  body: (payload: EventPayload, url: URL) => object;
}

/** The services that read a format of their own, by host; all other endpoints get the payload itself. */
const SHAPES: readonly MessageShape[] = [
  { name: 'slack', fits: (host, chatHost) => host === chatHost, body: (payload): ChatMessage => chatBlocks(payload) },
  {
    name: 'teams',
    // Incoming webhooks of channels, and those of the Workflows app.
    fits: (host) => /\.(webhook\.office|logic\.azure|api\.powerplatform)\.com$/.test(host),
    body: teamsCard,
  },
  { name: 'pagerduty', fits: (host) => /^events(\.eu)?\.pagerduty\.com$/.test(host), body: pagerDutyEvent },
];

/** Writes an event as the host of the endpoint reads it. */
export function shapedBody(payload: EventPayload, url: URL, chatHost: string): object {
  return SHAPES.find(({ fits }) => fits(url.hostname, chatHost))?.body(payload, url) ?? payload;
}

const CARD_TITLE_MAX = 300;
const CARD_FACT_MAX = 500;
/** Teams refuses messages of more than 28 KB, whatever they consist of. */
const CARD_TEXT_MAX = 6_000;

/** A message with one adaptive card: the only format that the Workflows app reads. */
function teamsCard({ event, timestamp, data }: EventPayload): object {
  const { detections, detail_url } = data as { detections?: unknown; detail_url?: unknown };
  const title = cut(eventTitle(event, data) ?? event, CARD_TITLE_MAX);
  const text = (words: string, more: object = {}) => ({
    type: 'TextBlock',
    text: unlinked(words),
    wrap: true,
    ...more,
  });
  const facts = figuresOf(data).map(([name, value]) => {
    return { title: name, value: cut(unlinked(String(value)), CARD_FACT_MAX) };
  });
  const lines = detectionLines(detections).join('\n\n');
  const card = {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.4',
    body: [
      text(title, { weight: 'Bolder', size: 'Medium' }),
      ...(facts.length > 0 ? [{ type: 'FactSet', facts }] : []),
      ...(lines === '' ? [] : [text(cut(lines, CARD_TEXT_MAX))]),
      text(`${event} at ${timestamp} UTC`, { isSubtle: true }),
    ],
    actions: typeof detail_url === 'string' ? [{ type: 'Action.OpenUrl', title: 'Details', url: detail_url }] : [],
  };
  const attachment = { contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content: card };
  return { type: 'message', attachments: [attachment] };
}

const PAGE_SUMMARY_MAX = 1_024;
const PAGE_KEY_MAX = 255;
const PAGE_SEVERITIES: Record<AlertSeverity, string> = {
  critical: 'critical',
  high: 'error',
  medium: 'warning',
  low: 'info',
};

/** An event of PagerDuty's Events API v2; the same finding at one address is one incident there. */
function pagerDutyEvent({ event, timestamp, data }: EventPayload, url: URL): object {
  const { chain, address, reason, rule, risk_level, transfer } = data as Partial<WatchlistAlert>;
  const severity = rule?.severity ?? severityOfLevel(risk_level);
  const dedup = ['traceflow', reason ?? event, rule?.id, chain, address ?? transfer?.id].filter(Boolean).join(':');
  return {
    routing_key: url.searchParams.get('routing_key') ?? '',
    event_action: 'trigger',
    dedup_key: cut(dedup, PAGE_KEY_MAX),
    payload: {
      summary: cut(eventTitle(event, data) ?? event, PAGE_SUMMARY_MAX),
      severity: PAGE_SEVERITIES[severity],
      source: 'traceflow',
      timestamp: `${timestamp}Z`,
      class: reason ?? event,
      custom_details: Object.fromEntries(figuresOf(data)),
    },
  };
}

/** A message in the block format of Slack's incoming webhooks. */
interface ChatMessage {
  /** Text that notifications show. */
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

/** The same event for people in a chat: a title, its figures, its worst detections, a link. */
function chatBlocks({ event, timestamp, data }: EventPayload): ChatMessage {
  const { detections, detail_url } = data as { detections?: unknown; detail_url?: unknown };
  const fields = figuresOf(data).map(([name, value]) => markdown(`*${name}*\n${escaped(value)}`, FIELD_MAX));
  const title = cut(eventTitle(event, data), HEADER_MAX);
  const blocks: object[] = [{ type: 'header', text: { type: 'plain_text', text: title } }];
  if (fields.length > 0) blocks.push({ type: 'section', fields });
  const lines = detectionLines(detections);
  if (lines.length > 0) blocks.push({ type: 'section', text: markdown(lines.join('\n'), TEXT_MAX) });
  const context = [markdown(`${escaped(event)} at ${escaped(timestamp)} UTC`, TEXT_MAX)];
  if (typeof detail_url === 'string') context.push(markdown(`<${escaped(encodeURI(detail_url))}|Details>`, TEXT_MAX));
  blocks.push({ type: 'context', elements: context });
  return { text: escaped(title), blocks };
}

/** Names the worst detections of an event, one line each. */
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

/** Returns the plain values of an event, and of the transfer that it is about, under names for people. */
function figuresOf(data: object): [string, string | number | boolean][] {
  const { transfer } = data as { transfer?: object };
  return Object.entries({ ...transfer, ...data })
    .filter(([name, value]) => !NOT_FIELDS.has(name) && isFigure(value))
    .slice(0, FIELDS_MAX)
    .map(([name, value]) => [name.replaceAll('_', ' '), value as string]);
}

function isFigure(value: unknown): boolean {
  return value !== null && value !== '' && ['string', 'number', 'boolean'].includes(typeof value);
}

/** As given: names of others, such as tokens, make no links and call nobody. */
function markdown(text: string, max: number): { type: 'mrkdwn'; text: string; verbatim: true } {
  return { type: 'mrkdwn', text: cut(text, max), verbatim: true };
}

/** Cards read Markdown: a name of a token or a reference could lead elsewhere under words of its own. */
function unlinked(text: string): string {
  return text.replaceAll('](', '] (');
}

/** Ends a text after `max` characters, with an ellipsis. */
function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** Slack reads these three characters as its own. */
function escaped(text: unknown): string {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
