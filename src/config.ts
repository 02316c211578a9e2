import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { z } from 'zod';
import { CHAINS, type Chain, type ChainFamily, chainFamily } from './domain/chain.ts';
import { isNetwork } from './outbound/networks.ts';
import { MASK, shownUrl } from './outbound/places.ts';

/** The only reader of the environment. A `.env` file counts where a variable is not set. */

const flag = (fallback: '0' | '1') =>
  z
    .enum(['0', '1'], { error: 'must be 0 or 1' })
    .default(fallback)
    .transform((value) => value === '1');
const whole = (fallback: number, min: number, max: number) =>
  z.coerce
    .number({ error: 'must be a whole number' })
    .int('must be a whole number')
    .min(min, `must be at least ${min}`)
    .max(max, `must be at most ${max}`)
    .default(fallback);
/** Left out: for ever. */
const days = () =>
  z.coerce
    .number({ error: 'must be a whole number of days' })
    .int('must be a whole number of days')
    .min(2, 'must be at least 2')
    .max(36_500, 'must be at most 36500')
    .optional();
const url = (...protocols: string[]) =>
  z
    .string()
    .refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol.slice(0, -1)), {
      error: `must be a URL that starts with ${protocols.map((p) => `${p}://`).join(' or ')}`,
    })
    .optional();
/** Requests a second. */
const rate = () =>
  z.coerce
    .number({ error: 'must be a number of requests a second' })
    .min(0.1, 'must be at least 0.1')
    .max(1_000, 'must be at most 1000')
    .optional();
const text = () => z.string().min(1).optional();
const cidrList = z
  .string()
  .default('')
  .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
  .refine((list) => list.every(isNetwork), { error: 'must be a comma-separated list such as 10.0.0.0/8,fd00::/8' });

const originList = z
  .string()
  .default('')
  .transform((value) => value.split(',').flatMap((part) => part.trim() || []))
  .refine((list) => list.every((origin) => /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9.[\]:_-]+$/.test(origin)), {
    error: 'must be a comma-separated list of origins such as https://wallet.example',
  });

/** Endpoints of Microsoft Entra where anyone of any organisation can sign in, and choose an e-mail address. */
const SHARED_ISSUER = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i;
const issuer = url('http', 'https')
  .refine((value) => value === undefined || !SHARED_ISSUER.test(value), {
    error: 'must be that of your own organisation, https://login.microsoftonline.com/<tenant id>/v2.0',
  })
  .refine(
    (value) => value === undefined || /^https:|^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/i.test(`${value}/`),
    {
      error: 'must start with https:// unless it is on this machine',
    },
  );

