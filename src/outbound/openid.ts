import { createRemoteJWKSet, jwtVerify } from 'jose';
import * as client from 'openid-client';
import type { Config } from '../config.ts';
import { InvalidInputError, UnavailableError } from '../errors.ts';

/** A person who signed in, as the provider describes them. */
export interface Identity {
  issuer: string;
  subject: string;
  email: string | null;
  /** True for nothing but the provider's own `true`. */
  isVerified: boolean;
  name: string | null;
  /** The provider's session, where it names one. */
  sid: string | null;
  /** Values of OIDC_ACCOUNT_CLAIM and of OIDC_ROLE_CLAIM. */
  accounts: string[];
  roles: string[];
}

export interface Checks {
  state: string;
  nonce: string;
  verifier: string;
}

/** The OpenID provider of the installation. Its metadata and keys are read each time: sign-ins are few, and both change. */
export interface Provider {
  /** Makes the URL that the browser is sent to. Throws UnavailableError. */
  authorizationUrl(checks: Checks, redirectUri: string): Promise<URL>;
  /** Reads who came back with this URL. Throws UnavailableError, or SignInError where anything does not fit. */
  identify(url: URL, checks: Checks): Promise<Identity>;
  /** Reads what a logout token ends. Throws UnavailableError, InvalidInputError. */
  readLogout(token: string): Promise<{ issuer: string; subject?: string; sid?: string }>;
}

/** The provider, or the person there, refused; or what it sent does not hold. */
export class SignInError extends Error {}

const TIMEOUT_S = 10;
/** Clocks of providers differ. */
const CLOCK_TOLERANCE_S = 60;
const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const LOGOUT_AGE_S = 600;
const SUBJECT_LENGTH_MAX = 255;

export function openProvider(config: Config): Provider {
  const { OIDC_CLIENT_ID: clientId = '', OIDC_ACCOUNT_CLAIM: accountClaim, OIDC_ROLE_CLAIM: roleClaim } = config;

  return {
    authorizationUrl: async ({ state, nonce, verifier }, redirectUri) => {
      const found = await discover(config);
      return client.buildAuthorizationUrl(found, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        response_type: 'code',
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
    },
    identify: async (url, { state, nonce, verifier }) => {
      const found = await discover(config);
      const wanted = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const tokens = await ask(client.authorizationCodeGrant(found, url, wanted));
      const token = tokens.claims();
      if (!token || token.sub === '' || token.sub.length > SUBJECT_LENGTH_MAX) throw new SignInError('no usable sub');
      const lacks = [roleClaim, accountClaim].some((name) => name !== undefined && claimIn(token, name) === undefined);
      const hasMore = found.serverMetadata().userinfo_endpoint !== undefined && (token.email === undefined || lacks);
      const more: Record<string, unknown> = hasMore
        ? await ask(client.fetchUserInfo(found, tokens.access_token, token.sub))
        : {};
      // An address and whether it is verified count from one source alone.
      const { email, email_verified } = token.email === undefined ? more : token;
      const claim = (name: string | undefined) =>
        name === undefined ? undefined : (claimIn(token, name) ?? claimIn(more, name));
      return {
        issuer: token.iss,
        subject: token.sub,
        email: typeof email === 'string' && email !== '' ? email.toLowerCase() : null,
        isVerified: email_verified === true,
        name: textOf(token.name ?? more.name ?? token.preferred_username ?? more.preferred_username),
        sid: textOf(token.sid),
        accounts: textsOf(claim(accountClaim)),
        roles: textsOf(claim(roleClaim)),
      };
    },
    readLogout: async (token) => {
      const { issuer, jwks_uri: keys } = (await discover(config)).serverMetadata();
      if (keys === undefined) throw new InvalidInputError('The provider names no keys');
      const { payload } = await jwtVerify(
        token,
        createRemoteJWKSet(new URL(keys), { timeoutDuration: TIMEOUT_S * 1_000 }),
        {
          issuer,
          audience: clientId,
          clockTolerance: CLOCK_TOLERANCE_S,
          maxTokenAge: LOGOUT_AGE_S,
          requiredClaims: ['iat', 'jti', 'events'],
        },
      ).catch((cause) => {
        throw new InvalidInputError('The logout token does not hold', { cause });
      });
      const { sub: subject, sid, events, nonce } = payload;
      const isLogout = typeof events === 'object' && events !== null && LOGOUT_EVENT in events && nonce === undefined;
      const named = { ...(typeof subject === 'string' && { subject }), ...(typeof sid === 'string' && { sid }) };
      if (!isLogout || Object.keys(named).length === 0) throw new InvalidInputError('The token is not for a logout');
      return { issuer, ...named };
    },
  };
}

/** Throws UnavailableError where the provider does not answer, or calls itself otherwise. */
async function discover(config: Config): Promise<client.Configuration> {
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET: secret } = config;
  const server = new URL(OIDC_ISSUER);
  const found = await client
    .discovery(server, OIDC_CLIENT_ID, { [client.clockTolerance]: CLOCK_TOLERANCE_S }, authOf(secret), {
      timeout: TIMEOUT_S,
      // config.ts lets `http:` be loopback alone.
      execute: [
        client.enableNonRepudiationChecks,
        ...(server.protocol === 'http:' ? [client.allowInsecureRequests] : []),
      ],
    })
    .catch((cause: { cause?: { body?: { issuer?: unknown } } }) => {
      const named = cause.cause?.body?.issuer;
      throw unavailable(typeof named === 'string' ? misnamed(named) : cause);
    });
  const { issuer } = found.serverMetadata();
  // For some hosts the library lets the names differ.
  if (new URL(issuer).href !== server.href) throw unavailable(misnamed(issuer));
  return found;
}

