import { describe, expect, it } from 'vitest';
import { routeEnd } from '../../../src/chains/bridges/decoding/route.ts';
import { farChainName } from '../../../src/domain/bridges/far-chains.ts';
import { BRIDGE_PROTOCOLS, PROTOCOLS } from '../../../src/domain/bridges/protocols.ts';
import { CHAINS, EVM_CHAIN_IDS } from '../../../src/domain/chain.ts';

describe('the chain to which a bridge leads', () => {
  it('has its name by the number of a protocol that writes EIP-155 ids, and by no other', () => {
    const own = BRIDGE_PROTOCOLS.filter(
      (protocol) =>
        PROTOCOLS[protocol].numbers.ethereum === EVM_CHAIN_IDS.ethereum &&
        protocol !== 'layerzero' &&
        protocol !== 'debridge',
    );
    for (const protocol of own) expect(farChainName(protocol, '59144')).toBe('Linea');
    for (const protocol of BRIDGE_PROTOCOLS.filter((one) => !own.includes(one)))
      expect(farChainName(protocol, '100')).toBeNull();
    expect(farChainName('across', '123456789')).toBeNull();
  });

  it('has its name by the number that deBridge gave it, not by another that deBridge never writes', () => {
    const named = ['100000002', '100000022', '100000023', '100000027', '59144'].map((id) =>
      farChainName('debridge', id),
    );
    expect(named).toEqual(['Gnosis', 'HyperEVM', 'Mantle', 'Sei', 'Linea']);
    expect(['100', '999', '5000', '1329'].map((id) => farChainName('debridge', id))).toEqual([null, null, null, null]);
    expect(routeEnd('debridge', 100_000_026n)).toEqual({ chain: 'tron', raw: '100000026' });
  });

  it('is called as elsewhere where it is served, and no served chain is in the table', () => {
    expect(farChainName('wormhole', 'solana')).toBe('Solana');
    for (const id of CHAINS.flatMap((chain) => (chain in EVM_CHAIN_IDS ? [EVM_CHAIN_IDS[chain as 'ethereum']] : [])))
      expect(farChainName('across', String(id))).toBeNull();
  });
});
