import { expect, it } from 'vitest';
import { CATEGORIES } from '../../src/domain/label.ts';
import type { PresignWords } from '../../words/en/answers.ts';
import { WORDS } from '../../words/words.ts';

const { en, es, ja } = { en: WORDS.en.presign, es: WORDS.es.presign, ja: WORDS.ja.presign };
const A = '0xa1';
const LABEL = { name: 'Listed Ltd', source: 'ofac', confidence: 100 };
const ROLES = ['destination', 'spender', 'token', 'recipient', 'owner', 'operator', 'controller', 'target'] as const;
const FAULTS = [
  'not_hex',
  'no_selector',
  'unknown_call',
  'too_deep',
  'too_many',
  'truncated',
  'dirty',
  'overlong',
  'no_calldata_chain',
] as const;

/** Every text of a language, each with one set of values at least. */
function sentences(texts: PresignWords): string[] {
  const who = texts.party('destination', null, A);
  const pair = { address: A, genuine: '0xb0b', stands: '"1"', expected: '"2"' };
  const every: Record<keyof PresignWords, string[]> = {
    party: ROLES.flatMap((role) =>
      [null, 'approve'].map((call) => texts.labelled(texts.party(role, call, A), 'scam', LABEL)),
    ),
    sanctioned: [texts.sanctioned(who, LABEL)],
    delisted: [texts.delisted(who, '2026-01-02', LABEL)],
    malicious: [texts.malicious(who, LABEL)],
    labelled: CATEGORIES.map((category) => texts.labelled(who, category, LABEL)),
    sisterChain: [texts.sisterChain(who, { category: 'sanctioned', chain: 'bitcoin_cash' }, LABEL)],
    scanned: [
      texts.scanned(who, { level: 'HIGH', score: 70, day: '2026-01-02' }),
      texts.scanned(who, { level: 'UNKNOWN', score: 0, day: null }),
    ],
    scannedInPart: [texts.scannedInPart(who)],
    exposure: [
      texts.exposure(who, { direction: 'in', usd: '1,000', share: '12.5', category: 'mixer' }),
      texts.exposure(who, { direction: 'out', usd: null, share: null, category: 'sanctioned' }),
    ],
    poisoning: [texts.poisoning(who)],
    lookalike: [
      texts.lookalike({ ...pair, last: { day: '2026-01-02', txHash: '0xcc' } }),
      texts.lookalike({ ...pair, last: null }),
    ],
    longPermit: [
      texts.longPermit('permit', A, { left: 90n, most: 30 }),
      texts.longPermit('permit', A, { left: null, most: 30 }),
    ],
    payableLure: [texts.payableLure('claim', A)],
    controlChange: [texts.controlChange('upgradeTo', A, '0xb0b')],
    unknownOwner: [texts.unknownOwner('transferFrom', A)],
    foreignTransfer: [texts.foreignTransfer('transferFrom', A, '0xb0b')],
    operatorApproval: [texts.operatorApproval('setApprovalForAll', A, '0xb0b')],
    unlimitedApproval: [texts.unlimitedApproval('approve', A, '0xb0b')],
    undecodable: FAULTS.flatMap((fault) => [texts.undecodable(fault, null), texts.undecodable(fault, 'approve')]),
    unsupportedChain: [texts.unsupportedChain('"bnb"', true), texts.unsupportedChain('"doge"', false)],
    neverScanned: [texts.neverScanned(A)],
    neverScannedUnpriced: [texts.neverScannedUnpriced(A)],
    trusted: [texts.trusted(A)],
    storesUnreadable: [texts.storesUnreadable],
    noLists: [texts.noLists],
    noSanctions: [texts.noSanctions],
    listsStale: [texts.listsStale],
  };
  return Object.values(every).flat();
}

it('every reason before signing is whole in each language and differs between them', () => {
  const [english, spanish, japanese] = [sentences(en), sentences(es), sentences(ja)];
  expect(japanese).toHaveLength(english.length);
  expect(spanish).toHaveLength(english.length);
  for (const [i, text] of spanish.entries()) {
    expect(text).toMatch(/^[\x20-\x7eáéíóúñ«»]+\.$/i);
    expect(text).not.toMatch(/undefined|null/);
    expect(text).not.toBe(english[i]);
  }
  for (const text of english) expect(text).toMatch(/^[\x20-\x7e]+\.$/);
  for (const text of japanese) {
    expect(text).toMatch(/[぀-ヿ].*(。|ます|ません|です)$/u);
    expect(text).not.toMatch(/送金|入金|出金|仮想通貨|取引先|みなし|登録|undefined|null/);
  }
});

it('an amount, its share and its way are said as in a scan', () => {
  const who = en.party('recipient', 'transfer', A);
  const flow = { direction: 'in', usd: '1,000', share: '12.5', category: 'high_risk_exchange' } as const;
  expect(en.exposure(who, flow)).toBe(
    `Recipient in transfer ${A} received 1,000 USD (12.5% of its known inflow) from addresses labelled high risk exchange.`,
  );
  expect(es.exposure(es.party('recipient', 'transfer', A), flow)).toBe(
    `Beneficiario en transfer ${A} recibió 1.000 USD (12,5 % de sus entradas conocidas) de direcciones con la etiqueta «plataforma de alto riesgo».`,
  );
  expect(ja.exposure(ja.party('recipient', 'transfer', A), flow)).toBe(
    `受取先「${A}」（transfer）は、「高リスク取引所」に分類されたアドレスから1,000米ドル相当（判明している受取総額の12.5%）を受け取っています。`,
  );
});
