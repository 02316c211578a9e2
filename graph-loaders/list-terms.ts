import { type Chain, chainName } from '../src/domain/chain.ts';
import { sourceFamily } from '../src/labels/label-order.ts';
import type { SourceName } from './source-names.ts';

/** Under what terms a public list is published, where to get it, and how often a newer one is worth loading. */
export interface ListTerms {
  publisher: string;
  licence: string;
  load_again: string;
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

/** By the name that loads it, which is also the first part of its labels' source. docs/labels.md repeats this table. */
export const LIST_TERMS: Partial<Record<SourceName, ListTerms>> = {
  ofac: {
    publisher: 'US Treasury, OFAC',
    licence: 'public domain (US government)',
    isFree: true,
    load_again: 'daily',
    url: 'https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/SDN_ADVANCED.XML',
    worth: 'the addresses of ofac-list with names, days and programmes',
    counted: null,
    page: 'https://sanctionslist.ofac.treas.gov',
  },
  'ofac-list': {
    publisher: '0xB10C, from the list of OFAC',
    licence: 'MIT',
    isFree: true,
    load_again: 'daily',
    url: 'https://github.com/0xB10C/ofac-sanctioned-digital-currency-addresses/archive/refs/heads/lists.tar.gz',
    worth: 'sanctioned addresses without names and days',
    counted: { day: '2024-09-27', bytes: 61_144, addresses: { bitcoin: 437, evm: 156, tron: 18, xrp: 1 } },
    page: 'https://github.com/0xB10C/ofac-sanctioned-digital-currency-addresses',
  },
  opensanctions: {
    publisher: 'OpenSanctions',
    licence: 'CC BY-NC 4.0: businesses need its commercial licence',
    isFree: false,
    load_again: 'daily',
    url: 'https://data.opensanctions.org/datasets/latest/sanctions/entities.ftm.json',
    worth: 'wallets that the EU, the UK, Israel and others name',
    counted: null,
    page: 'https://www.opensanctions.org/datasets/',
  },
  tagpack: {
    publisher: 'GraphSense',
    licence: 'MIT',
    isFree: true,
    load_again: 'monthly',
    url: 'https://github.com/graphsense/graphsense-tagpacks/archive/refs/heads/master.tar.gz',
    worth: 'exchanges, hacks, ransomware, markets; the largest packs are not counted',
    counted: {
      day: '2024-02-26',
      bytes: 8_125_037,
      addresses: { bitcoin: 60_579, ethereum: 13_975, tron: 34, bsc: 18, solana: 7, polygon: 4, avalanche: 4, xrp: 4 },
    },
    page: 'https://github.com/graphsense/graphsense-tagpacks',
  },
  scamsniffer: {
    publisher: 'ScamSniffer',
    licence: 'none found: ask ScamSniffer',
    isFree: false,
    load_again: 'daily',
    url: 'https://raw.githubusercontent.com/scamsniffer/scam-database/main/blacklist/address.json',
    worth: 'drainers on EVM chains',
    counted: null,
    page: 'https://github.com/scamsniffer/scam-database',
  },
  darklist: {
    publisher: 'MyEtherWallet',
    licence: 'MIT',
    isFree: true,
    load_again: 'once: no longer updated',
    url: 'https://raw.githubusercontent.com/MyEtherWallet/ethereum-lists/master/src/addresses/addresses-darklist.json',
    worth: 'scams of 2017 and 2018',
    counted: { day: '2021-05-02', bytes: 93_906, addresses: { ethereum: 629 } },
    page: 'https://github.com/MyEtherWallet/ethereum-lists',
  },
  'eth-labels': {
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
  forta: {
    publisher: 'Forta',
    licence: 'MIT',
    isFree: true,
    load_again: 'once: no longer updated',
    url: 'https://github.com/forta-network/labelled-datasets/archive/refs/heads/main.tar.gz#labels',
    worth: 'phishing and malicious contracts',
    counted: { day: '2023-01-26', bytes: 1_385_083, addresses: { ethereum: 7_407, optimism: 1 } },
    page: 'https://github.com/forta-network/labelled-datasets',
  },
  ransomwhere: {
    publisher: 'Ransomwhere',
    licence: 'CC0 1.0',
    isFree: true,
    load_again: 'weekly',
    url: 'https://api.ransomwhe.re/export',
    worth: 'addresses that were paid ransoms, nearly all of Bitcoin',
    counted: null,
    page: 'https://ransomwhe.re',
  },
  domains: {
    publisher: 'MetaMask, eth-phishing-detect',
    licence: 'DBAD',
    isFree: false,
    load_again: 'daily',
    url: 'https://raw.githubusercontent.com/MetaMask/eth-phishing-detect/main/src/config.json',
    worth: 'domains of phishing for the scam database, no address',
    counted: null,
    page: 'https://github.com/MetaMask/eth-phishing-detect',
  },
};

/** The terms of the list that a label source belongs to; null for the operator's own. */
export function termsOf(labelSource: string): ListTerms | null {
  const family = sourceFamily(labelSource);
  return Object.entries(LIST_TERMS).find(([name]) => name === family)?.[1] ?? null;
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
