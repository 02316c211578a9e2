import type { Transfer } from './transfer.ts';

/** The part of an event log that its meaning hangs on; hex in lower case. */
export interface EvmLog {
  /** Contract that wrote the log. */
  address: string;
  topics: string[];
  data: string;
}

/** One movement that a log reports. `internal` is a move of the chain's own coin. */
export interface LogMovement {
  kind: 'token' | 'nft' | 'internal';
  token: string | null;
  from: string;
  to: string;
  amountRaw: bigint;
  tokenId: string | null;
  assetType: Transfer['assetType'];
  /** True where the log names its last number in a place that amounts and ids share: the contract's facts decide. */
  isUnindexed?: true;
  /** True where it indexes that number, as collectibles do with their ids: a few tokens do so with amounts. */
  isIndexed?: true;
}

/** Event signatures, hashed: ERC-20 and ERC-721 share the first. */
export const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
export const TRANSFER_SINGLE_TOPIC = '0xc3d58168c5ae7397731d063d5bbf3d657854427343f4c083240f7aacaa2d0f62';
export const TRANSFER_BATCH_TOPIC = '0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb';
/** Tether's contracts take what a frozen address holds, and log no transfer of it. */
export const DESTROYED_TOPIC = '0x61e6e66b0d6339b2980aecc6ccc0039736791f0ccde9ed512e789a7fbdd698c6';
/** Topic of the zero address, to which destroyed tokens go. */
const NO_ONE = `0x${'0'.repeat(64)}`;
/** Polygon's contract for its own coin logs every move of it. */
export const POLYGON_LOG_TRANSFER_TOPIC = '0xe6497e3ee548a3372136af2fcb0696db31fc6cf20260707645068bd3fe97f3c4';
const POLYGON_COIN_CONTRACT = '0x0000000000000000000000000000000000001010';

const WORD = 64;

/**
 * Returns what a log moved, decided by its shape alone (number of topics, length of data), since standards share
 * signatures; empty for every other log. A batch gives one movement per token id.
 */
export function movementsOfLog(log: EvmLog): LogMovement[] {
  const words = wordsOf(log.data);
  if (!words) return [];
  switch (log.topics[0]) {
    case TRANSFER_TOPIC:
      return transfer(log, words);
    case TRANSFER_SINGLE_TOPIC:
      return log.topics.length === 4 && words.length === 2 ? multiToken(log, [words[0]!], [words[1]!]) : [];
    case TRANSFER_BATCH_TOPIC: {
      const ids = arrayAt(words, 0);
      const values = arrayAt(words, 1);
      return log.topics.length === 4 && ids && values && ids.length === values.length
        ? multiToken(log, ids, values)
        : [];
    }
    case DESTROYED_TOPIC:
      return log.topics.length === 1 && words.length === 2
        ? moved('token', log.address, `0x${words[0]}`, NO_ONE, BigInt(`0x${words[1]}`))
        : [];
    case POLYGON_LOG_TRANSFER_TOPIC:
      return log.address === POLYGON_COIN_CONTRACT && log.topics.length === 4 && words.length === 5
        ? moved('internal', null, log.topics[2]!, log.topics[3]!, BigInt(`0x${words[0]}`))
        : [];
    default:
      return [];
  }
}

/**
 * Returns what each log of one transaction moved, in the order of the logs. What an issuer destroyed counts once where its
 * contract logs a transfer too.
 */
export function movementsOfLogs(logs: readonly EvmLog[]): LogMovement[][] {
  const all = logs.map(movementsOfLog);
  const contentOf = ({ token, from, to, amountRaw }: LogMovement) => `${token} ${from} ${to} ${amountRaw}`;
  const isDestruction = (place: number) => logs[place]!.topics[0] === DESTROYED_TOPIC;
  const transferred = new Set(all.flatMap((moves, place) => (isDestruction(place) ? [] : moves.map(contentOf))));
  return all.map((moves, place) =>
    isDestruction(place) ? moves.filter((one) => !transferred.has(contentOf(one))) : moves,
  );
}

function transfer(log: EvmLog, words: string[]): LogMovement[] {
  const [, first, second, third] = log.topics;
  if (log.topics.length === 3 && words.length === 1) {
    if (isReceiver(words[0]!) && isSmallNumber(second!)) {
      const found = moved('token', log.address, first!, `0x${words[0]}`, BigInt(second!));
      return found.map((movement) => ({ ...movement, isUnindexed: true }));
    }
    return moved('token', log.address, first!, second!, BigInt(`0x${words[0]}`));
  }
  if (log.topics.length === 4 && words.length === 0) {
    const found = moved('nft', log.address, first!, second!, 1n, {
      assetType: 'erc721',
      tokenId: String(BigInt(third!)),
    });
    return found.map((movement) => ({ ...movement, isIndexed: true }));
  }
  // Tokens from before indexed arguments were the custom, and the first collectibles.
  if (log.topics.length === 1 && words.length === 3) {
    const found = moved('token', log.address, `0x${words[0]}`, `0x${words[1]}`, BigInt(`0x${words[2]}`));
    return found.map((movement) => ({ ...movement, isUnindexed: true }));
  }
  return [];
}

/**
 * True for an address that no token has as an amount. A few contracts index sender and number and not the receiver: their logs
 * have the shape of all others.
 */
function isReceiver(word: string): boolean {
  const number = BigInt(`0x${word}`);
  return number >= 2n ** 152n && number < 2n ** 160n;
}

/** True for an amount that cannot be an address: built-in contracts and the usual graves lie below, made keys above. */
function isSmallNumber(topic: string): boolean {
  const number = BigInt(topic);
  return number >= 2n ** 16n && number < 2n ** 80n;
}

function multiToken(log: EvmLog, ids: string[], values: string[]): LogMovement[] {
  return ids.flatMap((id, place) =>
    moved('nft', log.address, log.topics[2]!, log.topics[3]!, BigInt(`0x${values[place]}`), {
      assetType: 'erc1155',
      tokenId: BigInt(`0x${id}`).toString(),
    }),
  );
}

function moved(
  kind: LogMovement['kind'],
  token: string | null,
  from: string,
  to: string,
  amountRaw: bigint,
  item: Pick<LogMovement, 'tokenId' | 'assetType'> = { tokenId: null, assetType: null },
): LogMovement[] {
  const sender = addressOf(from);
  const receiver = addressOf(to);
  return sender && receiver ? [{ kind, token, from: sender, to: receiver, amountRaw, ...item }] : [];
}

/** Null where the twelve leading bytes are not empty: then the word is not an address. */
function addressOf(word: string): string | null {
  return /^0x0{24}[0-9a-f]{40}$/.test(word) ? `0x${word.slice(-40)}` : null;
}

function wordsOf(data: string): string[] | null {
  const hex = data.slice(2);
  if (hex.length % WORD !== 0) return null;
  return hex.match(/.{64}/g) ?? [];
}

/** The dynamic array whose offset stands in the given word; null where it points outside the data. */
function arrayAt(words: string[], place: number): string[] | null {
  const offset = smallNumber(words[place], words.length * 32);
  if (offset === null || offset % 32 !== 0) return null;
  const start = offset / 32;
  const length = smallNumber(words[start], words.length);
  if (length === null || start + 1 + length > words.length) return null;
  return words.slice(start + 1, start + 1 + length);
}

function smallNumber(word: string | undefined, max: number): number | null {
  if (word === undefined) return null;
  const value = BigInt(`0x${word}`);
  return value <= BigInt(max) ? Number(value) : null;
}
