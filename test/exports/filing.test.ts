import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { expect, it } from 'vitest';
import { createTransfer } from '../../src/domain/transfers/transfer.ts';
import { type CaseFiling, FILL_IN, type FilingParty } from '../../src/exports/case-filing.ts';
import { goamlReport } from '../../src/exports/goaml.ts';
import { ivms101Messages } from '../../src/exports/ivms101.ts';
import '../setup/seed.ts';

const FILER = { rentityId: 71, indicator: 'ML001' };
/** Longest texts that the schema of goAML takes. */
const MOST: Record<string, number> = {
  ...{ transactionnumber: 100, internal_ref_number: 100, transaction_location: 255, transaction_description: 8_000 },
  ...{ transmode_comment: 1, institution_name: 255, institution_code: 50, account: 255, account_name: 255 },
  ...{ comments: 8_000, reason: 8_000, action: 8_000, entity_reference: 255 },
};
/** The order in which the schema wants elements. */
const ORDER: Record<string, string[]> = {
  report: [
    ...['rentity_id', 'submission_code', 'report_code', 'entity_reference', 'submission_date', 'currency_code_local'],
    ...['reason', 'action', 'transaction', 'activity', 'report_indicators'],
  ],
  transaction: [
    ...['transactionnumber', 'internal_ref_number', 'transaction_location', 'transaction_description'],
    ...['date_transaction', 'transmode_code', 'transmode_comment', 'amount_local', 't_from', 't_to', 'comments'],
  ],
  t_from: ['from_funds_code', 'from_account', 'from_country'],
  t_to: ['to_funds_code', 'to_account', 'to_country'],
  from_account: ['institution_name', 'institution_code', 'account', 'account_name'],
  to_account: ['institution_name', 'institution_code', 'account', 'account_name'],
  account: ['institution_name', 'institution_code', 'account', 'account_name'],
  activity: ['report_parties'],
  report_parties: ['report_party'],
  report_party: ['account', 'reason'],
  report_indicators: ['indicator'],
};

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 80 }),
  fc.constantFrom(
    '',
    ']]>-->',
    '<!DOCTYPE x>&amp;',
    '\u0000\u0008\ufffe',
    '\ud800',
    '取引所',
    '𠮷'.repeat(9_000),
    '-',
    '-----',
  ),
);
const party = fc.record({
  address: fc.constantFrom('rPayer', 'rShop', 'rOther'),
  role: fc.constantFrom('subject' as const, null),
  service: fc.option(text),
  category: fc.constantFrom('exchange' as const, null),
  source: fc.option(text),
});
const filing = fc.record({
  ...{ caseId: fc.uuid(), title: text, description: text, findings: fc.array(text, { maxLength: 2 }) },
  ...{ madeAt: fc.constant(Date.UTC(2026, 0, 2)), leftOut: fc.nat(2), cutAddresses: fc.array(text, { maxLength: 1 }) },
  addresses: fc
    .array(party, { minLength: 1, maxLength: 2 })
    .map((all) => all.map((one) => ({ chain: 'xrp' as const, ...one }))),
  transfers: fc.array(
    fc
      .record({ from: party, to: party, asset: text, usd: fc.option(fc.double({ min: 0, noNaN: true })) })
      .map(({ from, to, asset, usd }) => ({ from, to, transfer: payment({ asset, usd }) })),
    { maxLength: 4 },
  ),
});

function payment(given: { asset: string; usd: number | null }) {
  return createTransfer({
    ...{ chain: 'xrp', txHash: 'AB'.repeat(32), at: Date.UTC(2026, 0, 1), kind: 'native', decimals: 6 },
    ...{ from: 'rPayer', to: 'rShop', amount: '12.5', amountRaw: '12500000', destinationTag: 77, ...given },
  });
}

interface Read {
  name: string;
  children: Read[];
  text: string;
}

/** The elements of a document, and its comments; throws where it is not well-formed. */
function readDocument(document: string): { root: Read; comments: string[] } {
  const parser = new SaxesParser();
  const comments: string[] = [];
  const top: Read = { name: '', children: [], text: '' };
  const open = [top];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('comment', (comment) => comments.push(comment.trim()));
  parser.on('opentag', ({ name }) => {
    const one = { name, children: [], text: '' };
    open.at(-1)!.children.push(one);
    open.push(one);
  });
  parser.on('text', (piece) => {
    open.at(-1)!.text += piece;
  });
  parser.on('closetag', () => open.pop());
  parser.write(document).close();
  return { root: top.children[0]!, comments };
}

