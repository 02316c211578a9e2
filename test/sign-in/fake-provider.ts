import { createHash, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { onTestFinished } from 'vitest';

const CLIENT_ID = 'traceflow';
const SECRET = 'a secret of the test';

/** An OpenID provider that a test can make lie, fail and change its keys. */
export interface FakeProvider {
  issuer: string;
  env: Record<string, string>;
  /** What it does next. */
  acts: {
    /** Claims of the ID token beside the usual ones; undefined leaves one out. */
    token: Record<string, unknown>;
    userinfo: Record<string, unknown>;
    /** Status of every answer. */
    status: number;
    /** What it calls itself. */
    name: string;
    /** Signs by a key that it does not publish. */
    forges: boolean;
  };
  rotateKeys: () => Promise<void>;
  /** As a browser that comes back: the query of the callback for an authorization URL. */
  authorize: (url: string) => string;
  logoutToken: (claims: JWTPayload) => Promise<string>;
}

const makeKey = () => generateKeyPair('RS256', { extractable: true });
/** Signs for each provider at first. Made once, since making it costs more than the rest of a sign-in. */
let firstKey: ReturnType<typeof makeKey> | undefined;

export async function openFakeProvider(): Promise<FakeProvider> {
  const newKey = async () => ({ id: randomUUID(), ...(await makeKey()) });
  firstKey ??= makeKey();
  let key = { id: randomUUID(), ...(await firstKey) };
  const codes = new Map<string, { nonce: string; challenge: string }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', async () => {
      const form = new URLSearchParams(Buffer.concat(chunks).toString());
      const answer = acts.status === 200 ? await answerOf(new URL(request.url!, issuer).pathname, form) : {};
      const status = answer === null ? 400 : acts.status;
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer ?? { error: 'invalid_grant' }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const acts: FakeProvider['acts'] = { token: {}, userinfo: {}, status: 200, name: issuer, forges: false };

  const sign = async (claims: JWTPayload) => {
    const { privateKey } = acts.forges ? await newKey() : key;
    const standard = { iss: issuer, aud: CLIENT_ID, iat: now(), exp: now() + 300, sub: 'ana' };
    const all = Object.fromEntries(
      Object.entries({ ...standard, ...claims }).filter(([, value]) => value !== undefined),
    );
    return new SignJWT(all).setProtectedHeader({ alg: 'RS256', kid: key.id }).sign(privateKey);
  };
  const now = () => Math.floor(Date.now() / 1_000);

  async function answerOf(path: string, form: URLSearchParams): Promise<object | null> {
    if (path === '/.well-known/openid-configuration') {
      return {
        ...{ issuer: acts.name, authorization_endpoint: `${issuer}/authorize`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/jwks`, userinfo_endpoint: `${issuer}/userinfo` },
        ...{ response_types_supported: ['code'], id_token_signing_alg_values_supported: ['RS256'] },
      };
    }
    if (path === '/jwks')
      return { keys: [{ ...(await exportJWK(key.publicKey)), kid: key.id, alg: 'RS256', use: 'sig' }] };
    if (path === '/userinfo') return { sub: acts.token.sub ?? 'ana', ...acts.userinfo };
    const code = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (code?.challenge !== challenge) return null;
    const id_token = await sign({ nonce: code.nonce, ...acts.token });
    return { access_token: randomUUID(), token_type: 'bearer', expires_in: 60, id_token };
  }

  return {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT_ID, OIDC_CLIENT_SECRET: SECRET },
    acts,
    rotateKeys: async () => {
      key = await newKey();
    },
    authorize: (url) => {
      const asked = new URL(url).searchParams;
      const code = randomUUID();
      codes.set(code, { nonce: asked.get('nonce')!, challenge: asked.get('code_challenge')! });
      return new URLSearchParams({ code, state: asked.get('state')! }).toString();
    },
    logoutToken: (claims) =>
      sign({ jti: randomUUID(), events: { 'http://schemas.openid.net/event/backchannel-logout': {} }, ...claims }),
  };
}
