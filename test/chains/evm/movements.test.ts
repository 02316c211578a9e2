import { describe, expect, it } from 'vitest';
import {
  type EvmMovement,
  type FoundMovement,
  nativeMovement,
  type TokenFacts,
  toTransfer,
} from '../../../src/chains/evm/format/transfer.ts';
import { toTransfers, withCoinOnce } from '../../../src/chains/evm/history/sources.ts';
import { movementsOfLog, TRANSFER_TOPIC } from '../../../src/domain/transfers/evm-log.ts';
import { hashOf, ME, PEER, TOKEN } from './world.ts';

const COIN = '0x0000000000000000000000000000000000001010';
const facts = {
  txHash: hashOf('one'),
  block: 1,
  blockHash: null,
  position: 0,
  at: 1,
  sender: ME,
  method: null,
  asked: null,
  fee: 1n,
};
const moved = (from: string, to: string, amountRaw: bigint, more: Partial<EvmMovement> = {}): FoundMovement => ({
  movement: { ...nativeMovement(from, to, amountRaw, false), ...more },
  facts,
  token: null,
});
const logged = (from: string, to: string, amount: bigint, place = 1) =>
  moved(from, to, amount, { kind: 'internal', index: `log:${place}` });
const asToken = (from: string, to: string, amount: bigint, token = COIN) =>
  moved(from, to, amount, { kind: 'token', token, index: null });
const shown = (found: FoundMovement[]) =>
  found.map(({ movement: { kind, token, from, to, amountRaw } }) => [kind, token, from, to, amountRaw]);

it('a history has more movements than a call may have arguments', async () => {
  const found = Array.from({ length: 130_001 }, (_, i) => moved(ME, PEER, 1n, { index: `log:${i}` }));
  const sources = {
    chain: 'ethereum',
    explorer: null,
    rpc: null,
    tokens: async () => new Map(),
    pageLimit: 1,
  } as const;
  expect(await toTransfers(sources, found)).toHaveLength(130_001);
});

describe('coin that is moved through the contract of the coin', () => {
  const paid = ['internal', null, ME, PEER, 70n];

  it('is one payment, whatever of its way, its logs and its token rows the source gives', () => {
    const way = [moved(ME, COIN, 70n), moved(COIN, PEER, 70n, { kind: 'internal', index: 'trace:0' })];
    const logs = [logged(ME, COIN, 70n, 1), logged(COIN, PEER, 70n, 2), logged(ME, PEER, 70n, 4)];
    for (const found of [
      [...way, asToken(ME, PEER, 70n)],
      [way[0]!, ...logs, asToken(ME, PEER, 70n)],
      [asToken(ME, PEER, 70n)],
    ])
      expect(shown(withCoinOnce('polygon', found))).toEqual([paid]);
  });

  it('is two where two equal ones are paid, and a plain payment that is logged too is one', () => {
    expect(withCoinOnce('polygon', [asToken(ME, PEER, 70n), asToken(ME, PEER, 70n)])).toHaveLength(2);
    expect(shown(withCoinOnce('polygon', [moved(ME, PEER, 70n), logged(ME, PEER, 70n)]))).toEqual([
      ['native', null, ME, PEER, 70n],
    ]);
  });

  it('stays with the contract where it pays nobody, and other tokens of the transaction stay', () => {
    const kept = [moved(ME, COIN, 70n), asToken(ME, PEER, 5n, TOKEN)];
    expect(withCoinOnce('polygon', kept)).toBe(kept);
  });

  it('has such a contract on its own chain alone', () => {
    expect(shown(withCoinOnce('ethereum', [asToken(ME, PEER, 70n)]))).toEqual([['token', COIN, ME, PEER, 70n]]);
    const old = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000';
    expect(shown(withCoinOnce('optimism', [moved(ME, PEER, 70n), asToken(ME, PEER, 70n, old)]))).toHaveLength(1);
  });
});

const word = (value: bigint) => `0x${value.toString(16).padStart(64, '0')}`;

describe('a token whose contract leaves something unsaid', () => {
  const transferOf = (token: TokenFacts, more: Partial<EvmMovement> = {}) =>
    toTransfer('ethereum', { ...asToken(ME, PEER, 3_141_592n, TOKEN).movement, ...more }, facts, token);

  it('has unknown decimals, and amounts in smallest units, where none are stated', () => {
    expect(transferOf({ symbol: 'ODD', decimals: null })).toMatchObject({
      decimals: null,
      amount: '3141592',
      amountRaw: '3141592',
      kind: 'token',
    });
    expect(transferOf({ symbol: 'ODD', decimals: 0 })).toMatchObject({ decimals: 0, amount: '3141592' });
  });

  it('is one collectible where its log has no indexed id and it counts in no parts, or where it says so', () => {
    const one = { kind: 'nft', tokenId: '3141592', amount: '1', decimals: 0 };
    expect(transferOf({ symbol: 'CAT', decimals: null }, { isUnindexed: true })).toMatchObject(one);
    expect(transferOf({ symbol: 'CAT', decimals: 0, isCollectible: true })).toMatchObject(one);
    expect(transferOf({ symbol: 'OLD', decimals: 3 }, { isUnindexed: true })).toMatchObject({
      kind: 'token',
      amount: '3141.592',
    });
  });

  it('is an amount where its log indexes it like an id and it counts in parts, and an id where no amount is like it', () => {
    const [log] = movementsOfLog({
      address: TOKEN,
      topics: [TRANSFER_TOPIC, ...[ME, PEER].map((one) => `0x${one.slice(2).padStart(64, '0')}`), word(3_141_592n)],
      data: '0x',
    });
    const numbered = (tokenId: bigint) => ({ ...log, tokenId: String(tokenId) });
    const amount = { kind: 'token', tokenId: null, assetType: null, amount: '3.141592', amountRaw: '3141592' };
    expect(transferOf({ symbol: 'ODD', decimals: 6 }, log)).toMatchObject(amount);
    const id = { kind: 'nft', assetType: 'erc721', amount: '1', decimals: 0 };
    expect(transferOf({ symbol: 'CAT', decimals: null }, log)).toMatchObject({ ...id, tokenId: '3141592' });
    expect(transferOf({ symbol: 'CAT', decimals: 0 }, log)).toMatchObject(id);
    for (const tokenId of [77n, 2n ** 255n + 77n]) {
      expect(transferOf({ symbol: 'MIX', decimals: 18 }, numbered(tokenId))).toMatchObject({
        ...id,
        tokenId: String(tokenId),
      });
    }
  });
});
