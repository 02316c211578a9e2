/**
 * The part of Ethereum's ABI that the known calls and events use. Read here and not by a library: before signing, hostile
 * calldata is read as the machine would run it and each fault is named, where ethers throws; TRON writes a version byte.
 */
export type AbiType =
  | { kind: 'address' | 'bool' | 'bytes32' | 'bytes' }
  | { kind: 'uint'; bits: number }
  | { kind: 'array'; of: AbiType }
  | { kind: 'tuple'; fields: AbiType[] };

/** Addresses are `0x` and 40 lower-case digits, bytes are hex without `0x`. */
export type AbiValue = string | bigint | boolean | AbiValue[];

/** Why arguments are not what their types promise. */
export type AbiFault = 'truncated' | 'dirty' | 'overlong' | 'too_many';

/** Array items that may still be read: offsets may point many times at the same bytes. */
export interface Budget {
  items: number;
}

interface AbiReader {
  hex: string;
  /** Byte at which the furthest read ended. */
  end: number;
  faults: Set<AbiFault>;
  budget: Budget;
}

const WORD = 64;
const ZEROS = '0'.repeat(WORD);
/** TRON's ABI writes addresses with their version byte, or without it. */
const TRON_VERSION = `${'0'.repeat(22)}41`;

/** The argument types of `name(type,…)`. */
export function argumentTypes(signature: string): AbiType[] {
  const parts = splitTypes(signature.slice(signature.indexOf('(') + 1, -1));
  return parts.map(parseType);
}

/**
 * Reads arguments (hex without `0x`) as the chain's machine would: what lies behind the end is zero, unused
 * upper bits do not count. Never throws; whatever a strict reader would refuse is named in `faults`.
 */
export function readArguments(
  types: AbiType[],
  hex: string,
  budget: Budget,
): { values: AbiValue[]; faults: AbiFault[] } {
  const reading: AbiReader = { hex, end: 0, faults: new Set(), budget };
  const values = readFields(reading, types, 0);
  if (reading.end < hex.length) reading.faults.add('overlong');
  return { values, faults: [...reading.faults] };
}

function splitTypes(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < list.length; i++) {
    if (list[i] === '(') depth += 1;
    if (list[i] === ')') depth -= 1;
    if (list[i] === ',' && depth === 0) {
      parts.push(list.slice(start, i));
      start = i + 1;
    }
  }
  return list === '' ? [] : [...parts, list.slice(start)];
}

function parseType(name: string): AbiType {
  if (name.endsWith('[]')) return { kind: 'array', of: parseType(name.slice(0, -2)) };
  if (name.startsWith('(')) return { kind: 'tuple', fields: splitTypes(name.slice(1, -1)).map(parseType) };
  if (name.startsWith('uint')) return { kind: 'uint', bits: Number(name.slice(4)) };
  return { kind: name as 'address' };
}

function isDynamic(type: AbiType): boolean {
  if (type.kind === 'tuple') return type.fields.some(isDynamic);
  return type.kind === 'bytes' || type.kind === 'array';
}

/** Characters that a value takes where it stands: its own, or those of the offset to it. */
function headLength(type: AbiType): number {
  if (type.kind !== 'tuple' || isDynamic(type)) return WORD;
  return type.fields.reduce((sum, field) => sum + headLength(field), 0);
}

function readFields(reading: AbiReader, types: AbiType[], base: number): AbiValue[] {
  let at = base;
  return types.map((type) => {
    const value = readValue(reading, type, base, at);
    at += headLength(type);
    return value;
  });
}

function readValue(reading: AbiReader, type: AbiType, base: number, at: number): AbiValue {
  if (!isDynamic(type)) return readStatic(reading, type, at);
  const start = base + 2 * readLength(reading, at);
  if (start > reading.hex.length) reading.faults.add('truncated');
  return readDynamic(reading, type, Math.min(start, reading.hex.length));
}

function readDynamic(reading: AbiReader, type: AbiType, start: number): AbiValue {
  if (type.kind === 'tuple') return readFields(reading, type.fields, start);
  const length = readLength(reading, start);
  const items = start + WORD;
  if (type.kind !== 'array') {
    const bytes = reading.hex.slice(items, items + 2 * length);
    if (bytes.length < 2 * length) reading.faults.add('truncated');
    reading.end = Math.max(reading.end, items + Math.ceil(bytes.length / WORD) * WORD);
    return bytes;
  }
  const step = headLength(type.of);
  if (length * step > reading.hex.length - items) {
    if (length > 0) reading.faults.add('truncated');
    return [];
  }
  if (length > reading.budget.items) {
    reading.faults.add('too_many');
    return [];
  }
  reading.budget.items -= length;
  return Array.from({ length }, (_, i) => readValue(reading, type.of, items, items + i * step));
}

function readStatic(reading: AbiReader, type: AbiType, at: number): AbiValue {
  if (type.kind === 'tuple') return readFields(reading, type.fields, at);
  const word = readWord(reading, at);
  switch (type.kind) {
    case 'address':
      if (!word.startsWith(ZEROS.slice(0, 24)) && !word.startsWith(TRON_VERSION)) reading.faults.add('dirty');
      return `0x${word.slice(24)}`;
    case 'bool':
      if (word !== ZEROS && word !== `${ZEROS.slice(1)}1`) reading.faults.add('dirty');
      return word !== ZEROS;
    case 'uint': {
      const unused = WORD - type.bits / 4;
      if (!word.startsWith(ZEROS.slice(0, unused))) reading.faults.add('dirty');
      return BigInt(`0x${word.slice(unused)}`);
    }
    default:
      return word;
  }
}

function readWord(reading: AbiReader, at: number): string {
  const word = reading.hex.slice(at, at + WORD);
  reading.end = Math.max(reading.end, at + WORD);
  if (word.length === WORD) return word;
  reading.faults.add('truncated');
  return word.padEnd(WORD, '0');
}

/** An offset or a length in bytes; beyond what any calldata holds it is infinite. */
function readLength(reading: AbiReader, at: number): number {
  const word = readWord(reading, at);
  return word.startsWith(ZEROS.slice(0, 56)) ? Number.parseInt(word.slice(56), 16) : Number.POSITIVE_INFINITY;
}
