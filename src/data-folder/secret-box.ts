import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { ConfigError } from '../config.ts';

/** Encrypts secrets that must be stored and used again. */
export interface SecretBox {
  /** `owner` is bound to the text: it opens for the same owner only. */
  seal(text: string, owner: string): string;
  /** Throws when the text was sealed with another key or for another owner, or was changed. */
  open(sealed: string, owner: string): string;
}

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;

/**
 * Encryption by AES-256-GCM with a key derived from `secretKey`, else with a key of its own in `path` (mode 0600) that
 * is made when it is first needed; null keeps it in memory.
 */
export function openSecretBox(secretKey: string | undefined, path: string | null): SecretBox {
  let known: Buffer | undefined;
  const key = () => {
    known ??= secretKey ? scryptSync(secretKey, 'traceflow secrets', KEY_BYTES) : keyOfFile(path);
    return known;
  };
  return {
    seal: (text, owner) => {
      const iv = randomBytes(12);
      const cipher = createCipheriv(CIPHER, key(), iv).setAAD(Buffer.from(owner));
      const parts = [iv, Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]), cipher.getAuthTag()];
      return parts.map((part) => part.toString('base64url')).join('.');
    },
    open: (sealed, owner) => {
      const [iv, text, tag] = sealed.split('.').map((part) => Buffer.from(part, 'base64url')) as [
        Buffer,
        Buffer,
        Buffer,
      ];
      const decipher = createDecipheriv(CIPHER, key(), iv).setAAD(Buffer.from(owner)).setAuthTag(tag);
      return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
    },
  };
}

function keyOfFile(path: string | null): Buffer {
  const made = randomBytes(KEY_BYTES);
  if (path === null) return made;
  try {
    writeFileSync(path, `${made.toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
    return made;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url');
  if (key.length !== KEY_BYTES) throw new ConfigError([`${path}: is not a key; restore it, or set SECRET_KEY`]);
  return key;
}
