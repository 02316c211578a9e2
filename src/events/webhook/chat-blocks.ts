import { eventTitle } from '../event-title.ts';
import type { EventPayload } from '../payloads.ts';

/** A message in the block format of Slack's incoming webhooks. */
export interface ChatMessage {
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
export function chatBlocks({ event, timestamp, data }: EventPayload): ChatMessage {
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
export function detectionLines(detections: unknown): string[] {
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
export function figuresOf(data: object): [string, string | number | boolean][] {
  const { transfer } = data as { transfer?: object };
  return Object.entries({ ...transfer, ...data })
    .filter(([name, value]) => !NOT_FIELDS.has(name) && isFigure(value))
    .slice(0, FIELDS_MAX)
    .map(([name, value]) => [name.replaceAll('_', ' '), value as string]);
}

function isFigure(value: unknown): boolean {
  return value !== null && value !== '' && ['string', 'number', 'boolean'].includes(typeof value);
}

function markdown(text: string, max: number): { type: 'mrkdwn'; text: string } {
  return { type: 'mrkdwn', text: cut(text, max) };
}

/** Ends a text after `max` characters, with an ellipsis. */
export function cut(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max - 1)}…` : text;
}

/** Slack reads these three characters as its own. */
function escaped(text: unknown): string {
  return String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
