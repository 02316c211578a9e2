import type { Label } from '../../src/domain/label.ts';
import { COUNTRY_PROGRAMMES } from '../../src/risk/rules.ts';
import { shown } from '../labels/label-row.ts';
import { hasEnding, type LabelLoader, type Work } from '../reading/loader.ts';
import { newTally, type Tally, tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { readXml, type XmlHandlers } from '../reading/xml.ts';
import { sanctionedLabel } from './address.ts';
import { advancedReader } from './advanced.ts';
import { classicReader } from './classic.ts';
import { enhancedReader } from './enhanced.ts';
import type { SdnAddress, SdnReader } from './sdn.ts';
import { isSdnTable, readSdnTables } from './sdn-csv.ts';

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
