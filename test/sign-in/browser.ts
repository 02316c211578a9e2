import type { TestApp } from '../app/test-app.ts';

/** A browser at the pages of a test app: it keeps cookies, and sends the token of its session as the console does. */
export function openBrowser({ app }: TestApp) {
  const cookies: Record<string, string> = {};
  let csrf: string | null = null;
  const request = async (
    method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE',
    url: string,
    { payload, headers = {} }: { payload?: object | string; headers?: Record<string, string> } = {},
  ) => {
    const sent = { ...(csrf !== null && { 'x-csrf-token': csrf }), ...headers };
    const reply = await app.inject({ method, url, payload, headers: sent, cookies: { ...cookies } });
    for (const { name, value, maxAge } of reply.cookies) {
      if (maxAge === 0) delete cookies[name];
      else cookies[name] = value;
    }
    return reply;
  };
  const call = async (method: Parameters<typeof request>[0], path: string, payload?: object) => {
    const reply = await request(method, `/api/v1${path}`, { payload });
    return { status: reply.statusCode, body: reply.json() };
  };
  /** Where the browser is led in the end. */
  const signIn = async (authorize: (url: string) => string | Promise<string>, query = '') => {
    const { headers } = await request('GET', `/auth/sign-in${query}`);
    const back = await request('GET', `/auth/callback?${await authorize(String(headers.location))}`);
    csrf = (await request('GET', '/api/v1/session')).json().csrf_token;
    return String(back.headers.location);
  };
  return { cookies, request, call, signIn };
}
