import type { XmlHandlers } from '../reading/xml.ts';

/** One digital currency address of the SDN list. */
export interface SdnAddress {
  line: number;
  ticker: string;
  address: string;
  /** Of the listed person or entity. */
  name: string;
  /** Epoch ms of the designation, where the file has it. */
  designatedAt: number | null;
  /** Codes of the programmes under which it is listed. */
  programmes: string[];
}

/** Reads one of the two official formats; `take` hands over what is complete so far. */
export interface SdnReader extends XmlHandlers {
  take(): SdnAddress[];
}

/** `Digital Currency Address - XBT` names the currency; null for every other kind of identification. */
export function tickerOf(kind: string): string | null {
  const rest = /^Digital Currency Address\b(.*)$/i.exec(kind)?.[1];
  return rest === undefined ? null : rest.replace(/^[\s-]+/, '').toUpperCase() || 'no currency';
}

/** Names are written alike in both forms of the list: `LAST, First`. */
export function partyName(lastName: string, otherNames: string): string {
  return [lastName, otherNames].filter(Boolean).join(', ') || 'OFAC SDN';
}
