/** Characters that no XML 1.0 document holds, escaped or not; halves of surrogate pairs too. */
const IMPOSSIBLE = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu;
const MARKS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** The text without what no XML document holds. */
export function xmlCharacters(text: string): string {
  return text.replace(IMPOSSIBLE, '');
}

/** Text of an element or attribute; what XML cannot hold is left out. Line ends and tabs stay what they are. */
function xmlText(text: string): string {
  return xmlCharacters(text)
    .replace(/[&<>"']/g, (mark) => MARKS[mark]!)
    .replace(/[\t\n\r]/g, (blank) => `&#${blank.charCodeAt(0)};`);
}

/** An element of a document that is written. */
export interface XmlElement {
  name: string;
  attributes?: Readonly<Record<string, string>>;
  /** Elements, text, or a comment about what is missing; nothing is written for null. */
  content?: readonly (XmlElement | { comment: string } | null)[] | string;
}

/** A whole document in UTF-8, indented. */
export function xmlDocument(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${written(root, '')}`;
}

function written({ name, attributes = {}, content = [] }: XmlElement, indent: string): string {
  const stated = Object.entries(attributes).map(([key, value]) => ` ${key}="${xmlText(value)}"`);
  const start = `${indent}<${name}${stated.join('')}`;
  if (typeof content === 'string') return `${start}>${xmlText(content)}</${name}>\n`;
  const within = content.flatMap((one) => {
    if (one === null) return [];
    // Two hyphens end a comment.
    if ('comment' in one) return [`${indent}  <!-- ${xmlText(one.comment).replace(/-(?=-)/g, '- ')} -->\n`];
    return [written(one, `${indent}  `)];
  });
  return within.length === 0 ? `${start}/>\n` : `${start}>\n${within.join('')}${indent}</${name}>\n`;
}
