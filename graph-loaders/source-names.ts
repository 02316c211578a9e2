/** The sources of `traceflow load <source>`. */
export const SOURCE_NAMES = [
  'transfers',
  'labels',
  'prices',
  'bridges',
  'ofac',
  'ofac-list',
  'opensanctions',
  'tagpack',
  'scamsniffer',
  'darklist',
  'eth-labels',
  'forta',
  'ransomwhere',
  'stix',
  'misp',
  'freezes',
  'signed',
  'domains',
  'ethereum-etl',
  'bitcoin-etl',
] as const;
export type SourceName = (typeof SOURCE_NAMES)[number];
