import { createCipheriv, createDecipheriv, randomBytes, randomUUID, scryptSync } from 'node:crypto';
import { constants, copyFileSync, existsSync, linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { ConfigError } from '../config.ts';
import { SECRET_KEY_FILE } from './data-dir.ts';

/** Encrypts secrets that must be stored and used again. */
export interface SecretBox {
  /** `owner` is bound to the text: it opens for the same owner only. */
  seal(text: string, owner: string): string;
  /** Throws when the text was sealed with another key or for another owner, or was changed. */
  open(sealed: string, owner: string): string;
  /** Seals with the current key what an earlier one sealed; says so where that is not needed, or where no key opens it. */
  reseal(sealed: string, owner: string): { sealed: string } | 'current' | 'unknown_key';
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;

/**
 * Encryption by AES-256-GCM with a key derived from `secretKey`, else with a key of its own in `path` (mode 0600) that
 * is made when it is first needed; null keeps it in memory. What an earlier key sealed is opened too: that of `previousKey`, and
 * that of the file where `secretKey` took its place.
 */
export function openSecretBox(secretKey: string | undefined, path: string | null, previousKey?: string): SecretBox {
  const derived = (text: string) => scryptSync(text, 'traceflow secrets', KEY_BYTES);
  let known: Buffer | undefined;
  const key = () => {
    known ??= secretKey ? derived(secretKey) : keyOfFile(path);
    return known;
  };
  let earlier: Buffer[] | undefined;
  const earlierKeys = () => {
    earlier ??= [
      ...(previousKey ? [derived(previousKey)] : []),
      ...(secretKey && path !== null && existsSync(path) ? [keyOfFile(path)] : []),
    ];
    return earlier;
  };
  const seal = (text: string, owner: string) => {
    const iv = randomBytes(12);
    const cipher = createCipheriv(CIPHER, key(), iv).setAAD(Buffer.from(owner));
    const parts = [iv, Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]), cipher.getAuthTag()];
    return parts.map((part) => part.toString('base64url')).join('.');
  };
  const openWithEarlier = (sealed: string, owner: string) => {
    for (const one of earlierKeys()) {
      const text = textOrNull(() => openWith(one, sealed, owner));
      if (text !== null) return text;
    }
    return null;
  };
  return {
    seal,
    open: (sealed, owner) => {
      const text = textOrNull(() => openWith(key(), sealed, owner)) ?? openWithEarlier(sealed, owner);
      if (text === null) throw new Error('no key opens it');
      return text;
    },
    reseal: (sealed, owner) => {
      if (textOrNull(() => openWith(key(), sealed, owner)) !== null) return 'current';
      const text = openWithEarlier(sealed, owner);
      return text === null ? 'unknown_key' : { sealed: seal(text, owner) };
    },
  };
}

/** Nonce of 12 bytes, text, and tag of 16 bytes: a shorter tag could be guessed, and the receiver of a sealed text may add to it. */
const SEALED = /^[\w-]{16}\.[\w-]*\.[\w-]{22}$/;

/** Throws where the text was sealed with another key or for another owner, or was changed. */
function openWith(key: Buffer, sealed: string, owner: string): string {
  if (!SEALED.test(sealed)) throw new Error('not a sealed text');
  const [iv, text, tag] = sealed.split('.').map((part) => Buffer.from(part, 'base64url')) as [Buffer, Buffer, Buffer];
  const decipher = createDecipheriv(CIPHER, key, iv).setAAD(Buffer.from(owner)).setAuthTag(tag);
  return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
}

function textOrNull(open: () => string): string | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    return null;
  }
}

/**
 * A key of 32 bytes that is made when it is first needed; processes that start together agree on one. Throws ConfigError
 * for a file that holds none.
 */
export function keyOfFile(path: string | null): Buffer {
  const made = randomBytes(KEY_BYTES);
  if (path === null) return made;
  if (!existsSync(path) && putWhole(path, `${made.toString('base64url')}\n`)) return made;
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url');
  if (key.length !== KEY_BYTES)
    throw new ConfigError([
      `${path}: is not a key; restore it${path.endsWith(SECRET_KEY_FILE) ? ', or set SECRET_KEY' : ''}`,
    ]);
  return key;
}

/** Makes a file that is never read in part; false where another process made it first. */
function putWhole(path: string, text: string): boolean {
  const part = `${path}.${randomUUID()}`;
  writeFileSync(part, text, { mode: 0o600, flag: 'wx', flush: true });
  try {
    linkOrCopy(part, path);
    return true;
  } catch (error) {
    if (existsSync(path)) return false;
    throw error;
  } finally {
    unlinkSync(part);
  }
}

/** Throws where the path is taken. */
function linkOrCopy(part: string, path: string): void {
  try {
    linkSync(part, path);
  } catch {
    // Some shared folders know no links.
    copyFileSync(part, path, constants.COPYFILE_EXCL);
  }
}
