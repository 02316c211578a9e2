import { expect, it } from 'vitest';
import type { ChainTransaction } from '../../../src/chains/port.ts';
import { transactionParties } from '../../../src/questions/scans/scan-transaction.ts';

const unmoved: ChainTransaction = {
  txHash: 'A'.repeat(64),
  block: 7,
  at: 1_700_000_000_000,
  status: 'failed',
  type: 'OfferCreate',
  destinationTag: 41,
  transfers: [],
  accounts: ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
};
const noteIn = (lang: 'en' | 'ja' | 'es') => transactionParties('xrp', unmoved, lang).note;

it('the note of a transaction is in the language asked for, its sentences joined as that language joins them', () => {
  expect(noteIn('en')).toBe(
    'The transaction failed: nothing was moved but the fee. A transaction of type OfferCreate: the accounts involved are listed. Destination tag 41.',
  );
  expect(noteIn('ja')).toBe(
    'この取引は失敗しました。手数料以外は移転していません。種別「OfferCreate」の取引のため、関係するアカウントを表示しています。宛先タグは41です。',
  );
  expect(noteIn('es')).toContain('Etiqueta de destino 41.');
});

it('a transaction that needs no note has none', () => {
  const { type: _, destinationTag: __, ...plain } = unmoved;
  const paid = {
    asset: 'XRP',
    amount: '5',
    from: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    to: 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe',
  } as ChainTransaction['transfers'][number];
  const answer = transactionParties('xrp', { ...plain, status: 'success', type: 'Payment', transfers: [paid] }, 'ja');
  expect(answer.note).toBeNull();
});
