import type { BridgeProtocol } from './message.ts';

/** Protocols of bridges by their own names. */
const PROTOCOL_NAMES: Record<BridgeProtocol, string> = {
  cctp_v1: 'Circle CCTP 1',
  cctp_v2: 'Circle CCTP 2',
  across: 'Across',
  layerzero: 'LayerZero',
  wormhole: 'Wormhole',
  celer: 'Celer cBridge',
  debridge: 'deBridge',
  optimism_native: 'Optimism Standard Bridge',
  arbitrum_native: 'Arbitrum Bridge',
  polygon_native: 'Polygon PoS Bridge',
  hop: 'Hop',
  thorchain: 'THORChain',
};

/** The name of a protocol; its code where it has none. */
export function protocolName(protocol: string): string {
  return (PROTOCOL_NAMES as Partial<Record<string, string>>)[protocol] ?? protocol;
}
