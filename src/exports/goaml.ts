import { iso } from '../domain/time.ts';
import { type CaseFiling, cutTo, FILL_IN, type FilingParty, type FilingTransfer } from './case-filing.ts';
import { type XmlElement, xmlCharacters, xmlDocument } from './xml.ts';

/** A value that only the reporting entity and its FIU know. */
interface GoamlFiler {
  /** The id of the reporting entity at its FIU. */
  rentityId: number;
  /** A code of the FIU's list of indicators. */
  indicator: string;
}

/** Stands in lists of codes for what is not stated. */
const NOT_STATED = '-';
/** Most characters of long texts, and of names. */
const TEXT_MAX = 8_000;
const NAME_MAX = 255;
/** Cents of a dollar that the schema takes as an amount, at most. */
const AMOUNT_MAX = 7.9e15;
const NEVER_KNOWN = [
  'reporting_person, location and action: the reporting entity',
  't_from_my_client or t_to_my_client in place of t_from or t_to: which account is your client',
  'report_code STR, transmode_code, funds codes and countries: the lists of codes differ from FIU to FIU',
  'currency_code_local USD: amounts are US dollars at the time of the transfer; convert them to your currency',
];

/** A case as a report of goAML 5.0.2 with its transfers; what the case does not know is marked, and listed at the top. */
export function goamlReport(given: CaseFiling, { rentityId, indicator }: GoamlFiler): string {
  const { caseId, title, description, findings, madeAt, transfers, leftOut, cutAddresses } = given;
  const priced = transfers.filter(({ transfer }) => transfer.usd !== null && transfer.usd < AMOUNT_MAX);
  const unpriced = transfers.filter((one) => !priced.includes(one));
  const reason = cutTo([title, description, ...findings].filter(Boolean).join('\n'), TEXT_MAX);
  const numbers = new Map<string, number>();
  const body = [
    element('rentity_id', String(rentityId)),
    element('submission_code', 'E'),
    element('report_code', 'STR'),
    element('entity_reference', caseId),
    element('submission_date', moment(madeAt)),
    element('currency_code_local', 'USD'),
    element('reason', reason),
    element('action', FILL_IN),
    ...(priced.length > 0 ? priced.map((one) => transaction(one, numbers)) : [activity(given)]),
    { name: 'report_indicators', content: [element('indicator', indicator)] },
  ];
  const missing = [
    ...[...new Set(body.flatMap((one) => pathsToFill(one, '')))].map((path) => `${path}: ${FILL_IN} or ${NOT_STATED}`),
    ...NEVER_KNOWN,
    ...unpriced.map(({ transfer: { chain, txHash, amount, asset } }) => {
      return `transaction ${txHash} on ${chain}, ${amount} ${cutTo(asset, 100)}: left out, its value is unknown (amount_local)`;
    }),
    ...(leftOut > 0 ? [`${leftOut} transfers of the least value: left out`] : []),
    ...cutAddresses.map((address) => `${address}: older transfers were not read`),
  ];
  const comments = ['Missing or to be checked by the reporting entity:', ...missing].map((comment) => ({ comment }));
  return xmlDocument({ name: 'report', content: [...comments, ...body] });
}

function element(name: string, content: string): XmlElement {
  return { name, content };
}

function moment(at: number): string {
  return iso(at).slice(0, 19);
}

function transaction({ transfer, from, to }: FilingTransfer, numbers: Map<string, number>): XmlElement {
  const { chain, txHash, id, at, amount, asset, usd, sourceTag, destinationTag } = transfer;
  const nth = (numbers.get(txHash) ?? 0) + 1;
  numbers.set(txHash, nth);
  const tags = [
    sourceTag === null ? '' : `, source tag ${sourceTag}`,
    destinationTag === null ? '' : `, destination tag ${destinationTag}`,
  ];
  const description = `${amount} ${asset} on ${chain} from ${from.address} to ${to.address}${tags.join('')}, transaction ${txHash}`;
  return {
    name: 'transaction',
    content: [
      // A number is that of one transfer: a transaction of a chain may hold several.
      element('transactionnumber', nth === 1 ? txHash : `${txHash}#${nth}`),
      element('internal_ref_number', id),
      element('transaction_location', chain),
      element('transaction_description', cutTo(description, TEXT_MAX)),
      element('date_transaction', moment(at)),
      element('transmode_code', NOT_STATED),
      element('transmode_comment', NOT_STATED),
      element('amount_local', usd!.toFixed(2)),
      { name: 't_from', content: side('from', from) },
      { name: 't_to', content: side('to', to) },
      element('comments', cutTo([aboutParty('from', from), aboutParty('to', to)].join('; '), TEXT_MAX)),
    ],
  };
}

function side(way: 'from' | 'to', party: FilingParty): XmlElement[] {
  return [
    element(`${way}_funds_code`, 'CRPTC'),
    account(`${way}_account`, party),
    element(`${way}_country`, NOT_STATED),
  ];
}

function account(name: string, { address, service }: FilingParty): XmlElement {
  const institution = cutTo(xmlCharacters(service ?? '').trim(), NAME_MAX);
  return {
    name,
    content: [
      ...(institution === '' ? [] : [element('institution_name', institution)]),
      element('institution_code', FILL_IN),
      element('account', address),
      element('account_name', FILL_IN),
    ],
  };
}

function aboutParty(way: string, { role, category, source }: FilingParty): string {
  const known = category === null ? 'no label' : `${category} by ${source}`;
  return `${way}: ${role ?? 'not named by the case'}, ${known}`;
}

/** The addresses of the case, where it knows no transaction that a report can hold. */
function activity({ addresses }: CaseFiling): XmlElement {
  const parties = addresses.map(({ chain, ...party }) => ({
    name: 'report_party',
    content: [
      account('account', party),
      element('reason', cutTo(`${chain}, ${aboutParty('in the case', party)}`, TEXT_MAX)),
    ],
  }));
  return { name: 'activity', content: [{ name: 'report_parties', content: parties }] };
}

/** The paths of elements that hold no statement, without the number of the transaction. */
function pathsToFill({ name, content = [] }: XmlElement, above: string): string[] {
  const path = above === '' ? name : `${above}/${name}`;
  if (typeof content === 'string') return content === FILL_IN || content === NOT_STATED ? [path] : [];
  return content.flatMap((one) => (one === null || 'comment' in one ? [] : pathsToFill(one, path)));
}
