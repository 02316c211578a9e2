import { computed, signal } from '@preact/signals';

/** The address of a page inside the console: `#/scan/ethereum/0x…?fresh=1`. */
export interface Route {
  /** The first part of the path; empty on the start page. */
  page: string;
  /** The parts after it, decoded. */
  parts: string[];
  query: URLSearchParams;
}

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

export const route = computed<Route>(() => {
  const [path = '', query = ''] = hash.value.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...parts] = path.split('/').map(decode);
  return { page, parts: parts.filter((part) => part !== ''), query: new URLSearchParams(query) };
});

/** The link to a page; its parts are encoded. */
export function linkTo(page: string, parts: string[] = [], query: Record<string, string> = {}): string {
  const path = [page, ...parts].map(encodeURIComponent).join('/');
  const asked = new URLSearchParams(query).toString();
  return `#/${path}${asked && `?${asked}`}`;
}

export function goTo(link: string): void {
  location.hash = link;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
