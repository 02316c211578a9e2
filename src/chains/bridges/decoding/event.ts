import { keccak_256 } from '@noble/hashes/sha3.js';
import { type AbiType, type AbiValue, argumentTypes, readArguments } from '../../../domain/calldata/abi.ts';
import type { EvidenceLog } from '../../port.ts';

interface Argument {
  name: string;
  type: AbiType;
  indexed: boolean;
}

/** An event as its contract declares it. */
export interface EventShape {
  /** Hash of the signature. */
  topic: string;
  arguments: Argument[];
}

export type EventValues = Record<string, AbiValue>;

/** Array items of one log that are read. */
const ITEMS_MAX = 1_000;

/** `Name(uint64 indexed nonce, bytes data)`: a tuple stands as `(uint64,bytes) order`. The topic is computed. */
export function eventOf(declaration: string): EventShape {
  const open = declaration.indexOf('(');
  const parts = splitArguments(declaration.slice(open + 1, -1)).map((part) => part.split(' '));
  const types = parts.map((words) => words[0]!);
  const signature = `${declaration.slice(0, open)}(${types.join(',')})`;
  const read = argumentTypes(`(${types.map((type) => type.replaceAll('string', 'bytes')).join(',')})`);
  return {
    topic: keccak(Buffer.from(signature, 'latin1')),
    arguments: parts.map((words, i) => ({
      name: words.at(-1)!,
      type: read[i]!,
      indexed: words.includes('indexed'),
    })),
  };
}

/** The values by name: addresses `0x…`, bytes and strings as hex without `0x`. Null unless the log has exactly this shape. */
export function readEvent(shape: EventShape, log: EvidenceLog): EventValues | null {
  if (log.topics[0] !== shape.topic) return null;
  const indexed = shape.arguments.filter((argument) => argument.indexed);
  const stored = shape.arguments.filter((argument) => !argument.indexed);
  if (log.topics.length !== indexed.length + 1) return null;
  const topics = readWords(indexed, log.topics.slice(1).join('').replaceAll('0x', ''));
  const data = readWords(stored, log.data.slice(2));
  return topics && data && { ...topics, ...data };
}

function readWords(parts: Argument[], hex: string): EventValues | null {
  const { values, faults } = readArguments(
    parts.map(({ type }) => type),
    hex,
    { items: ITEMS_MAX },
  );
  return faults.length > 0 ? null : Object.fromEntries(parts.map(({ name }, i) => [name, values[i]!]));
}

function splitArguments(list: string): string[] {
  const parts: string[] = [''];
  let depth = 0;
  for (const char of list) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (char === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += char;
  }
  return parts.map((part) => part.trim());
}

/** `0x` and the hash. */
export function keccak(bytes: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(bytes)).toString('hex')}`;
}

/** The text in hex bytes; null where it is not UTF-8 or longer than 500 bytes. */
export function utf8Text(hex: string): string | null {
  if (hex.length > 1_000) return null;
  const text = Buffer.from(hex, 'hex').toString('utf8');
  return text.includes('\uFFFD') ? null : text;
}
