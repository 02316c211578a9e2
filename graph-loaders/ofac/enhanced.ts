import { parseMoment } from '../reading/moments.ts';
import { partyName, refuseOtherList, SDN_LIST, type SdnAddress, type SdnReader, tickerOf } from './sdn.ts';

/** `sdn_enhanced.xml`: a party with its lists, programmes, names and features in one element. */
export function enhancedReader(fileName: string): SdnReader {
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
