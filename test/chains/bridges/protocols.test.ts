import { describe } from 'vitest';
import { bridgeProtocolSuite } from '../../contract/bridge-protocol.ts';
import * as scripts from './scripts.ts';

const PROTOCOLS = [
  scripts.cctpV1,
  scripts.cctpV2,
  scripts.across,
  scripts.layerzero,
  scripts.wormhole,
  scripts.celer,
  scripts.debridge,
  scripts.optimismDeposit,
  scripts.arbitrumExit,
  scripts.arbitrumTokenExit(),
  scripts.polygonDeposit,
  scripts.hop,
  scripts.hopFromEthereum,
  scripts.thorchain,
];

describe('the protocols of bridges', () => {
  for (const protocol of PROTOCOLS) bridgeProtocolSuite(protocol);
});
