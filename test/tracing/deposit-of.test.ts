import { describe, expect, it } from 'vitest';
import type { ForwardRow } from '../../src/graph/queries/entities.ts';
import { depositIn } from '../../src/questions/graph/entities.ts';

const OWN = '0xown';
const hall = { category: 'exchange', label: 'Coinhall: Hot 1' } as const;
const row = (direction: 'sent' | 'received', far: string, given: Partial<ForwardRow> = {}): ForwardRow => ({
  ...{ direction, far: `ethereum:${far}`, category: null, label: null, token: '0xt', signer: far },
  ...{ tx_hash: `0x${direction}`, at: 5 },
  ...given,
});
const payers = [row('received', '0xa'), row('received', '0xb')];
const gas = row('received', '0xgas', { ...hall, token: null });
const forward = row('sent', '0xhot', { ...hall, signer: OWN });

describe('a deposit address', () => {
  it('hands all on to one service, has two payers, and the service pays its gas', () => {
    expect(depositIn([...payers, gas, forward], OWN)).toEqual({
      ...{ basis: 'deposit', service: 'Coinhall', category: 'exchange', address: '0xhot', chain: 'ethereum' },
      ...{ tx_hash: '0xsent', at: '1970-01-01T00:00:00.005Z', payers: 2 },
    });
    expect(depositIn([...payers, { ...forward, signer: '0xhot' }], OWN)).toMatchObject({ service: 'Coinhall' });
    const numbered = (row: ForwardRow, n: number) => ({ ...row, label: `Coinhall ${n}` });
    expect(depositIn([...payers, numbered(gas, 1), numbered(forward, 2)], OWN)).toMatchObject({ payers: 2 });
  });

  it.each([
    ['nothing left it', [...payers, gas]],
    ['it has one payer', [payers[0]!, gas, forward]],
    ['its gas comes from another', [...payers, row('received', '0xa', { token: null }), gas, forward]],
    ['nothing shows who pays its gas', [...payers, forward]],
    ['another signs its payments', [...payers, gas, { ...forward, signer: '0xthief' }]],
    ['a payment goes elsewhere', [...payers, gas, forward, row('sent', '0xc', { signer: OWN })]],
    ['two services are paid', [...payers, gas, forward, { ...forward, label: 'Tradegate: Hot' }]],
    ['a mixer is paid', [...payers, gas, { ...forward, category: 'mixer' as const }]],
  ])('is none where %s', (_, rows) => {
    expect(depositIn(rows, OWN)).toBeNull();
  });
});
