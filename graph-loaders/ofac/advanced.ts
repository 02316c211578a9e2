import { addToGroup } from '../../src/domain/group-by.ts';
import { partyName, refuseOtherList, SDN_LIST, type SdnAddress, type SdnReader, tickerOf } from './sdn.ts';

/** Lists of values at the beginning of the file, which the rest of it names by their numbers. */
const VALUES = ['FeatureType', 'NamePartType', 'DocNameStatus', 'List', 'SanctionsType'];

/**
 * `sdn_advanced.xml`: values stand at its beginning, parties with their names and features in the middle, days of
 * designation and programmes at its end. So the addresses, a small part of the file, wait for them.
 */
export function advancedReader(fileName: string): SdnReader {
  const complete: SdnAddress[] = [];
  const waiting: (SdnAddress & { profile: string })[] = [];
  const values = new Map<string, string>();
  const lists = new Map<string, Set<string>>();
  const others: { line: number; address: string; lists: string }[] = [];
  const designated = new Map<string, number>();
  const programmes = new Map<string, string[]>();
  const path: string[] = [];
  let valueId = '';
  let profile = '';
  let ticker: string | null = null;
  let found: { line: number; ticker: string; address: string }[] = [];
  let name = primaryName(values);
  let entry: { profile: string; isSdn: boolean } = { profile: '', isSdn: false };
  let date: Record<string, number> = {};
  let isProgramme = false;
  return {
    open: (element, attributes) => {
      path.push(element);
      name.open(element, attributes);
      if (VALUES.includes(element)) valueId = attributes.ID ?? '';
      else if (element === 'Profile') {
        profile = attributes.ID ?? '';
        found = [];
        name = primaryName(values);
      } else if (element === 'Feature') {
        const type = `FeatureType ${attributes.FeatureTypeID}`;
        // One that the file does not name may be the currency of an address.
        ticker = values.has(type) ? tickerOf(values.get(type)!) : type;
      } else if (element === 'SanctionsEntry') {
        // A party may stand on another list of OFAC too, often since an earlier day.
        const list = values.get(`List ${attributes.ListID}`) ?? SDN_LIST;
        entry = { profile: attributes.ProfileID ?? '', isSdn: list === SDN_LIST };
        if (!lists.has(entry.profile)) lists.set(entry.profile, new Set());
        lists.get(entry.profile)!.add(list);
      } else if (element === 'SanctionsMeasure') {
        isProgramme = values.get(`SanctionsType ${attributes.SanctionsTypeID}`) === 'Program';
      } else if (element === 'Date' && path.at(-2) === 'EntryEvent') date = {};
    },
    close: (element, text, line) => {
      path.pop();
      const parent = path.at(-1);
      name.close(element, text);
      if (VALUES.includes(element)) values.set(`${element} ${valueId}`, text);
      else if (element === 'VersionDetail' && ticker && text !== '') found.push({ line, ticker, address: text });
      else if (element === 'Profile') {
        waiting.push(
          ...found.map((one) => ({ ...one, name: name.written(), designatedAt: null, programmes: [], profile })),
        );
      } else if (parent === 'Date' && (element === 'Year' || element === 'Month' || element === 'Day')) {
        date[element] = Number(text);
      } else if (element === 'Date' && parent === 'EntryEvent' && entry.isSdn) {
        const at = Date.UTC(date.Year ?? Number.NaN, (date.Month ?? 1) - 1, date.Day ?? 1);
        if (!Number.isNaN(at)) designated.set(entry.profile, Math.min(at, designated.get(entry.profile) ?? at));
      } else if (element === 'Comment' && parent === 'SanctionsMeasure' && isProgramme && entry.isSdn && text !== '') {
        addToGroup(programmes, entry.profile, text);
      } else if (element === 'Sanctions') {
        const all = new Set([...lists.values()].flatMap((names) => [...names]));
        if (all.size > 0 && !all.has(SDN_LIST)) refuseOtherList(fileName, named(all));
        for (const { profile: of, ...one } of waiting.splice(0)) {
          const on = lists.get(of);
          if (on && !on.has(SDN_LIST)) others.push({ line: one.line, address: one.address, lists: named(on) });
          else
            complete.push({ ...one, designatedAt: designated.get(of) ?? null, programmes: programmes.get(of) ?? [] });
        }
      }
    },
    take: () => complete.splice(0),
    others: () => others.splice(0),
  };
}

const named = (lists: ReadonlySet<string>) => [...lists].sort().join(', ');

/**
 * The name of one profile: of its primary alias, in Latin script where there are several. Which of its parts is the
 * last name stands after all the aliases.
 */
function primaryName(values: ReadonlyMap<string, string>) {
  const kinds = new Map<string, string | undefined>();
  let chosen: { group: string; text: string }[] | null = null;
  let isPrimary = false;
  let isReading = false;
  let group = '';
  return {
    open: (element: string, attributes: Record<string, string>) => {
      if (element === 'Alias') isPrimary = attributes.Primary === 'true';
      else if (element === 'DocumentedName') {
        const isLatin = values.get(`DocNameStatus ${attributes.DocNameStatusID}`) === 'Primary Latin';
        isReading = isPrimary && (chosen === null || isLatin);
        if (isReading) chosen = [];
      } else if (element === 'NamePartValue') group = attributes.NamePartGroupID ?? '';
      else if (element === 'NamePartGroup') {
        kinds.set(attributes.ID ?? '', values.get(`NamePartType ${attributes.NamePartTypeID}`));
      }
    },
    close: (element: string, text: string) => {
      if (element === 'NamePartValue' && isReading && text !== '') chosen?.push({ group, text });
      else if (element === 'DocumentedName') isReading = false;
    },
    written: () => {
      const partsOf = (isLast: boolean) =>
        (chosen ?? []).filter((part) => (kinds.get(part.group) === 'Last Name') === isLast).map((part) => part.text);
      return partyName(partsOf(true).join(' '), partsOf(false).join(' '));
    },
  };
}
