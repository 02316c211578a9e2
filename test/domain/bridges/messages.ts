import type { BridgeMessage } from '../../../src/domain/bridges/message.ts';
import type { Chain } from '../../../src/domain/chain.ts';

export const SENDER = `0x${'a1'.repeat(20)}`;
export const RECIPIENT = `0x${'b2'.repeat(20)}`;
export const SENT_AT = Date.UTC(2025, 2, 1, 12);

const USDC: Partial<Record<Chain, string>> = {
  ethereum: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48',
  arbitrum: '0xaf88d065e77c8cc2239327c5edb3a432268e5831',
};

/** 1,000 USDC that leave Ethereum for Arbitrum. */
export function sourceMessage(given: Partial<BridgeMessage> = {}): BridgeMessage {
  return {
    protocol: 'cctp_v1',
    side: 'source',
    chain: 'ethereum',
    tx: `0x${'01'.repeat(32)}`,
    position: 7,
    at: SENT_AT,
    id: '62883',
    route: { from: { chain: 'ethereum', raw: '0' }, to: { chain: 'arbitrum', raw: '3' } },
    sender: SENDER,
    recipient: RECIPIENT,
    asset: 'USDC',
    token: USDC.ethereum!,
    assetId: USDC.ethereum!,
    amount: '1000',
    agreed: { amount: '1000000000' },
    expiresAt: null,
    explains: [],
    ...given,
  };
}

/** The arrival of `sourceMessage`, four minutes later. */
export function destinationMessage(given: Partial<BridgeMessage> = {}): BridgeMessage {
  return sourceMessage({
    side: 'destination',
    chain: 'arbitrum',
    tx: `0x${'02'.repeat(32)}`,
    position: 3,
    at: SENT_AT + 240_000,
    token: USDC.arbitrum!,
    assetId: USDC.arbitrum!,
    ...given,
  });
}
