import type { Label } from '../../src/domain/label.ts';
import { COUNTRY_PROGRAMMES } from '../../src/risk/rules.ts';
import { shown } from '../labels/label-row.ts';
import { readRecords } from '../reading/csv.ts';
import type { InputFile } from '../reading/input.ts';
import { hasEnding, type LabelLoader, type Work } from '../reading/loader.ts';
import { parseMoment } from '../reading/moments.ts';
import { newTally, type Tally, tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { readXml, type XmlHandlers } from '../reading/xml.ts';
import { sanctionedLabel } from './address.ts';
import { advancedReader } from './advanced.ts';
import {
  partyName,
  refuseOtherList,
  SDN_LIST,
  type SdnAddress,
  type SdnReader,
  type StatedAddress,
  tickerOf,
} from './sdn.ts';

const SOURCE = 'ofac';

/** The SDN list of the US Treasury in each of its forms. */
export const ofacLoader: LabelLoader = {
  kind: 'labels',
  format:
    'the SDN list of OFAC: sdn.xml, sdn_advanced.xml or sdn_enhanced.xml, or sdn.csv with sdn_comments.csv, or a ZIP of them',
  isList: true,
  accepts: (name) => hasEnding('.xml')(name) || isSdnTable({ name }),
  read,
  speaksFor: () => [SOURCE],
};

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<Label> {
  // Several forms may lie in one folder: the list is one, and not all of them have the days of designation.
  const seen = new Map<string, { isDated: boolean }>();
  const take = (listed: SdnAddress, own: Tally): Label | null => {
    const key = `${listed.ticker} ${listed.address} ${listed.name}`;
    const { ticker, address, name, designatedAt, programmes, line } = listed;
    const before = seen.get(key);
    if (before && (before.isDated || designatedAt === null)) return null;
    seen.set(key, { isDated: designatedAt !== null });
    if (!before) {
      own.read += 1;
      for (const code of new Set(programmes)) if (!isKnownProgramme(code)) own.unmapped('programme', code);
    }
    const programme = [...new Set(programmes)].sort().join(', ');
    return sanctionedLabel(
      { ticker, address, label: name, source: SOURCE, entity: name, validFrom: designatedAt, programme },
      line,
      // What there is to say of it was said the first time.
      before ? newTally() : own,
    );
  };
  const tables = files.filter(isSdnTable);
  if (tables.length > 0) {
    const own = isFolder ? tallyOf(tally, tables[0]!.name) : tally;
    for (const listed of await readSdnTables(tables, signal)) {
      const label = take(listed, own);
      if (label) yield label;
    }
  }
  for (const file of files.filter((one) => !isSdnTable(one))) {
    const own = isFolder ? tallyOf(tally, file.name) : tally;
    let reader: SdnReader | null = null;
    const handlers: XmlHandlers = {
      open: (name, attributes, line) => {
        reader ??= readerFor(name, file.name);
        reader.open(name, attributes, line);
      },
      close: (name, text, line) => reader?.close(name, text, line),
    };
    for await (const _ of readXml(file, handlers, signal)) {
      for (const { line, address, lists } of (reader as SdnReader | null)?.others() ?? []) {
        own.read += 1;
        own.skip(line, `${shown(address)}: its party is on ${shown(lists)}, not on the SDN list`);
      }
      for (const listed of (reader as SdnReader | null)?.take() ?? []) {
        const label = take(listed, own);
        if (label) yield label;
      }
    }
  }
  if (tally.read === 0) throw new WrongFormatError(`${files[0]!.name}: no party has an address of a digital currency`);
}

/** Programmes that name conduct. One that is not known here is graded as these are, more gravely than a country's. */
const CONDUCT_PROGRAMMES =
  /^(?:CYBER|DPRK|SDGT|SDNT|SDNTK|ILLICIT-DRUGS|TCO|NPWMD|FTO|GLOMAG|MAGNIT|HRIT|IRGC|ELECTION|HOSTAGES|ICC|SDME)/;

function isKnownProgramme(code: string): boolean {
  return CONDUCT_PROGRAMMES.test(code) || COUNTRY_PROGRAMMES.some((country) => code.startsWith(country));
}

function readerFor(root: string, fileName: string): SdnReader {
  if (root === 'sdnList') return classicReader(fileName);
  if (root === 'Sanctions') return advancedReader(fileName);
  if (root === 'sanctionsData') return enhancedReader(fileName);
  throw new WrongFormatError(
    `${fileName}: <${root}> is neither the SDN list (sdnList) nor its advanced form (Sanctions) nor its enhanced one (sanctionsData)`,
  );
}

/**
 * Programmes of OFAC's lists that block no property: legislators of 2006, military companies, correspondent accounts, evaders,
 * menus of lesser measures. A blocked party may have one of them beside its own.
 */
const LESSER_PROGRAMMES =
  /^(?:NS-|CMIC-|561\b|561List|CAPTA\b|FSE-|HKAA|MBS\b|SSI\b)|^(?:UKRAINE-EO13662|CAATSA - RUSSIA) DIRECTIVE/i;
/** Above this share of parties under lesser programmes alone a file is not the SDN list, which has none. */
const LESSER_SHARE = 0.1;
const CONSOLIDATED = 'the Consolidated list';
/** As OFAC names the files of that list; the forms of both lists are the same. */
const CONSOLIDATED_FILE = /(?:^|[^a-z])cons(?:olidated|_prim)?(?:[^a-z]|$)/i;

/** `sdn.xml`: an entry holds its names and, among its identifications, its addresses. It has no days of designation. */
function classicReader(fileName: string): SdnReader {
  const complete: SdnAddress[] = [];
  const waiting: SdnAddress[] = [];
  let parties = 0;
  let lesser = 0;
  const path: string[] = [];
  let names: Record<string, string> = {};
  let programmes: string[] = [];
  let kind = '';
  let number = '';
  let numberLine = 0;
  let found: StatedAddress[] = [];
  return {
    open: (name) => {
      path.push(name);
      if (name === 'sdnEntry') {
        names = {};
        programmes = [];
        found = [];
      } else if (name === 'id') {
        kind = '';
        number = '';
      }
    },
    close: (name, text, line) => {
      path.pop();
      const parent = path.at(-1);
      if (parent === 'sdnEntry' && (name === 'lastName' || name === 'firstName')) names[name] = text;
      else if (parent === 'programList' && name === 'program') programmes.push(text);
      else if (parent === 'id' && name === 'idType') kind = text;
      else if (parent === 'id' && name === 'idNumber') {
        number = text;
        numberLine = line;
      } else if (name === 'id' && parent === 'idList') {
        const ticker = tickerOf(kind);
        if (ticker) found.push({ line: numberLine, ticker, address: number, designatedAt: null });
      } else if (name === 'sdnEntry') {
        const listed = partyName(names.lastName ?? '', names.firstName ?? '');
        waiting.push(...found.map((one) => ({ ...one, name: listed, programmes })));
        parties += 1;
        if (programmes.length > 0 && programmes.every((code) => LESSER_PROGRAMMES.test(code))) lesser += 1;
      } else if (name === 'sdnList') {
        const isLesser = lesser > 0 && lesser >= LESSER_SHARE * parties;
        if (isLesser || CONSOLIDATED_FILE.test(fileName)) refuseOtherList(fileName, CONSOLIDATED);
        complete.push(...waiting.splice(0));
      }
    },
    take: () => complete.splice(0),
    others: () => [],
  };
}

/** `sdn_enhanced.xml`: a party with its lists, programmes, names and features in one element. */
function enhancedReader(fileName: string): SdnReader {
  const complete: SdnAddress[] = [];
  const waiting: SdnAddress[] = [];
  const others: { line: number; address: string; lists: string }[] = [];
  const all = new Set<string>();
  const path: string[] = [];
  let lists = new Set<string>();
  let day: string | null = null;
  let designatedAt: number | null = null;
  let programmes: string[] = [];
  let name = '';
  let names: Record<string, string> = {};
  let isPrimary = false;
  let isAlias = false;
  let ticker: string | null = null;
  let value = '';
  let found: { line: number; ticker: string; address: string }[] = [];
  return {
    open: (element, attributes) => {
      path.push(element);
      if (element === 'entity') {
        [lists, designatedAt, programmes, name, found] = [new Set(), null, [], '', []];
      } else if (element === 'sanctionsList') day = attributes.datePublished ?? null;
      else if (element === 'name') [isPrimary, isAlias, names] = [false, false, {}];
      else if (element === 'feature') [ticker, value] = [null, ''];
    },
    close: (element, text, line) => {
      path.pop();
      const parent = path.at(-1);
      if (element === 'sanctionsList' && parent === 'sanctionsLists') {
        lists.add(text);
        all.add(text);
        const at = day === null ? null : parseMoment(day);
        if (text === SDN_LIST && at !== null) designatedAt = Math.min(at, designatedAt ?? at);
      } else if (element === 'sanctionsProgram' && text !== '') programmes.push(text);
      else if (element === 'isPrimary' && parent === 'name') isPrimary = text === 'true';
      else if (element === 'aliasType') isAlias = true;
      else if (/^formatted(?:First|Last|Full)Name$/.test(element)) names[element] ??= text;
      else if (element === 'name' && parent === 'names') {
        const { formattedLastName = '', formattedFirstName = '', formattedFullName = '' } = names;
        const written =
          formattedLastName || formattedFirstName
            ? partyName(formattedLastName, formattedFirstName)
            : formattedFullName;
        if (isPrimary || (name === '' && !isAlias)) name = written;
      } else if (element === 'type' && parent === 'feature') ticker = tickerOf(text);
      else if (element === 'value' && parent === 'feature') value = text;
      else if (element === 'feature' && ticker !== null && value !== '') found.push({ line, ticker, address: value });
      else if (element === 'entity') {
        const isOther = lists.size > 0 && !lists.has(SDN_LIST);
        const on = [...lists].sort().join(', ');
        for (const one of found) {
          if (isOther) others.push({ line: one.line, address: one.address, lists: on });
          else waiting.push({ ...one, name: name || partyName('', ''), designatedAt, programmes });
        }
      } else if (path.length === 0) {
        if (all.size > 0 && !all.has(SDN_LIST)) refuseOtherList(fileName, [...all].sort().join(', '));
        complete.push(...waiting.splice(0));
      }
    },
    take: () => complete.splice(0),
    others: () => others.splice(0),
  };
}

/** Columns of `sdn.csv`, which has no header: number, name, kind, programmes, …, remarks. */
const COLUMNS = 12;
const [NUMBER, NAME, PROGRAMMES, REMARKS] = [0, 1, 3, 11] as const;
const ADDRESS = /Digital Currency Address\s*-\s*([\w.-]{2,12})\s+([^\s;]+)/g;

/**
 * Reads the addresses of `sdn.csv` and `sdn_comments.csv`: what the remarks of one cannot hold stands in the other, so each alone
 * lacks addresses. Throws WrongFormatError for one of them alone, and for another file.
 */
export async function readSdnTables(files: readonly InputFile[], signal?: AbortSignal): Promise<SdnAddress[]> {
  const parties = new Map<string, { line: number; name: string; programmes: string[]; remarks: string }>();
  const [tables, overflows] = [files.filter((file) => !isOverflow(file)), files.filter(isOverflow)];
  const [table, overflow] = [tables[0], overflows[0]];
  if (!table || !overflow) {
    const [there, other] = table ? [table.name, 'sdn_comments.csv'] : [overflow!.name, 'sdn.csv'];
    throw new WrongFormatError(`${there}: ${other} has more addresses: load both in one folder or ZIP`);
  }
  for await (const { line, cells } of readRecords(table, signal)) {
    if (cells?.length !== COLUMNS || !/^\d+$/.test(cells[NUMBER]!)) continue;
    const programmes = stated(cells[PROGRAMMES]!).split(/\]\s*\[|;/);
    const codes = programmes.map((code) => code.replace(/[[\]]/g, '').trim()).filter(Boolean);
    const name = partyName(stated(cells[NAME]!), '');
    parties.set(cells[NUMBER]!, { line, name, programmes: codes, remarks: stated(cells[REMARKS]!) });
  }
  if (parties.size === 0) throw new WrongFormatError(`${table.name}: no row is a party of sdn.csv`);
  for await (const { cells } of readRecords(overflow, signal)) {
    const party = parties.get(cells?.[0] ?? '');
    if (party) party.remarks = continued(party.remarks, cells!.slice(1).join(', '));
  }
  return [...parties.values()].flatMap(({ line, name, programmes, remarks }) =>
    [...remarks.matchAll(ADDRESS)].map(([, code = '', address = '']) => {
      const ticker = tickerOf(`Digital Currency Address - ${code}`)!;
      return { line, ticker, address: address.replace(/\.$/, ''), name, designatedAt: null, programmes };
    }),
  );
}

/** Remarks are cut off anywhere, and blanks at the cut are lost: the joint is the one that gives more addresses. */
function continued(remarks: string, rest: string): string {
  const [within, between] = [`${remarks}${rest}`, `${remarks} ${rest}`];
  const countIn = (text: string) => text.match(ADDRESS)?.length ?? 0;
  return countIn(between) > countIn(within) || /[;.]$/.test(remarks) ? between : within;
}

/** True for the files of this form of the list, by their names. */
const isSdnTable = ({ name }: { name: string }) => /(?:^|\/)sdn(?:_comments)?\.csv$/i.test(name);
const isOverflow = ({ name }: InputFile) => /_comments\.csv$/i.test(name);
const stated = (cell: string) => (cell.trim() === '-0-' ? '' : cell.trim());
