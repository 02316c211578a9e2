/** True for a place on the web; others are paths. */
export function isUrl(place: string): boolean {
  return /^https?:\/\//i.test(place);
}

/** A place as logs keep it: of a URL no query. */
export function shownPlace(place: string): string {
  return isUrl(place) ? withoutQuery(new URL(place)) : place;
}

/** A URL as people may see it: its query may hold a key. */
export function withoutQuery({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
