import { describe, expect, it } from 'vitest';
import { farChainName } from '../../../src/domain/bridges/far-chains.ts';
import { BRIDGE_PROTOCOLS, PROTOCOLS } from '../../../src/domain/bridges/protocols.ts';
import { CHAINS, EVM_CHAIN_IDS } from '../../../src/domain/chain.ts';

describe('the chain to which a bridge leads', () => {
  it('has its name by the number of a protocol that writes EIP-155 ids, and by no other', () => {
    const own = BRIDGE_PROTOCOLS.filter(
      (protocol) => PROTOCOLS[protocol].numbers.ethereum === EVM_CHAIN_IDS.ethereum && protocol !== 'layerzero',
    );
    for (const protocol of own) expect(farChainName(protocol, '59144')).toBe('Linea');
    for (const protocol of BRIDGE_PROTOCOLS.filter((one) => !own.includes(one)))
      expect(farChainName(protocol, '100')).toBeNull();
    expect(farChainName('across', '123456789')).toBeNull();
  });

  it('is called as elsewhere where it is served, and no served chain is in the table', () => {
    expect(farChainName('wormhole', 'solana')).toBe('Solana');
    for (const id of CHAINS.flatMap((chain) => (chain in EVM_CHAIN_IDS ? [EVM_CHAIN_IDS[chain as 'ethereum']] : [])))
      expect(farChainName('across', String(id))).toBeNull();
  });
});
