/** A form in which something leaves the service: one file of one media type. */
export interface ExportForm {
  /** Below `/api/v1`; its last part is the end of the name of the file. */
  path: string;
  type: string;
  operationId: string;
  /** Says it in the API and in the table of docs/formats.md. */
  summary: string;
}

const CSV = 'text/csv; charset=utf-8';

/** Exports of tables, boards and cases. */
export const EXPORT_FORMS = {
  transfers: {
    path: '/graph/transfers.csv',
    type: CSV,
    operationId: 'exportTransfers',
    summary: 'The transfers of an address that the graph holds, as CSV',
  },
  scans: {
    path: '/public/scans.csv',
    type: CSV,
    operationId: 'exportScans',
    summary: 'Recorded scans of your account as CSV, newest first',
  },
  graphml: {
    path: '/boards/:board_id/board.graphml',
    type: 'application/graphml+xml',
    operationId: 'exportBoardAsGraphml',
    summary: 'A board as GraphML: addresses, flows, groups, notes and texts',
  },
  canvas: {
    path: '/boards/:board_id/board.canvas',
    type: 'application/json',
    operationId: 'exportBoardAsCanvas',
    summary: 'A board as JSON Canvas 1.0: what it shows, in its places',
  },
  stix: {
    path: '/cases/:case_id/indicators.stix.json',
    type: 'application/stix+json;version=2.1',
    operationId: 'exportCaseAsStix',
    summary: 'The addresses of a case as indicators, a STIX 2.1 bundle',
  },
  misp: {
    path: '/cases/:case_id/indicators.misp.json',
    type: 'application/json',
    operationId: 'exportCaseAsMisp',
    summary: 'The addresses of a case as indicators, a MISP event',
  },
  ivms101: {
    path: '/cases/:case_id/ivms101.json',
    type: 'application/json',
    operationId: 'exportCaseAsIvms101',
    summary: 'The transfers of a case as payloads of IVMS101.2023, with what is left to be filled in',
  },
  goaml: {
    path: '/cases/:case_id/goaml.xml',
    type: 'application/xml',
    operationId: 'exportCaseAsGoaml',
    summary: 'A case as a report of goAML 5.0.2, with what is left to be filled in',
  },
  archive: {
    path: '/cases/:case_id/archive.zip',
    type: 'application/zip',
    operationId: 'exportCaseArchive',
    summary: 'A case with all that it rests on, which another installation imports',
  },
} as const satisfies Record<string, ExportForm>;

/** A code of the list of indicators by which goAML says why something is reported. */
export const INDICATOR_CODE = /^[\w-]{1,25}$/;

/** The name of the file that a browser saves: what it is about, and the end of its path. */
export function exportName(form: ExportForm, about?: string): string {
  const file = form.path.slice(form.path.lastIndexOf('/') + 1);
  return about === undefined ? file : `${about}-${file}`;
}
