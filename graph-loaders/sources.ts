import { bridgesLoader } from './bridges/bridges.ts';
import { darklistLoader } from './labels/darklist.ts';
import { ethLabelsLoader } from './labels/eth-labels.ts';
import { fortaLoader } from './labels/forta.ts';
import { labelsLoader } from './labels/labels.ts';
import { opensanctionsLoader } from './labels/opensanctions.ts';
import { scamsnifferLoader } from './labels/scamsniffer.ts';
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
  'ethereum-etl': ethereumEtlLoader,
  'bitcoin-etl': bitcoinEtlLoader,
};
