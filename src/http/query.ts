import { parse } from 'node:querystring';

/** The parameters of a query string, decoded; of a repeated one the last counts. */
export function readQuery(text: string): Record<string, string | undefined> {
  const query: Record<string, string | string[] | undefined> = parse(text, '&', '=', { maxKeys: 0 });
  for (const name in query) if (Array.isArray(query[name])) query[name] = query[name].at(-1);
  return query as Record<string, string | undefined>;
}