function misnamed(issuer: string): Error {
  return new Error(`OIDC_ISSUER must be ${issuer}, as the provider calls itself`);
}

/** Sends the secret as the specification's default, unless the provider takes the secret in the body alone; without a secret a public client. */
function authOf(secret: string | undefined): client.ClientAuth {
  if (secret === undefined) return client.None();
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (as, ...rest) => {
    const methods = as.token_endpoint_auth_methods_supported;
    return (methods === undefined || methods.includes('client_secret_basic') ? basic : post)(as, ...rest);
  };
}

/** Separates a sign-in that the provider refuses, or that does not hold, from a provider that does not answer. */
async function ask<T>(asked: Promise<T>): Promise<T> {
  return asked.catch((cause: unknown) => {
    const isRefusal =
      cause instanceof client.ClientError ||
      cause instanceof client.AuthorizationResponseError ||
      cause instanceof client.ResponseBodyError ||
      cause instanceof client.WWWAuthenticateChallengeError;
    if (isRefusal && !isOutage(cause)) throw new SignInError('the sign-in was refused', { cause });
    throw unavailable(cause);
  });
}

function isOutage(cause: Error & { code?: string }): boolean {
  return ['OAUTH_TIMEOUT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON'].includes(cause.code ?? '');
}

function unavailable(cause: unknown): UnavailableError {
  return new UnavailableError('The sign-in provider cannot be used', TIMEOUT_S, { cause });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null;
}

/** Finds a claim by its name or, as Keycloak keeps roles (`realm_access.roles`), by the names of objects around it. */
function claimIn(claims: object, name: string): unknown {
  if (Object.hasOwn(claims, name)) return (claims as Record<string, unknown>)[name];
  for (const [outer, inner] of Object.entries(claims)) {
    const isAround = name.startsWith(`${outer}.`) && typeof inner === 'object' && !Array.isArray(inner);
    // Another name may stand around it too: `a`, and `a.b` beside it.
    const found = isAround && inner !== null ? claimIn(inner, name.slice(outer.length + 1)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reads a claim that is a text or a list of texts. */
function textsOf(value: unknown): string[] {
  return [value].flat().filter((one) => typeof one === 'string');
}
