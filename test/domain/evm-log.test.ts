import { describe, expect, it } from 'vitest';
import { eventOf } from '../../src/chains/bridges/decoding/event.ts';
import {
  movementsOfLog,
  movementsOfLogs,
  POLYGON_LOG_TRANSFER_TOPIC,
  TRANSFER_BATCH_TOPIC,
  TRANSFER_SINGLE_TOPIC,
  TRANSFER_TOPIC,
} from '../../src/domain/transfers/evm-log.ts';

const token = `0x${'11'.repeat(20)}`;
const from = `0x${'aa'.repeat(20)}`;
const to = `0x${'bb'.repeat(20)}`;
const padded = (address: string) => `0x${address.slice(2).padStart(64, '0')}`;
const words = (...values: (bigint | number)[]) =>
  `0x${values.map((value) => BigInt(value).toString(16).padStart(64, '0')).join('')}`;
const MAX = 2n ** 256n - 1n;
const log = (topics: string[], data: string, address = token) => movementsOfLog({ address, topics, data });

describe('an event log', () => {
  it('with three topics and one word is a fungible transfer, up to the largest number there is', () => {
    expect(log([TRANSFER_TOPIC, padded(from), padded(to)], words(MAX))).toEqual([
      { kind: 'token', token, from, to, amountRaw: MAX, tokenId: null, assetType: null },
    ]);
  });

  it('with four topics and no data is a non-fungible transfer', () => {
    expect(log([TRANSFER_TOPIC, padded(from), padded(to), words(MAX)], '0x')).toEqual([
      { kind: 'nft', token, from, to, amountRaw: 1n, tokenId: MAX.toString(), assetType: 'erc721', isIndexed: true },
    ]);
  });

  it('with one topic and three words is a transfer of an old token', () => {
    expect(log([TRANSFER_TOPIC], words(BigInt(from), BigInt(to), 5))).toEqual([
      { kind: 'token', token, from, to, amountRaw: 5n, tokenId: null, assetType: null, isUnindexed: true },
    ]);
  });

  it('that indexes the number and not the receiver is a transfer to the receiver, where neither can be the other', () => {
    const said = { kind: 'token', token, from, tokenId: null, assetType: null };
    expect(log([TRANSFER_TOPIC, padded(from), words(10n ** 18n)], words(BigInt(to)))).toEqual([
      { ...said, to, amountRaw: 10n ** 18n, isUnindexed: true },
    ]);
    for (const [receiver, amount] of [
      ['0x000000000000000000000000000000000000dead', BigInt(to)],
      [`0x${'0'.repeat(24)}deadbeefdeadbeef`, 10n ** 34n],
      [to, BigInt(to)],
    ] as const) {
      const plain = { ...said, to: receiver, amountRaw: amount };
      expect(log([TRANSFER_TOPIC, padded(from), padded(receiver)], words(amount))).toEqual([plain]);
    }
  });

  it('of an issuer that takes what a frozen address holds moves it to the zero address, once where a transfer is logged too', () => {
    const taken = {
      address: token,
      topics: [eventOf('DestroyedBlackFunds(address who, uint256 amount)').topic],
      data: words(BigInt(from), 9),
    };
    const burned = { address: token, topics: [TRANSFER_TOPIC, padded(from), padded('0x0')], data: words(9) };
    const gone = { kind: 'token', token, from, to: `0x${'0'.repeat(40)}`, amountRaw: 9n };
    expect(movementsOfLogs([taken])).toEqual([[expect.objectContaining(gone)]]);
    expect(movementsOfLogs([taken, burned])).toEqual([[], [expect.objectContaining(gone)]]);
    expect(movementsOfLogs([{ ...taken, data: words(BigInt(from)) }])).toEqual([[]]);
  });

  it('of several token ids gives one movement for each', () => {
    const topics = [TRANSFER_BATCH_TOPIC, padded(token), padded(from), padded(to)];
    expect(log(topics, words(64, 160, 2, 7, 8, 2, 30, 40))).toEqual([
      { kind: 'nft', token, from, to, amountRaw: 30n, tokenId: '7', assetType: 'erc1155' },
      { kind: 'nft', token, from, to, amountRaw: 40n, tokenId: '8', assetType: 'erc1155' },
    ]);
    expect(log([TRANSFER_SINGLE_TOPIC, ...topics.slice(1)], words(7, 3))).toEqual([
      { kind: 'nft', token, from, to, amountRaw: 3n, tokenId: '7', assetType: 'erc1155' },
    ]);
  });

  it('of Polygon reports a move of coin, from its own contract alone', () => {
    const topics = [POLYGON_LOG_TRANSFER_TOPIC, padded('0x1010'), padded(from), padded(to)];
    const data = words(9, 100, 0, 91, 9);
    expect(log(topics, data, '0x0000000000000000000000000000000000001010')).toEqual([
      { kind: 'internal', token: null, from, to, amountRaw: 9n, tokenId: null, assetType: null },
    ]);
    expect(log(topics, data)).toEqual([]);
  });

  const batch = [TRANSFER_BATCH_TOPIC, padded(token), padded(from), padded(to)];
  it.each<[string, string[], string]>([
    ['another event', [words(5), padded(from), padded(to)], words(1)],
    ['no topic', [], words(1)],
    ['three topics and two words', [TRANSFER_TOPIC, padded(from), padded(to)], words(1, 2)],
    ['four topics and data', [TRANSFER_TOPIC, padded(from), padded(to), words(1)], words(1)],
    ['half a word', [TRANSFER_TOPIC, padded(from), padded(to)], '0x01'],
    ['an address with more than 20 bytes', [TRANSFER_TOPIC, words(MAX), padded(to)], words(1)],
    ['a batch whose lists point outside', batch, words(MAX, MAX)],
    ['a batch whose list claims to be endless', batch, words(64, 96, MAX, 1, 1)],
    ['a batch with more ids than values', batch, words(64, 160, 2, 7, 8, 1, 30)],
    ['a batch at an uneven place', batch, words(33, 64, 0, 0)],
    ['a batch without data', batch, '0x'],
  ])('that is %s moves nothing', (_, topics, data) => {
    expect(log(topics, data)).toEqual([]);
  });
});
