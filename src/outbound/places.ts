/** True for a place on the web; others are paths. */
export function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/** A URL as people may see it: its query may hold a key. */
export function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