const settings = {
  HOST: z.string().min(1).default('127.0.0.1'),
  PORT: whole(8080, 0, 65_535),
  BASE_URL: url('http', 'https'),
  DATA_DIR: z.string().min(1).default('./data'),
  NEO4J_URI: url('neo4j', 'neo4j+s', 'neo4j+ssc', 'bolt', 'bolt+s', 'bolt+ssc'),
  NEO4J_USER: z.string().min(1).default('neo4j'),
  NEO4J_PASSWORD: z.string().default(''),
  NEO4J_DATABASE: text(),
  DATABASE_URL: url('postgres', 'postgresql'),
  REDIS_URL: url('redis', 'rediss'),
  TRUST_PROXY: z
    .string()
    .default('')
    .refine(
      (value) => /^(|true|false|\d{1,2})$/.test(value) || value.split(',').every((part) => isNetwork(part.trim())),
      {
        error: 'must be true, a number of proxies, or a list such as 127.0.0.1,10.0.0.0/8',
      },
    ),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  WEBHOOK_ALLOW_CIDRS: cidrList,
  WEBHOOK_ALLOW_HTTP: flag('0'),
  CHAT_WEBHOOK_HOST: z.string().min(1).default('hooks.slack.com'),
  SECRET_KEY: z.string().min(16, 'must have at least 16 characters').optional(),
  SECRET_KEY_PREVIOUS: z.string().min(16, 'must have at least 16 characters').optional(),
  SMTP_URL: url('smtp', 'smtps'),
  OIDC_ISSUER: issuer,
  OIDC_CLIENT_ID: text(),
  OIDC_CLIENT_SECRET: text(),
  OIDC_ACCOUNT_CLAIM: text(),
  OIDC_ROLE_CLAIM: text(),
  REPORT_ORGANISATION: text(),
  REPORT_DECLARATION: text(),
  SUMMARY_API_URL: url('http', 'https'),
  SUMMARY_API_KEY: text(),
  SUMMARY_MODEL: text(),
  PUBLIC_EXPOSURE: flag('1'),
  GRAPH_QUERY: flag('0'),
  CORS_ORIGINS: originList,
  METRICS_PUBLIC: flag('0'),
  METRICS_TOKEN: text(),
  SIGNING_P12: text(),
  SIGNING_P12_PASSWORD_FILE: text(),
  TSA_URL: url('http', 'https'),
  PRICE_API_URL: url('http', 'https'),
  PRICE_API_STYLE: z.enum(['coingecko', 'defillama']).default('coingecko'),
  SCAN_PAGE_LIMIT: whole(50, 1, 10_000),
  JOB_LEASE_MS: whole(30_000, 500, 3_600_000),
  TRACE_MS: whole(10_000, 100, 600_000),
  SCAN_TRACE_ADDRESSES: whole(10, 0, 500),
  SCAN_TRACE_MS: whole(15_000, 100, 600_000),
  SCAN_DEADLINE_MS: whole(230_000, 100, 3_600_000),
  CACHE_SCAN_SECONDS: whole(1_800, 0, 86_400),
  CACHE_PRESIGN_SECONDS: whole(120, 0, 3_600),
  PRESIGN_STORES_MS: whole(250, 10, 10_000),
  DRAIN_SECONDS: whole(0, 0, 60),
  RETENTION_SCANS_DAYS: days(),
  RETENTION_JOBS_DAYS: days(),
  RETENTION_EVENTS_DAYS: days(),
};
/** Where the chain is listened to; default: the source that can serve for it. */
const live = (...protocols: string[]) => ({ LIVE_URL: url(...protocols) });
const node = { RPC_URL: url('http', 'https'), RPC_RPS: rate() };
/** Settings of each chain's sources, behind `<CHAIN>_`. */
const SOURCE_SETTINGS: Record<ChainFamily, Partial<Record<SourceSetting, z.ZodType>>> = {
  evm: {
    ...node,
    EXPLORER_URL: url('http', 'https'),
    EXPLORER_KEY: text(),
    EXPLORER_RPS: rate(),
    EXPLORER_STYLE: z.enum(['etherscan', 'blockscout']).optional(),
    ...live('http', 'https'),
  },
  bitcoin: {
    ESPLORA_URL: url('http', 'https'),
    ESPLORA_RPS: rate(),
    MEMPOOL_URL: url('ws', 'wss'),
    ...live('http', 'https'),
  },
  solana: { ...node, ...live('ws', 'wss') },
  tron: { API_URL: url('http', 'https'), API_KEY: text(), API_RPS: rate(), ...live('http', 'https') },
  xrp: { ...node, ...live('ws', 'wss') },
};
type SourceSetting =
  `${'ESPLORA' | 'RPC' | 'EXPLORER' | 'API' | 'LIVE' | 'MEMPOOL'}_${'URL' | 'RPS' | 'KEY' | 'STYLE'}`;
const shape = {
  ...settings,
  ...Object.fromEntries(
    CHAINS.flatMap((chain) =>
      Object.entries(SOURCE_SETTINGS[chainFamily(chain)]).map(([name, schema]) => [
        `${chain.toUpperCase()}_${name}`,
        schema,
      ]),
    ),
  ),
};

/** Settings whose values are never printed. Of URLs, what may be a secret is masked. */
const SECRETS = /(_KEY|_KEY_PREVIOUS|_PASSWORD|_TOKEN|_SECRET)$/;

type Settings = z.output<z.ZodObject<typeof settings>>;

/** Where one chain's history comes from; undefined fields are not configured. */
export interface ChainSettings {
  esploraUrl?: string;
  /** Here and below, requests a second that the source allows. */
  esploraRps?: number;
  rpcUrl?: string;
  rpcRps?: number;
  explorerUrl?: string;
  explorerRps?: number;
  explorerKey?: string;
  explorerStyle?: 'etherscan' | 'blockscout';
  apiUrl?: string;
  apiRps?: number;
  apiKey?: string;
  /** Where it is listened to. */
  liveUrl?: string;
  /** Where its transactions are heard before they are in a block. */
  mempoolUrl?: string;
}

