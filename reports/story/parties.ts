import { type AddressKey, addressKey, addressOf, chainOf } from '../../src/domain/address/address-key.ts';
import type { Chain } from '../../src/domain/chain.ts';
import { compare } from '../../src/domain/compare.ts';
import { type Category, isSure, isValidAt } from '../../src/domain/label.ts';
import { cutToWidth } from '../../src/domain/text/lines.ts';
import type { FundsRow } from '../../src/domain/tracing/answers.ts';
import { chainReached } from '../../src/domain/tracing/funds-row.ts';
import type { CaseReportInput } from '../../src/questions/cases/report/gather-case-report.ts';
import { subjectKeys } from '../../src/tracing/answers/funds/case-subjects.ts';
import { FORMS, grouped } from '../../words/figures.ts';
import { fill } from '../../words/fill.ts';
import type { Language } from '../../words/language.ts';
import { WORDS } from '../../words/words.ts';

/** An address of the flow of funds. */
interface Party {
  key: AddressKey;
  chain: Chain;
  address: string;
  /** W1, W2, … for wallets in the order in which the money reached them, S1, … for services, P1, … for who paid the subjects. */
  code: string;
  /** The name that the case or a list gives it; null where neither does. */
  name: string | null;
  /** The name that a list gives it, where the case has another; null where not. */
  listedAs: string | null;
  category: Category | null;
  role: 'subject' | 'payer' | 'way';
  /** Transfers between the subjects and it. */
  hops: number;
}

export interface Parties {
  all: Party[];
  /** The name of a party as the texts use it: its code, and its name where it has one. */
  nameOf(chain: string, address: string): string;
  find(chain: string, address: string): Party | undefined;
  /** A text about an address of this chain with the names of parties in place of their addresses. */
  namedIn(chain: string, text: string): string;
}

/** Names all that took part, first the subjects whose money is followed. */
export function nameParties({ money, addresses, others = [], madeAt }: CaseReportInput): Parties {
  const records = [...addresses.map(({ record }) => record), ...others];
  const known = new Map(records.map((record) => [addressKey(record.chain, record.address), record]));
  const payers = new Map((money?.payers ?? []).map((one) => [addressKey(one.chain, one.address), one]));
  const ends = new Map<AddressKey, FundsRow>();
  for (const row of money?.sent.rows ?? []) {
    // Money that ended at a bridge is named by the bridge, not by its contract.
    const key = !row.bridge && row.chain && row.address && addressKey(row.chain, row.address);
    if (key && !ends.has(key)) ends.set(key, row);
  }
  // The account says nothing of who the subjects are: their own part of the report has their labels.
  const listed = new Map(
    addresses.map(({ record, report }) => [
      addressKey(record.chain, record.address),
      report.labels.find((label) => isSure(label) && isValidAt(label, Date.parse(madeAt)))?.label,
    ]),
  );
  const parties = new Map<AddressKey, Party>();
  const add = (key: AddressKey, role: Party['role'], hops: number, code: string) => {
    const label = money?.labels[key] ?? null;
    const [payer, row] = [payers.get(key), ends.get(key)];
    const onList = label?.label || row?.label || payer?.label || listed.get(key) || null;
    const name = known.get(key)?.label || onList;
    parties.set(key, {
      key,
      chain: chainOf(key),
      address: addressOf(key),
      code,
      name,
      listedAs: onList === name ? null : onList,
      category: label?.category ?? row?.category ?? payer?.category ?? null,
      role,
      hops,
    });
  };
  for (const key of subjectKeys(records).keys) add(key, 'subject', 0, `W${parties.size + 1}`);
  let wallets = parties.size;
  let services = 0;
  const isService = (key: AddressKey) => (money?.labels[key]?.category ?? ends.get(key)?.category ?? null) !== null;
  const nextCode = (key: AddressKey) => (isService(key) ? `S${++services}` : `W${++wallets}`);
  for (const [key, hops] of reached(money?.sent.flows ?? [], new Set(parties.keys()))) {
    if (!parties.has(key)) add(key, 'way', hops, nextCode(key));
  }
  for (const [key, { hops }] of ends) if (!parties.has(key)) add(key, 'way', hops, nextCode(key));
  let paying = 0;
  for (const key of payers.keys()) if (!parties.has(key)) add(key, 'payer', -1, `P${++paying}`);
  const find = (chain: string, address: string) => parties.get(addressKey(chain as Chain, address));
  const nameOf = (chain: string, address: string) => {
    const party = find(chain, address);
    if (!party) return shortName(known.get(addressKey(chain as Chain, address))?.label ?? '') || address;
    return party.name ? `${shortName(party.name)} (${party.code})` : party.code;
  };
  const all = [...parties.values()];
  const namedIn = (chain: string, text: string) =>
    all
      .filter((party) => party.chain === chain)
      .reduce((named, { address }) => named.replaceAll(address, () => nameOf(chain, address)), text);
  return { all, find, nameOf, namedIn };
}

