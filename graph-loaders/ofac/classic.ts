import { partyName, refuseOtherList, type SdnAddress, type SdnReader, type StatedAddress, tickerOf } from './sdn.ts';

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
export function classicReader(fileName: string): SdnReader {
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
