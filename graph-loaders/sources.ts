import { type Chain, chainName } from '../src/domain/chain.ts';
import { DAY_MS } from '../src/domain/time.ts';
import { sourceFamily } from '../src/labels/label-order.ts';
import type { Loader } from './reading/loader.ts';

/** How often a kept list is fetched, by how often a newer one is worth loading. */
const EVERY_MS = {
  daily: DAY_MS,
  weekly: 7 * DAY_MS,
  monthly: 30 * DAY_MS,
  'once: no longer updated': 366 * DAY_MS,
};

/** Under what terms a public list is published, where to get it, and how often a newer one is worth loading. */
export interface ListTerms {
  publisher: string;
  licence: string;
  load_again: keyof typeof EVERY_MS;
  /** URL of the file or archive that `traceflow lists add` keeps. */
  url: string;
  /** Kinds of what it names. */
  worth: string;
  /** Numbers of a copy; null where none was counted here. */
  counted: CountedList | null;
  /** Page of the publisher. */
  page: string;
  /** True where the licence lets others have copies, with its name. */
  isFree: boolean;
}

/** A copy of a list, counted by loading it. */
interface CountedList {
  /** Day of the copy; null where it does not say it. */
  day: string | null;
  /** Size unpacked, without parts that the product does not read. */
  bytes: number;
  /** Addresses by chain, `evm` for all EVM chains. */
  addresses: Partial<Record<Chain | 'evm', number>>;
}

/** A source of `traceflow load <source>`. */
interface LoadedSource {
  /** Imported at the first use: commands that load nothing start without the readers. */
  importLoader: () => Promise<Loader>;
  /** Terms of a public list; absent for a format in which many publish. */
  terms?: ListTerms;
}

