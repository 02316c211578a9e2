import { partyName, type SdnAddress, type SdnReader, tickerOf } from './sdn.ts';

/** `sdn.xml`: an entry holds its names and, among its identifications, its addresses. It has no days of designation. */
export function classicReader(): SdnReader {
  const complete: SdnAddress[] = [];
  const path: string[] = [];
  let names: Record<string, string> = {};
  let programmes: string[] = [];
  let kind = '';
  let number = '';
  let numberLine = 0;
  let found: Omit<SdnAddress, 'name' | 'programmes'>[] = [];
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
        complete.push(...found.map((one) => ({ ...one, name: listed, programmes })));
      }
    },
    take: () => complete.splice(0),
  };
}
