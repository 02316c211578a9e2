import { createHash } from 'node:crypto';
import { ed25519 } from '@noble/curves/ed25519.js';
import { base58 } from '@scure/base';

export const SYSTEM_PROGRAM = '11111111111111111111111111111111';
export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb';
export const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
export const STAKE_PROGRAM = 'Stake11111111111111111111111111111111111111';
export const VOTE_PROGRAM = 'Vote111111111111111111111111111111111111111';
export const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
const METADATA_PROGRAM = 'metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s';

/** True for addresses that have a private key (wallets); false for those that programs derive. */
export function isOnCurve(address: string): boolean {
  return pointExists(base58.decode(address));
}

/** The account in which a wallet usually keeps a mint's tokens. */
export function associatedTokenAccount(owner: string, mint: string, tokenProgram: string): string {
  return derivedAddress(
    [base58.decode(owner), base58.decode(tokenProgram), base58.decode(mint)],
    ASSOCIATED_TOKEN_PROGRAM,
  );
}

/** Returns where the Token Metadata program keeps name and symbol of a mint. */
export function metadataAddress(mint: string): string {
  return derivedAddress(
    [Buffer.from('metadata'), base58.decode(METADATA_PROGRAM), base58.decode(mint)],
    METADATA_PROGRAM,
  );
}

/** The first address, counting the bump down from 255, that lies off the curve. */
function derivedAddress(seeds: Uint8Array[], program: string): string {
  for (let bump = 255; bump >= 0; bump--) {
    const hash = createHash('sha256');
    for (const seed of seeds) hash.update(seed);
    const candidate = hash
      .update(Uint8Array.of(bump))
      .update(base58.decode(program))
      .update('ProgramDerivedAddress')
      .digest();
    if (!pointExists(candidate)) return base58.encode(candidate);
  }
  throw new RangeError('no address off the curve for these seeds');
}

function pointExists(bytes: Uint8Array): boolean {
  try {
    ed25519.Point.fromBytes(Uint8Array.from(bytes), true);
    return true;
  } catch {
    return false;
  }
}
