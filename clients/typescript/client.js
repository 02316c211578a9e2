import createClient from 'openapi-fetch';

export function createTraceflow({ baseUrl, apiKey, ...options }) {
  return createClient({ ...options, baseUrl, headers: { ...options.headers, 'X-API-Key': apiKey } });
}
