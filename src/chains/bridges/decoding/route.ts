import type { RouteEnd } from '../../../domain/bridges/message.ts';
import { type BridgeProtocol, PROTOCOLS } from '../../../domain/bridges/protocols.ts';
import type { Chain } from '../../../domain/chain.ts';

/** The end of a route by the number that the protocol writes. */
export function routeEnd(protocol: BridgeProtocol, raw: bigint | string): RouteEnd {
  const text = String(raw);
  const found = Object.entries(PROTOCOLS[protocol].numbers).find(([, number]) => String(number) === text);
  return { chain: (found?.[0] as Chain | undefined) ?? null, raw: text };
}

/** The end of a route that lies on a scanned chain. */
export function endOn(protocol: BridgeProtocol, chain: Chain): RouteEnd {
  return { chain, raw: String(PROTOCOLS[protocol].numbers[chain] ?? chain) };
}
