import { WrongFormatError } from '../reading/wrong-format.ts';
import type { XmlHandlers } from '../reading/xml.ts';

/** One digital currency address of the SDN list. */
/** An address as a party's entry states it. */
export interface StatedAddress {
  line: number;
  ticker: string;
  address: string;
  /** Epoch ms of the designation, where the file has it. */
  designatedAt: number | null;
}

export interface SdnAddress extends StatedAddress {
  /** Name of the listed person or entity. */
  name: string;
  /** Codes of the programmes under which it is listed. */
  programmes: string[];
}

/** Reads one of the two official formats. */
export interface SdnReader extends XmlHandlers {
  /** The addresses of the SDN list, once the whole file is read. Throws WrongFormatError for another list of OFAC. */
  take(): SdnAddress[];
  /** Addresses of parties that stand only on other lists, with these. */
  others(): { line: number; address: string; lists: string }[];
}

/** As OFAC names the list whose parties are blocked. */
export const SDN_LIST = 'SDN List';

/** Refuses a file of another list: its parties are not blocked, and it says nothing of who is. */
export function refuseOtherList(fileName: string, names: string): never {
  throw new WrongFormatError(`${fileName}: this is ${names} of OFAC, not the SDN list`);
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
