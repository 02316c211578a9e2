import { expect, it } from 'vitest';
import { summarizeFlow } from '../../../src/domain/transfers/flow.ts';
import { withTrusted } from '../../../src/questions/scans/risk-settings-applied.ts';
import { label, party, S, send, T0 } from '../../risk/world.ts';

it('shows a trusted counterparty by the whitelist alone, whatever its label says', () => {
  const scam = label(party(1), 'scam', { label: 'Fake shop' });
  const options = { labelsOf: () => [scam], limit: 5, asOf: T0 + 1 };
  const { counterparties } = summarizeFlow(S, [send(party(1), 10)], options);
  expect(counterparties).toMatchObject([{ category: 'other', label_category: 'scam' }]);
  const whitelist = new Map([['ethereum' as const, new Map([[party(1), 'Own wallet']])]]);
  const [trusted] = withTrusted(counterparties, 'ethereum', { whitelist, weights: {}, strictSanctions: false });
  expect(trusted).toMatchObject({ category: 'whitelist', label: 'Own wallet', label_source: 'tenant' });
  expect(trusted).not.toHaveProperty('label_category');
});
