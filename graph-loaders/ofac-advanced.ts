import { type SdnAddress, type SdnReader, tickerOf } from './ofac-sdn.ts';

/**
 * `sdn_advanced.xml`: kinds of features stand at its beginning, parties with their features in the middle, the days
 * of designation at its end. So the addresses, a small part of the file, wait for the days.
 */
export function advancedReader(): SdnReader {
  const complete: SdnAddress[] = [];
  const waiting: (SdnAddress & { profile: string })[] = [];
  const tickers = new Map<string, string>();
  const designated = new Map<string, number>();
  const path: string[] = [];
  let featureType = '';
  let profile = '';
  let ticker: string | undefined;
  let found: { line: number; ticker: string; address: string }[] = [];
  let isPrimaryAlias = false;
  let nameParts: string[] | null = null;
  let name = '';
  let entryProfile = '';
  let date: Record<string, number> = {};
  return {
    open: (element, attributes) => {
      path.push(element);
      if (element === 'FeatureType') featureType = attributes.ID ?? '';
      else if (element === 'Profile') {
        profile = attributes.ID ?? '';
        found = [];
        name = '';
      } else if (element === 'Alias') isPrimaryAlias = attributes.Primary === 'true';
      else if (element === 'DocumentedName' && isPrimaryAlias && name === '') nameParts = [];
      else if (element === 'Feature') ticker = tickers.get(attributes.FeatureTypeID ?? '');
      else if (element === 'SanctionsEntry') entryProfile = attributes.ProfileID ?? '';
      else if (element === 'Date' && path.at(-2) === 'EntryEvent') date = {};
    },
    close: (element, text, line) => {
      path.pop();
      const parent = path.at(-1);
      if (element === 'FeatureType') {
        const code = tickerOf(text);
        if (code) tickers.set(featureType, code);
      } else if (element === 'NamePartValue') nameParts?.push(text);
      else if (element === 'DocumentedName' && nameParts) {
        name = nameParts.filter((part) => part !== '').join(' ');
        nameParts = null;
      } else if (element === 'VersionDetail' && ticker && text !== '') found.push({ line, ticker, address: text });
      else if (element === 'Profile') {
        waiting.push(...found.map((one) => ({ ...one, name: name || 'OFAC SDN', designatedAt: null, profile })));
      } else if (parent === 'Date' && (element === 'Year' || element === 'Month' || element === 'Day')) {
        date[element] = Number(text);
      } else if (element === 'Date' && parent === 'EntryEvent') {
        const at = Date.UTC(date.Year ?? Number.NaN, (date.Month ?? 1) - 1, date.Day ?? 1);
        if (!Number.isNaN(at)) designated.set(entryProfile, Math.min(at, designated.get(entryProfile) ?? at));
      } else if (element === 'Sanctions') {
        for (const { profile: of, ...one } of waiting.splice(0)) {
          complete.push({ ...one, designatedAt: designated.get(of) ?? null });
        }
      }
    },
    take: () => complete.splice(0),
  };
}
