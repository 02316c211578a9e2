import { bridgesLoader } from './bridges/bridges.ts';
import { domainsLoader } from './domains.ts';
import { darklistLoader } from './labels/darklist.ts';
import { ethLabelsLoader } from './labels/eth-labels.ts';
import { fortaLoader } from './labels/forta.ts';
import { freezesLoader } from './labels/freezes.ts';
import { labelsLoader } from './labels/labels.ts';
import { mispLoader } from './labels/misp.ts';
import { opensanctionsLoader } from './labels/opensanctions.ts';
import { ransomwhereLoader } from './labels/ransomwhere.ts';
import { scamsnifferLoader } from './labels/scamsniffer.ts';
import { signedLoader } from './labels/signed.ts';
import { stixLoader } from './labels/stix.ts';
import { ofacListLoader } from './ofac/list.ts';
import { ofacLoader } from './ofac/ofac.ts';
import { pricesLoader } from './prices.ts';
import type { Loader } from './reading/loader.ts';
import type { SourceName } from './source-names.ts';
import { tagpackLoader } from './tagpack/tagpack.ts';
import { bitcoinEtlLoader } from './transfers/bitcoin-etl.ts';
import { ethereumEtlLoader } from './transfers/ethereum-etl.ts';
import { transfersLoader } from './transfers/transfers.ts';

export const SOURCES: Readonly<Record<SourceName, Loader>> = {
  transfers: transfersLoader,
  labels: labelsLoader,
  prices: pricesLoader,
  bridges: bridgesLoader,
  ofac: ofacLoader,
  'ofac-list': ofacListLoader,
  opensanctions: opensanctionsLoader,
  tagpack: tagpackLoader,
  scamsniffer: scamsnifferLoader,
  darklist: darklistLoader,
  'eth-labels': ethLabelsLoader,
  forta: fortaLoader,
  ransomwhere: ransomwhereLoader,
  stix: stixLoader,
  misp: mispLoader,
  freezes: freezesLoader,
  signed: signedLoader,
  domains: domainsLoader,
  'ethereum-etl': ethereumEtlLoader,
  'bitcoin-etl': bitcoinEtlLoader,
};
