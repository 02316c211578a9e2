import { parse } from 'node:querystring';

/** The parameters of a query string, decoded. A repeated one is a list, which no schema of a parameter accepts. */
export function readQuery(text: string): Record<string, string | string[] | undefined> {
  return parse(text, '&', '=', { maxKeys: 0 });
}