/** Loaders by the name that loads them, which is also the first part of their labels' source. docs/labels.md repeats the terms. */
export const SOURCES = {
  transfers: { importLoader: async () => (await import('./transfers/transfers.ts')).transfersLoader },
  labels: { importLoader: async () => (await import('./labels/labels.ts')).labelsLoader },
  prices: { importLoader: async () => (await import('./prices.ts')).pricesLoader },
  bridges: { importLoader: async () => (await import('./bridges.ts')).bridgesLoader },
  ofac: {
    importLoader: async () => (await import('./ofac/ofac.ts')).ofacLoader,
    terms: {
      publisher: 'US Treasury, OFAC',
      licence: 'public domain (US government)',
      isFree: true,
      load_again: 'daily',
      url: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN_ADVANCED.XML',
      worth: 'the addresses of ofac-list with names, days and programmes',
      counted: null,
      page: 'https://sanctionslist.ofac.treas.gov',
    },
  },
  'ofac-list': {
    importLoader: async () => (await import('./ofac/list.ts')).ofacListLoader,
    terms: {
      publisher: '0xB10C, from the list of OFAC',
      licence: 'MIT',
      isFree: true,
      load_again: 'daily',
      url: 'https://github.com/0xB10C/ofac-sanctioned-digital-currency-addresses/archive/refs/heads/lists.tar.gz',
      worth: 'sanctioned addresses without names and days',
      counted: { day: '2024-09-27', bytes: 61_144, addresses: { bitcoin: 437, evm: 156, tron: 18, xrp: 1 } },
      page: 'https://github.com/0xB10C/ofac-sanctioned-digital-currency-addresses',
    },
  },
  opensanctions: {
    importLoader: async () => (await import('./labels/opensanctions.ts')).opensanctionsLoader,
    terms: {
      publisher: 'OpenSanctions',
      licence: 'CC BY-NC 4.0: businesses need its commercial licence',
      isFree: false,
      load_again: 'daily',
      url: 'https://data.opensanctions.org/datasets/latest/sanctions/entities.ftm.json',
      worth: 'wallets that the EU, the UK, Israel and others name',
      counted: null,
      page: 'https://www.opensanctions.org/datasets/',
    },
  },
  tagpack: {
    importLoader: async () => (await import('./labels/tagpack.ts')).tagpackLoader,
    terms: {
      publisher: 'GraphSense',
      licence: 'MIT',
      isFree: true,
      load_again: 'monthly',
      url: 'https://github.com/graphsense/graphsense-tagpacks/archive/refs/heads/master.tar.gz',
      worth: 'exchanges, hacks, ransomware, markets; the largest packs are not counted',
      counted: {
        day: '2024-02-26',
        bytes: 8_125_037,
        addresses: {
          bitcoin: 60_579,
          ethereum: 13_975,
          tron: 34,
          bsc: 18,
          solana: 7,
          polygon: 4,
          avalanche: 4,
          xrp: 4,
        },
      },
      page: 'https://github.com/graphsense/graphsense-tagpacks',
    },
  },
  scamsniffer: {
    importLoader: async () => (await import('./labels/scamsniffer.ts')).scamsnifferLoader,
    terms: {
      publisher: 'ScamSniffer',
      licence: 'none found: ask ScamSniffer',
      isFree: false,
      load_again: 'daily',
      url: 'https://raw.githubusercontent.com/scamsniffer/scam-database/main/blacklist/address.json',
      worth: 'drainers on EVM chains',
      counted: null,
      page: 'https://github.com/scamsniffer/scam-database',
    },
  },
  darklist: {
    importLoader: async () => (await import('./labels/darklist.ts')).darklistLoader,
    terms: {
      publisher: 'MyEtherWallet',
      licence: 'MIT',
      isFree: true,
      load_again: 'once: no longer updated',
      url: 'https://raw.githubusercontent.com/MyEtherWallet/ethereum-lists/master/src/addresses/addresses-darklist.json',
      worth: 'scams of 2017 and 2018',
      counted: { day: '2021-05-02', bytes: 93_906, addresses: { ethereum: 629 } },
      page: 'https://github.com/MyEtherWallet/ethereum-lists',
    },
  },
  'eth-labels': {
    importLoader: async () => (await import('./labels/eth-labels.ts')).ethLabelsLoader,
    terms: {
      publisher: 'eth-labels, from block explorers',
      licence: 'MIT',
      isFree: true,
      load_again: 'monthly',
      url: 'https://github.com/dawsbot/eth-labels/archive/refs/heads/master.tar.gz',
      worth: 'exchanges, services and scams by explorers of EVM chains',
      counted: {
        day: null,
        bytes: 1_754_874,
        addresses: { ethereum: 31_011, base: 5_968, arbitrum: 3_139, bsc: 3_115, optimism: 2_102 },
      },
      page: 'https://github.com/dawsbot/eth-labels',
    },
  },
  forta: {
    importLoader: async () => (await import('./labels/forta.ts')).fortaLoader,
    terms: {
      publisher: 'Forta',
      licence: 'MIT',
      isFree: true,
      load_again: 'once: no longer updated',
      url: 'https://github.com/forta-network/labelled-datasets/archive/refs/heads/main.tar.gz#labels',
      worth: 'phishing and malicious contracts',
      counted: { day: '2023-01-26', bytes: 1_385_083, addresses: { ethereum: 7_407, optimism: 1 } },
      page: 'https://github.com/forta-network/labelled-datasets',
    },
  },
  ransomwhere: {
    importLoader: async () => (await import('./labels/ransomwhere.ts')).ransomwhereLoader,
    terms: {
      publisher: 'Ransomwhere',
      licence: 'CC0 1.0',
      isFree: true,
      load_again: 'weekly',
      url: 'https://api.ransomwhe.re/export',
      worth: 'addresses that were paid ransoms, nearly all of Bitcoin',
      counted: null,
      page: 'https://ransomwhe.re',
    },
  },
  stix: { importLoader: async () => (await import('./labels/stix.ts')).stixLoader },
  misp: { importLoader: async () => (await import('./labels/misp.ts')).mispLoader },
  freezes: { importLoader: async () => (await import('./labels/freezes.ts')).freezesLoader },
  signed: { importLoader: async () => (await import('./labels/signed.ts')).signedLoader },
  domains: {
    importLoader: async () => (await import('./domains.ts')).domainsLoader,
    terms: {
      publisher: 'MetaMask, eth-phishing-detect',
      licence: 'DBAD',
      isFree: false,
      load_again: 'daily',
      url: 'https://raw.githubusercontent.com/MetaMask/eth-phishing-detect/main/src/config.json',
      worth: 'domains of phishing for the scam database, no address',
      counted: null,
      page: 'https://github.com/MetaMask/eth-phishing-detect',
    },
  },
  'ethereum-etl': { importLoader: async () => (await import('./transfers/ethereum-etl.ts')).ethereumEtlLoader },
  'bitcoin-etl': { importLoader: async () => (await import('./transfers/bitcoin-etl.ts')).bitcoinEtlLoader },
} satisfies Record<string, LoadedSource>;

export type SourceName = keyof typeof SOURCES;
export const SOURCE_NAMES = Object.keys(SOURCES) as SourceName[];

/** The public lists, as `traceflow init` offers them. */
export const PUBLISHED_LISTS = Object.entries<LoadedSource>(SOURCES).flatMap(([source, { terms }]) =>
  terms ? [{ source, ...terms }] : [],
);

/** The terms of the list that a label source belongs to; null for the operator's own. */
export function termsOf(labelSource: string): ListTerms | null {
  return PUBLISHED_LISTS.find(({ source }) => source === sourceFamily(labelSource)) ?? null;
}

/** How often a list is fetched that says nothing else: as often as it declares, your own each day. */
export function everyMsOf(source: string): number {
  return EVERY_MS[termsOf(source)?.load_again ?? 'daily'];
}

/** Says what a list is worth, with size and day of the copy that was counted. */
export function worthText({ worth, counted }: ListTerms): string {
  if (counted === null) return `${worth}; not counted here`;
  const { day, bytes, addresses } = counted;
  const by = Object.entries(addresses).map(([chain, count]) => {
    return `${chain === 'evm' ? 'all EVM chains' : chainName(chain)} ${count.toLocaleString('en-US')}`;
  });
  const size = bytes < 1e6 ? `${Math.round(bytes / 1e3)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
  return `${worth}; a copy of ${day ?? 'no stated day'}, ${size}, named ${by.join(', ')}`;
}
