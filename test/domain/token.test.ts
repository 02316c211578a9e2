import { describe, expect, it } from 'vitest';
import { CHAINS, NATIVE_COIN } from '../../src/domain/chain.ts';
import { KNOWN_TOKENS } from '../../src/domain/tokens/known-tokens.ts';
import { assetName, cleanSymbol, verifiedToken } from '../../src/domain/tokens/token.ts';

const USDT = '0xdac17f958d2ee523a2206206994597c13d831ec7';
const OTHER = '0x1111111111111111111111111111111111111111';

describe('a symbol as shown', () => {
  it('loses control, bidirectional and invisible characters', () => {
    expect(cleanSymbol(' U\u200bS\u202eD\u2066T\u0000\ufeff\u00ad\ufe0f\u3164 ')).toBe('USDT');
    expect(cleanSymbol('A\u2028B\ud800C')).toBe('ABC');
  });

  it('keeps what people write', () => {
    expect(cleanSymbol('USD₮0')).toBe('USD₮0');
    expect(cleanSymbol('  $MYRO ')).toBe('$MYRO');
    expect(cleanSymbol('猫')).toBe('猫');
  });

  it('is at most 32 long and never ends in half a character', () => {
    expect(cleanSymbol('x'.repeat(5_000))).toBe('x'.repeat(32));
    expect(cleanSymbol(`${'x'.repeat(31)}🐶`)).toBe('x'.repeat(31));
  });

  it.each([undefined, null, 7, {}, [], '', '   ', '\u200b\u0007'])('is UNKNOWN for %j', (raw) => {
    expect(cleanSymbol(raw)).toBe('UNKNOWN');
  });
});

describe('the name of an asset', () => {
  it('is the symbol of the coin where there is no contract', () => {
    for (const chain of CHAINS) expect(assetName(chain, null, 'anything')).toBe(NATIVE_COIN[chain].symbol);
  });

  it('is the known symbol of a verified contract, whatever the contract calls itself', () => {
    expect(assetName('ethereum', USDT, 'Tether')).toBe('USDT');
    expect(assetName('ethereum', USDT.toUpperCase().replace('0X', '0x'), 'USDT')).toBe('USDT');
    expect(assetName('tron', 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t', 'USDT')).toBe('USDT');
    expect(assetName('arbitrum', '0xff970a61a04b1ca14834a43f5de4533ebddb5cc8', 'USDC')).toBe('USDC.e');
  });

  it.each([
    ['USDT', 'USDT'],
    ['usdt', 'USDT'],
    ['ＵＳＤＴ', 'USDT'],
    ['UЅDТ', 'USDT'],
    ['USDΤ', 'USDT'],
    ['USD₮', 'USDT'],
    ['ᴜꜱᴅᴛ', 'USDT'],
    ['𝐔𝐒𝐃𝐓', 'USDT'],
    ['🅤🅢🅓🅣', 'USDT'],
    ['U\u200bSDT', 'USDT'],
    ['U.S.D.T', 'USDT'],
    ['$USDT', 'USDT'],
    ['U$DT', 'USDT'],
    ['ŪŚĎŤ', 'USDT'],
    ['DAl', 'DAI'],
    ['VVETH', 'WETH'],
    ['ЕТН', 'ETH'],
    ['ΕΤΗ', 'ETH'],
    ['BTC', 'BTC'],
    ['ꓣꓡꓴꓢꓓ', 'RLUSD'],
  ])('is %s from another contract as %s:contract', (raw, imitated) => {
    expect(assetName('ethereum', OTHER, raw)).toBe(`${imitated}:${OTHER}`);
  });

  it('is the cleaned symbol for every other token', () => {
    for (const symbol of ['PEPE', 'USDTX', 'aUSDC', 'LDO', '猫', '🐶', 'УСДТ']) {
      expect(assetName('ethereum', OTHER, symbol)).toBe(symbol);
    }
    expect(assetName('ethereum', OTHER, '')).toBe('UNKNOWN');
  });

  it('does not let a verified contract of one chain count on another', () => {
    expect(assetName('bsc', USDT, 'USDT')).toBe(`USDT:${USDT}`);
    expect(verifiedToken('bsc', USDT)).toBeNull();
  });

  it('compares base58 contracts letter by letter', () => {
    expect(verifiedToken('tron', 'tr7nhqjekqxgtci8q8zy4pl8otszgjlj6t')).toBeNull();
  });
});

describe('verified tokens', () => {
  it('say under which name they are priced and whether they are worth a dollar', () => {
    expect(verifiedToken('ethereum', USDT)).toEqual({ symbol: 'USDT', decimals: 6, priceAs: 'USDT', stable: true });
    expect(verifiedToken('base', '0x4200000000000000000000000000000000000006')).toEqual({
      symbol: 'WETH',
      decimals: 18,
      priceAs: 'ETH',
      stable: false,
    });
    expect(verifiedToken('bsc', '0x55d398326f99059ff775485246999027b3197955')?.decimals).toBe(18);
    expect(verifiedToken('kaia', '0xcee8faf64bb97a73bb51e115aa89c17ffa8dd167')?.stable).toBe(false);
    expect(verifiedToken('ethereum', null)).toBeNull();
  });

  it('are all listed in the canonical form of their chain', () => {
    for (const key of KNOWN_TOKENS.keys()) {
      const [chain, token] = key.split(':') as [string, string];
      if (chain === 'tron') expect(token).toMatch(/^T[1-9A-HJ-NP-Za-km-z]{33}$/);
      else if (chain === 'solana') expect(token).toMatch(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/);
      else if (chain === 'xrp') expect(token).toMatch(/^[A-Za-z0-9]+\.r[1-9A-HJ-NP-Za-km-z]{24,34}$/);
      else expect(token).toMatch(/^0x[0-9a-f]{40}$/);
    }
  });
});
