/** Every type of event with its meaning. */
export const EVENTS = {
  'risk.changed': 'A watched address changed its risk level',
  'risk.high_detected': 'A watched address newly reached HIGH',
  'risk.critical_detected': 'A watched address newly reached CRITICAL',
  'scan.completed': 'A single scan completed; answers from the cache do not count',
  'batch.completed': 'A batch job ended',
  'watchlist.alert': 'Something about a watched address needs attention',
} as const;

export type EventType = keyof typeof EVENTS;
export const EVENT_TYPES = Object.keys(EVENTS) as EventType[];

/** `failed` is not tried again, `exhausted` was tried as often as the schedule says, or given up for room. */
export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'exhausted'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