/** True where any source of the chain is configured. */
export function hasSource({ esploraUrl, rpcUrl, explorerUrl, apiUrl }: ChainSettings): boolean {
  return [esploraUrl, rpcUrl, explorerUrl, apiUrl].some(Boolean);
}

export interface Config extends Settings {
  /** As its users reach the service, without a slash at the end. */
  publicUrl: string;
  chains: Record<Chain, ChainSettings>;
}

export class ConfigError extends Error {
  constructor(problems: string[]) {
    super(`The settings do not fit:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** Reads and checks every setting; throws ConfigError naming each variable that does not fit. */
export function readConfig(env: Record<string, string | undefined> = environment()): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = z.object(shape).safeParse(given);
  if (!parsed.success) {
    throw new ConfigError(parsed.error.issues.map((issue) => `${String(issue.path[0])}: ${issue.message}`));
  }
  const values = parsed.data as Settings & Record<string, unknown>;
  if (values.OIDC_ISSUER && !values.OIDC_CLIENT_ID)
    throw new ConfigError(['OIDC_CLIENT_ID: set it beside OIDC_ISSUER']);
  const config = Object.fromEntries(Object.keys(settings).map((name) => [name, values[name]])) as unknown as Settings;
  const base = config.BASE_URL ?? `http://${config.HOST}:${config.PORT}`;
  return { ...config, chains: chainSettings(values), publicUrl: base.replace(/\/(?:api\/v1\/?)?$/, '') };
}

function chainSettings(values: Record<string, unknown>): Record<Chain, ChainSettings> {
  const problems: string[] = [];
  const entries = CHAINS.map((chain): [Chain, ChainSettings] => {
    const prefix = chain.toUpperCase();
    const of = (name: SourceSetting) => values[`${prefix}_${name}`] as string | undefined;
    const rateOf = (name: SourceSetting) => values[`${prefix}_${name}`] as number | undefined;
    const explorerUrl = of('EXPLORER_URL');
    const explorerStyle = of('EXPLORER_STYLE') as ChainSettings['explorerStyle'];
    if (explorerStyle && !explorerUrl) problems.push(`${prefix}_EXPLORER_STYLE: set ${prefix}_EXPLORER_URL too`);
    return [
      chain,
      {
        esploraUrl: of('ESPLORA_URL'),
        esploraRps: rateOf('ESPLORA_RPS'),
        rpcUrl: of('RPC_URL'),
        rpcRps: rateOf('RPC_RPS'),
        explorerUrl,
        explorerRps: rateOf('EXPLORER_RPS'),
        explorerKey: of('EXPLORER_KEY'),
        explorerStyle: explorerUrl ? (explorerStyle ?? 'etherscan') : undefined,
        apiUrl: of('API_URL'),
        apiRps: rateOf('API_RPS'),
        apiKey: of('API_KEY'),
        liveUrl: of('LIVE_URL'),
        mempoolUrl: of('MEMPOOL_URL'),
      },
    ];
  });
  if (problems.length > 0) throw new ConfigError(problems);
  return Object.fromEntries(entries) as Record<Chain, ChainSettings>;
}

/** Every setting, its value as text (secrets masked) and where it comes from. */
export function describeConfig(
  fromProcess: Record<string, string | undefined> = process.env,
  fromFile: Record<string, string | undefined> = dotEnv(),
): { name: string; value: string | null; source: 'environment' | '.env' | 'default' }[] {
  const merged = { ...fromFile, ...present(fromProcess) };
  readConfig(merged);
  const parsed = z.object(shape).parse(present(merged)) as Record<string, unknown>;
  return Object.keys(shape).map((name) => {
    const source = fromProcess[name] ? 'environment' : fromFile[name] ? '.env' : 'default';
    return { name, value: shown(name, parsed[name]), source };
  });
}

function shown(name: string, value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null;
  if (SECRETS.test(name)) return MASK;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (Array.isArray(value)) return value.join(',') || null;
  const asText = String(value);
  return asText.includes('://') && URL.canParse(asText) ? shownUrl(asText) : asText;
}

function environment(): Record<string, string | undefined> {
  return { ...dotEnv(), ...present(process.env) };
}

function present(env: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => !!entry[1]));
}

function dotEnv(): Record<string, string | undefined> {
  return existsSync('.env') ? (parseEnv(readFileSync('.env', 'utf8')) as Record<string, string | undefined>) : {};
}
