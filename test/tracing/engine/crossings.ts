import type { Crossing } from '../../../src/domain/bridges/crossing.ts';
import type { BridgeMessage } from '../../../src/domain/bridges/message.ts';
import type { Chain } from '../../../src/domain/chain.ts';
import { assetId } from '../../../src/domain/tracing/asset-id.ts';
import { keyOf } from './in-memory.ts';

/** One side of a crossing as a test writes it. */
export interface Side {
  /** Who sent, or received, on this side's chain. */
  party: string;
  at: number;
  amount: string;
  symbol?: string;
  /** Places of the explained transfers in the list of the test. */
  explains?: number[];
}

const ends = (key: string) => {
  const colon = key.indexOf(':');
  return { chain: key.slice(0, colon) as Chain, address: key.slice(colon + 1) };
};

/** A crossing from what a test says of its sides; `id` makes it one of its own. */
export function crossing(
  id: string,
  { out, arrived, ...more }: { out: Side; arrived: Side } & Partial<Crossing>,
): Crossing {
  const [from, to] = [keyOf(out.party), keyOf(arrived.party)];
  const [sender, recipient] = [ends(from), ends(to)];
  const side = (name: BridgeMessage['side'], { at, amount, symbol = 'USDC', explains = [] }: Side): BridgeMessage => {
    const { chain } = name === 'source' ? sender : recipient;
    return {
      protocol: 'across',
      side: name,
      chain,
      tx: `${name}-${id}`,
      position: 0,
      at,
      id,
      route: { from: { chain: sender.chain, raw: sender.chain }, to: { chain: recipient.chain, raw: recipient.chain } },
      sender: sender.address,
      recipient: recipient.address,
      asset: symbol,
      token: null,
      assetId: assetId(chain, { token: null, tokenId: null, symbol }),
      amount,
      agreed: {},
      expiresAt: null,
      explains: explains.map((place) => `t${place}`),
    };
  };
  return {
    id: `crossing-${id}`,
    protocol: 'across',
    messageId: id,
    from,
    to,
    source: side('source', out),
    destination: side('destination', arrived),
    match: 'id',
    usd: null,
    reason: null,
    ambiguous: false,
    lookedUpAt: null,
    ...more,
  };
}
