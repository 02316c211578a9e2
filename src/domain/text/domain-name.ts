const NAME_LENGTH_MAX = 253;
/** The end of a host name in running text. */
const ENDING = /\.\p{L}{2,}$/u;
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/;

/**
 * The host name in a domain or http(s) URL: lower case, internationalised names in their ASCII form, without `www.`
 * and final dot; null for what names no host. `[.]` and `hxxp`, as lists write to stop clicks, are understood.
 */
export function normalDomain(text: string): string | null {
  const plain = text.trim().replaceAll('[.]', '.').replace(/^hxxp/i, 'http');
  if (plain === '' || /[\s\p{Cc}]/u.test(plain)) return null;
  const isUrl = /^https?:\/\//i.test(plain);
  const url = isUrl ? plain : `http://${plain}`;
  // With a scheme, what stands before `@` is a name to be fooled by; without one it makes a mail address.
  if ((!isUrl && /^[^/?#]*@/.test(plain)) || !URL.canParse(url)) return null;
  const host = new URL(url).hostname.replace(/\.$/, '').replace(/^www\./, '');
  const labels = host.split('.');
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && /[a-z]/.test(labels.at(-1)!);
  return isName && host.length <= NAME_LENGTH_MAX ? host : null;
}

/** The name itself, then each name above it that still has two parts: `a.b.c`, `b.c`. */
export function namesAbove(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_, start) => labels.slice(start).join('.'));
}

/** Host names written inside a text, as dark lists do: `FAKE_Status_4 (contribute-status[.]im)`. */
export function domainsIn(text: string): string[] {
  const words = text.replaceAll('[.]', '.').split(/[^\p{L}\p{N}.-]+|\.{2,}/u);
  const names = words.map((word) => word.replace(/^\./, '').replace(/\.$/, '')).filter((word) => ENDING.test(word));
  return [...new Set(names.flatMap((name) => normalDomain(name) ?? []))];
}