/** The name of a party with the one that lists give it, by which findings call it; null where it has none. */
export function fullName(
  { name, listedAs }: { name: string | null; listedAs: string | null },
  language: Language,
): string | null {
  return name && listedAs ? fill(WORDS[language].story.listedAs, { name, label: listedAs }) : name;
}

const NAMED_MAX = 3;
/** Widest name in a sentence, in em; the list of short names has it whole. */
const NAME_WIDTH = 26;

function shortName(name: string): string {
  return cutToWidth(name, NAME_WIDTH, 1);
}

/** The subjects, or those of them with these keys, by name where it is one, else by code. */
export function subjectsText({ all, nameOf }: Parties, language: Language, keys?: readonly string[]): string {
  const subjects = all.filter(({ role, key }) => role === 'subject' && (keys?.includes(key) ?? true));
  const [only] = subjects;
  if (subjects.length === 1 && only) return nameOf(only.chain, only.address);
  return codesText(
    subjects.map(({ code }) => code),
    language,
  );
}

/** Wallets by code: each of up to three, else their number with the first and the last. */
export function codesText(codes: readonly string[], language: Language): string {
  const { comma } = FORMS[language];
  if (codes.length <= NAMED_MAX) return codes.join(comma);
  const placeOf = (code: string) => Number(code.slice(1));
  const isRow = codes.every((code, i) => code[0] === codes[0]![0] && placeOf(code) === placeOf(codes[0]!) + i);
  if (!isRow) {
    const named = codes.slice(0, NAMED_MAX).join(comma);
    const count = grouped(codes.length - NAMED_MAX, language);
    return fill(WORDS[language].story.andMore, { named, count });
  }
  const values = { count: grouped(codes.length, language), first: codes[0]!, last: codes.at(-1)! };
  return fill(WORDS[language].story.wallets, values);
}

type Flows = NonNullable<CaseReportInput['money']>['sent']['flows'];

/** The addresses that the money reached, by the fewest transfers, then in order of time. */
function reached(flows: Flows, subjects: ReadonlySet<AddressKey>): Map<AddressKey, number> {
  const inOrder = flows
    .filter(({ bridge }) => !bridge?.reason)
    .sort((a, b) => compare(a.first_at, b.first_at) || b.usd - a.usd);
  const hops = new Map<AddressKey, number>([...subjects].map((key) => [key, 0]));
  for (let isFound = true; isFound; ) {
    isFound = false;
    for (const flow of inOrder) {
      const [from, to] = [addressKey(flow.chain, flow.from), addressKey(chainReached(flow), flow.to)];
      const next = (hops.get(from) ?? Number.POSITIVE_INFINITY) + 1;
      if (next < (hops.get(to) ?? Number.POSITIVE_INFINITY)) {
        hops.set(to, next);
        isFound = true;
      }
    }
  }
  for (const key of subjects) hops.delete(key);
  return hops;
}
