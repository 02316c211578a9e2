import { skeleton } from '../text/confusables.ts';

/** Authors of what is done without a key, in the audit log and in timelines. */
export const HOUSE_AUTHORS = { service: 'system', operator: 'operator', recipient: 'recipient' } as const;

/** True for a name that looks like such an author, letters of other scripts included. */
export function isHouseAuthor(name: string): boolean {
  const read = skeleton(name);
  return Object.values(HOUSE_AUTHORS).some((author) => skeleton(author) === read);
}