/** Checks names, order and lengths, and lists the paths of what is to be filled in. */
function checked({ name, children, text: own }: Read, path: string): string[] {
  if (children.length === 0) {
    expect(own.length).toBeLessThanOrEqual(MOST[name] ?? 25);
    if (!['reason', 'comments'].includes(name)) expect(own).not.toBe('');
    return own === FILL_IN || own === '-' ? [path] : [];
  }
  const places = children.map((child) => ORDER[name]!.indexOf(child.name));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places).not.toContain(-1);
  return children.flatMap((child) => checked(child, path === '' ? child.name : `${path}/${child.name}`));
}

it('a report of goAML stands in the form of the schema whatever a case says, and lists what it lacks', () => {
  fc.assert(
    fc.property(filing, (given: CaseFiling) => {
      const { root, comments } = readDocument(goamlReport(given, FILER));
      const lacking = new Set(checked(root, ''));
      expect(lacking).toContain('action');
      const listed = comments.filter((one) => one.endsWith(`: ${FILL_IN} or -`)).map((one) => one.split(':')[0]!);
      // A text of the case may read like a mark.
      for (const path of lacking) if (path !== 'reason') expect(listed).toContain(path);
      const numbers = root.children.flatMap((one) => (one.name === 'transaction' ? [one.children[0]!.text] : []));
      expect(new Set(numbers).size).toBe(numbers.length);
      const unpriced = given.transfers.filter(({ transfer: { usd } }) => usd === null || usd >= 7.9e15);
      expect(comments.filter((one) => one.endsWith('(amount_local)'))).toHaveLength(unpriced.length);
      expect(numbers).toHaveLength(given.transfers.length - unpriced.length);
    }),
    { numRuns: 60 },
  );
});

it('a payload of IVMS101 has a legal name for each person within 100 bytes, and lists each value that it lacks', () => {
  fc.assert(
    fc.property(filing, (given: CaseFiling) => {
      const { messages } = JSON.parse(ivms101Messages(given));
      expect(messages).toHaveLength(given.transfers.length);
      for (const { ivms101, missing } of messages) {
        const persons = [...ivms101.originator.originatorPerson, ...ivms101.beneficiary.beneficiaryPerson];
        const vasps = [ivms101.originatingVASP, ivms101.beneficiaryVASP].filter(Boolean);
        for (const { naturalPerson, legalPerson } of [...persons, ...vasps]) {
          const { nameIdentifier, localNameIdentifier = [] } = (naturalPerson ?? legalPerson).name;
          expect(JSON.stringify(nameIdentifier)).toContain('NameIdentifierType":"LEGL"');
          for (const { primaryIdentifier, legalPersonName } of [...nameIdentifier, ...localNameIdentifier])
            expect(Buffer.byteLength(primaryIdentifier ?? legalPersonName)).toBeLessThanOrEqual(100);
        }
        const left = JSON.stringify(ivms101).split(`"${FILL_IN}"`).length - 1;
        expect(missing).toHaveLength(left + 2 - vasps.length);
      }
    }),
    { numRuns: 60 },
  );
});

it('names the service of a party as a trading name, in a local script where it has one', () => {
  const of = (address: string, service: string | null): FilingParty => {
    return { address, role: null, service, category: 'exchange', source: 'desk' };
  };
  const transfer = payment({ asset: 'XRP', usd: 31 });
  const transfers = [{ transfer, from: of('rPayer', '港湾取引所'), to: of('rShop', 'Harbour Exchange') }];
  const known = { caseId: 'c', title: 't', description: '', findings: [], madeAt: 0, addresses: [], leftOut: 0 };
  const { messages } = JSON.parse(ivms101Messages({ ...known, transfers, cutAddresses: [] }));
  const [{ ivms101, transfer: named }] = messages;
  const traded = (legalPersonName: string) => ({ legalPersonName, legalPersonNameIdentifierType: 'TRAD' });
  const legal = { legalPersonName: FILL_IN, legalPersonNameIdentifierType: 'LEGL' };
  expect(ivms101.originatingVASP.legalPerson.name).toEqual({
    nameIdentifier: [legal],
    localNameIdentifier: [traded('港湾取引所')],
  });
  expect(ivms101.beneficiaryVASP.legalPerson.name).toEqual({ nameIdentifier: [legal, traded('Harbour Exchange')] });
  expect(ivms101.beneficiary.accountNumber).toEqual(['rShop']);
  expect(named).toMatchObject({ chain: 'xrp', amount: '12.5', usd: 31, destination_tag: 77 });
});
