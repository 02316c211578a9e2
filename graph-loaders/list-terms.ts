import { sourceFamily } from '../src/labels/label-order.ts';
import type { SourceName } from './source-names.ts';

/** Under what terms a public list is published, where to get it, and how often a newer one is worth loading. */
export interface ListTerms {
  publisher: string;
  licence: string;
  load_again: string;
  /** URL of the file or archive that `traceflow lists add` keeps. */
  url: string;
  /** How many addresses it names on which chains, and on which day they were counted. */
  worth: string;
  /** Page of the publisher. */
  page: string;
}

/** By the name that loads it, which is also the first part of its labels' source. docs/labels.md repeats this table. */
export const LIST_TERMS: Partial<Record<SourceName, ListTerms>> = {
  ofac: {
    publisher: 'US Treasury, OFAC',
    licence: 'public domain (US government)',
    load_again: 'daily',
    url: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN_ADVANCED.XML',
    worth: 'as ofac-list, with names, days and programmes',
    page: 'https://sanctionslist.ofac.treas.gov',
  },
  'ofac-list': {
    publisher: '0xB10C, from the list of OFAC',
    licence: 'MIT',
    load_again: 'daily',
    url: 'https://github.com/0xB10C/ofac-sanctioned-digital-currency-addresses/archive/refs/heads/lists.tar.gz',
    worth: 'Bitcoin 435, EVM chains 160, TRON 12, XRP and others (2024-09-27)',
    page: 'https://github.com/0xB10C/ofac-sanctioned-digital-currency-addresses',
  },
  opensanctions: {
    publisher: 'OpenSanctions',
    licence: 'CC BY-NC 4.0: businesses need its commercial licence',
    load_again: 'daily',
    url: 'https://data.opensanctions.org/datasets/latest/sanctions/entities.ftm.json',
    worth: 'wallets that the EU, the UK, Israel and others name; not counted',
    page: 'https://www.opensanctions.org/datasets/',
  },
  tagpack: {
    publisher: 'GraphSense',
    licence: 'MIT',
    load_again: 'monthly',
    url: 'https://github.com/graphsense/graphsense-tagpacks/archive/refs/heads/master.tar.gz',
    worth: 'Bitcoin 68,000, Ethereum 22,000, TRON 36 (2024)',
    page: 'https://github.com/graphsense/graphsense-tagpacks',
  },
  scamsniffer: {
    publisher: 'ScamSniffer',
    licence: 'none found: ask ScamSniffer',
    load_again: 'daily',
    url: 'https://raw.githubusercontent.com/scamsniffer/scam-database/main/blacklist/address.json',
    worth: 'EVM chains; not counted',
    page: 'https://github.com/scamsniffer/scam-database',
  },
  darklist: {
    publisher: 'MyEtherWallet',
    licence: 'MIT',
    load_again: 'once: no longer updated',
    url: 'https://raw.githubusercontent.com/MyEtherWallet/ethereum-lists/master/src/addresses/addresses-darklist.json',
    worth: 'Ethereum 630 (2018)',
    page: 'https://github.com/MyEtherWallet/ethereum-lists',
  },
  'eth-labels': {
    publisher: 'eth-labels, from block explorers',
    licence: 'MIT',
    load_again: 'monthly',
    url: 'https://github.com/dawsbot/eth-labels/archive/refs/heads/master.tar.gz',
    worth: 'seven EVM chains 55,000',
    page: 'https://github.com/dawsbot/eth-labels',
  },
  forta: {
    publisher: 'Forta',
    licence: 'MIT',
    load_again: 'once: no longer updated',
    url: 'https://github.com/forta-network/labelled-datasets/archive/refs/heads/main.tar.gz#labels',
    worth: 'Ethereum 14,000 (2023-01-26)',
    page: 'https://github.com/forta-network/labelled-datasets',
  },
};

/** The terms of the list that a label source belongs to; null for the operator's own. */
export function termsOf(labelSource: string): ListTerms | null {
  const family = sourceFamily(labelSource);
  return Object.entries(LIST_TERMS).find(([name]) => name === family)?.[1] ?? null;
}
