import { expect, it } from 'vitest';
import { isWithin } from '../../src/outbound/networks.ts';

it('a network is within itself and within wider ones of its own family, never within a narrower one', () => {
  const within = (network: string, ...others: string[]) => isWithin(network, others);
  expect(within('10.0.0.0/8', '10.0.0.0/8')).toBe(true);
  expect(within('10.1.2.3', '192.168.0.0/16', '10.0.0.0/8')).toBe(true);
  expect(within('10.0.0.0/8', '10.0.0.0/9')).toBe(false);
  expect(within('11.0.0.0/16', '10.0.0.0/8')).toBe(false);
  expect(within('::1', '::/0')).toBe(true);
  expect(within('10.0.0.1', '::/0')).toBe(false);
  expect(within('10.0.0.1')).toBe(false);
});
