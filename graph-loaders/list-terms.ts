import type { SourceName } from './source-names.ts';

/** Under what terms a public list is published, and how often a newer one is worth loading. */
export interface ListTerms {
  publisher: string;
  licence: string;
  load_again: string;
}

/** By the name that loads it, which is also the first part of its labels' source. docs/labels.md repeats this table. */
export const LIST_TERMS: Partial<Record<SourceName, ListTerms>> = {
  ofac: { publisher: 'US Treasury, OFAC', licence: 'public domain (US government)', load_again: 'daily' },
  'ofac-list': { publisher: '0xB10C, from the list of OFAC', licence: 'MIT', load_again: 'daily' },
  tagpack: { publisher: 'GraphSense', licence: 'MIT', load_again: 'monthly' },
  scamsniffer: { publisher: 'ScamSniffer', licence: 'none found: ask ScamSniffer', load_again: 'daily' },
  darklist: { publisher: 'MyEtherWallet', licence: 'MIT', load_again: 'once: no longer updated' },
  'eth-labels': { publisher: 'eth-labels, from block explorers', licence: 'MIT', load_again: 'monthly' },
  forta: { publisher: 'Forta', licence: 'MIT', load_again: 'once: no longer updated' },
};
