import { isDeepStrictEqual } from 'node:util';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { safeEncode, type z } from 'zod';

/**
 * Sends answers as the service does, which trusts their form, and fails where one is not exactly what its schema says: a
 * field that the schema lacks would reach clients.
 */
export const strictAnswers: FastifySerializerCompiler<z.ZodType> = ({ schema, method, url, httpStatus }) => {
  return (answer) => {
    const text = JSON.stringify(answer);
    const sent: unknown = JSON.parse(text);
    const { data, error } = safeEncode(schema, sent);
    const place = `${method} ${url} ${httpStatus}`;
    if (error) throw new Error(`${place} is not of its schema: ${error.message}`);
    const stated: unknown = JSON.parse(JSON.stringify(data));
    const path = difference(sent, stated);
    if (path !== null) throw new Error(`${place} has what its schema lacks or changes, at ${path}`);
    return text;
  };
};

/** Where two values of JSON differ first; null where they do not. */
function difference(sent: unknown, stated: unknown, path = '$'): string | null {
  if (isDeepStrictEqual(sent, stated)) return null;
  if (!isObject(sent) || !isObject(stated)) return path;
  const names = new Set([...Object.keys(sent), ...Object.keys(stated)]);
  for (const name of names) {
    const within = difference(sent[name], stated[name], `${path}.${name}`);
    if (within !== null) return within;
  }
  return path;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
