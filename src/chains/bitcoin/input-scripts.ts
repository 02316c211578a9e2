/** The scripts that unlock an input, in hex. */
export interface Unlocking {
  scriptsig?: string | null;
  witness?: string[] | null;
}

const OP_PUSHDATA1 = 0x4c;
const OP_PUSHDATA2 = 0x4d;
/** In the last byte of a signature: others may add inputs to the transaction, as buyers on marketplaces do. */
const ANYONE_CAN_PAY = 0x80;
const SCHNORR_WITH_TYPE = 65;

/** Returns the public key in an input that pays from the hash of one key; null for other inputs. */
export function keyBesideSignature({ scriptsig, witness }: Unlocking): string | null {
  const items = witness && witness.length > 0 ? witness : pushesOf(scriptsig ?? '');
  const key = items.length === 2 ? items[1]! : '';
  return /^(?:0[23][0-9a-f]{64}|04[0-9a-f]{128})$/.test(key) ? key : null;
}

/** True where a signature of the input does not bind the other inputs: those who own them may be strangers. */
export function letsOthersJoin({ scriptsig, witness }: Unlocking): boolean {
  return [...pushesOf(scriptsig ?? ''), ...(witness ?? [])].some((item) => {
    const length = item.length / 2;
    const isDer = item.startsWith('30') && Number.parseInt(item.slice(2, 4), 16) === length - 3;
    const isSchnorr = length === SCHNORR_WITH_TYPE && !item.startsWith('04');
    if (!isDer && !isSchnorr) return false;
    const type = Number.parseInt(item.slice(-2), 16);
    return (type & ANYONE_CAN_PAY) !== 0 && (type & ~ANYONE_CAN_PAY) <= 3;
  });
}

/** The data that a script of nothing but pushes puts on the stack; empty for others. */
function pushesOf(script: string): string[] {
  const bytes = Buffer.from(script, 'hex');
  const pushes: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const code = bytes[at]!;
    if (code > OP_PUSHDATA2) return [];
    const sizeBytes = Math.max(0, code - OP_PUSHDATA1 + 1);
    if (at + sizeBytes >= bytes.length) return pushes;
    const size = sizeBytes === 0 ? code : bytes.readUIntLE(at + 1, sizeBytes);
    const start = at + 1 + sizeBytes;
    pushes.push(bytes.subarray(start, start + size).toString('hex'));
    at = start + size;
  }
  return pushes;
}
