import { sourceFamily } from '../src/labels/label-order.ts';
import type { SourceName } from './source-names.ts';

/** Under what terms a public list is published, where to get it, and how often a newer one is worth loading. */
export interface ListTerms {
  publisher: string;
  licence: string;
  load_again: string;
  /** URL of a file that `traceflow lists add` can keep; null where the list is a folder. */
  url: string | null;
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
    page: 'https://sanctionslist.ofac.treas.gov',
  },
  'ofac-list': {
    publisher: '0xB10C, from the list of OFAC',
    licence: 'MIT',
    load_again: 'daily',
    url: null,
    page: 'https://github.com/0xB10C/ofac-sanctioned-digital-currency-addresses',
  },
  tagpack: {
    publisher: 'GraphSense',
    licence: 'MIT',
    load_again: 'monthly',
    url: null,
    page: 'https://github.com/graphsense/graphsense-tagpacks',
  },
  scamsniffer: {
    publisher: 'ScamSniffer',
    licence: 'none found: ask ScamSniffer',
    load_again: 'daily',
    url: 'https://raw.githubusercontent.com/scamsniffer/scam-database/main/blacklist/address.json',
    page: 'https://github.com/scamsniffer/scam-database',
  },
  darklist: {
    publisher: 'MyEtherWallet',
    licence: 'MIT',
    load_again: 'once: no longer updated',
    url: 'https://raw.githubusercontent.com/MyEtherWallet/ethereum-lists/master/src/addresses/addresses-darklist.json',
    page: 'https://github.com/MyEtherWallet/ethereum-lists',
  },
  'eth-labels': {
    publisher: 'eth-labels, from block explorers',
    licence: 'MIT',
    load_again: 'monthly',
    url: null,
    page: 'https://github.com/dawsbot/eth-labels',
  },
  forta: {
    publisher: 'Forta',
    licence: 'MIT',
    load_again: 'once: no longer updated',
    url: null,
    page: 'https://github.com/forta-network/labelled-datasets',
  },
};

/** The terms of the list that a label source belongs to; null for the operator's own. */
export function termsOf(labelSource: string): ListTerms | null {
  const family = sourceFamily(labelSource);
  return Object.entries(LIST_TERMS).find(([name]) => name === family)?.[1] ?? null;
}
