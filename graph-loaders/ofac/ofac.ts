import type { Label } from '../../src/domain/label.ts';
import { COUNTRY_PROGRAMMES } from '../../src/risk/rules.ts';
import { shown } from '../labels/label-row.ts';
import { hasEnding, type LabelLoader, type Work } from '../reading/loader.ts';
import { newTally, tallyOf } from '../reading/tally.ts';
import { WrongFormatError } from '../reading/wrong-format.ts';
import { readXml, type XmlHandlers } from '../reading/xml.ts';
import { sanctionedLabel } from './address.ts';
import { advancedReader } from './advanced.ts';
import { classicReader } from './classic.ts';
import type { SdnReader } from './sdn.ts';

const SOURCE = 'ofac';

/** The SDN list of the US Treasury in either of its XML formats. */
export const ofacLoader: LabelLoader = {
  kind: 'labels',
  format: 'the SDN list of OFAC as XML (sdn.xml or sdn_advanced.xml)',
  isList: true,
  accepts: hasEnding('.xml'),
  read,
  speaksFor: () => [SOURCE],
};

async function* read({ files, tally, isFolder, signal }: Work): AsyncGenerator<Label> {
  // Both formats may lie in one folder: the list is one, and the day of designation stands in only one of them.
  const seen = new Map<string, { isDated: boolean }>();
  for (const file of files) {
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
        const key = `${listed.ticker} ${listed.address} ${listed.name}`;
        const { ticker, address, name, designatedAt, programmes, line } = listed;
        const before = seen.get(key);
        if (before && (before.isDated || designatedAt === null)) continue;
        seen.set(key, { isDated: designatedAt !== null });
        if (!before) {
          own.read += 1;
          for (const code of new Set(programmes)) if (!isKnownProgramme(code)) own.unmapped('programme', code);
        }
        const programme = [...new Set(programmes)].sort().join(', ');
        const label = sanctionedLabel(
          { ticker, address, label: name, source: SOURCE, entity: name, validFrom: designatedAt, programme },
          line,
          // What there is to say of it was said the first time.
          before ? newTally() : own,
        );
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
  throw new WrongFormatError(
    `${fileName}: <${root}> is neither the SDN list (sdnList) nor its advanced form (Sanctions)`,
  );
}
