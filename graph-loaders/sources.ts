import { bitcoinEtlLoader } from './bitcoin-etl.ts';
import { darklistLoader } from './darklist.ts';
import { ethLabelsLoader } from './eth-labels.ts';
import { ethereumEtlLoader } from './ethereum-etl.ts';
import { fortaLoader } from './forta.ts';
import { labelsLoader } from './labels.ts';
import type { Loader } from './loader.ts';
import { ofacLoader } from './ofac.ts';
import { ofacListLoader } from './ofac-list.ts';
import { pricesLoader } from './prices.ts';
import { scamsnifferLoader } from './scamsniffer.ts';
import type { SourceName } from './source-names.ts';
import { tagpackLoader } from './tagpack.ts';
import { transfersLoader } from './transfers.ts';

export const SOURCES: Readonly<Record<SourceName, Loader>> = {
  transfers: transfersLoader,
  labels: labelsLoader,
  prices: pricesLoader,
  ofac: ofacLoader,
  'ofac-list': ofacListLoader,
  tagpack: tagpackLoader,
  scamsniffer: scamsnifferLoader,
  darklist: darklistLoader,
  'eth-labels': ethLabelsLoader,
  forta: fortaLoader,
  'ethereum-etl': ethereumEtlLoader,
  'bitcoin-etl': bitcoinEtlLoader,
};
