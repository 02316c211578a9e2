import { iso } from '../domain/time.ts';
import { type CaseFiling, cutTo, FILL_IN, type FilingParty, type FilingTransfer } from './case-filing.ts';

/** Most of a name, in bytes: some readers count these and not characters. */
const NAME_BYTES = 100;
/** The scripts in which a name stands as `nameIdentifier`; any other is a local one. */
const LATIN = /^[\p{Script=Latin}\p{Script=Common}]*$/u;

/** Payloads of IVMS101.2023, one for each transfer of a case, with what each lacks; persons are known to their services alone. */
export function ivms101Messages(given: CaseFiling): string {
  const { caseId, title, description, findings, madeAt, transfers, leftOut, cutAddresses } = given;
  const file = {
    standard: 'IVMS101.2023',
    case_id: caseId,
    title,
    narrative: [description, ...findings].filter(Boolean),
    made_at: iso(madeAt),
    fill_in: FILL_IN,
    left_out: { transfers: leftOut, cut_addresses: cutAddresses },
    messages: transfers.map(message),
  };
  return `${JSON.stringify(file, null, 1)}\n`;
}

function message({ transfer, from, to }: FilingTransfer) {
  const { chain, txHash, index, at, asset, token, amount, usd, sourceTag, destinationTag } = transfer;
  const ivms101 = {
    originator: { originatorPerson: [unknownPerson()], accountNumber: [from.address] },
    beneficiary: { beneficiaryPerson: [unknownPerson()], accountNumber: [to.address] },
    ...(from.service && { originatingVASP: vasp(from.service) }),
    ...(to.service && { beneficiaryVASP: vasp(to.service) }),
    payloadMetadata: { payloadVersion: '101.2023' },
  };
  const unnamed = [...vaspUnknown('originatingVASP', from), ...vaspUnknown('beneficiaryVASP', to)];
  return {
    transfer: {
      ...{ chain, tx_hash: txHash, index, at: iso(at), asset, token, amount, usd },
      ...(sourceTag !== null && { source_tag: sourceTag }),
      ...(destinationTag !== null && { destination_tag: destinationTag }),
    },
    ivms101,
    missing: [...pathsToFill(ivms101, ''), ...unnamed],
  };
}

/** Fills an unknown person: not even if natural or legal is known. */
function unknownPerson() {
  const name = { primaryIdentifier: FILL_IN, naturalPersonNameIdentifierType: 'LEGL' };
  return { naturalPerson: { name: { nameIdentifier: [name] }, customerIdentification: FILL_IN } };
}

/** A service under the name of its label; the name that it is registered under is another. */
function vasp(service: string) {
  const traded = { legalPersonName: nameOf(service), legalPersonNameIdentifierType: 'TRAD' };
  const legal = { legalPersonName: FILL_IN, legalPersonNameIdentifierType: 'LEGL' };
  const isLatin = LATIN.test(service);
  return {
    legalPerson: {
      name: {
        nameIdentifier: isLatin ? [legal, traded] : [legal],
        ...(!isLatin && { localNameIdentifier: [traded] }),
      },
      customerIdentification: FILL_IN,
    },
  };
}

function nameOf(service: string): string {
  let name = cutTo(service, NAME_BYTES);
  for (let most = name.length - 1; Buffer.byteLength(name) > NAME_BYTES; most--) name = cutTo(service, most);
  return name;
}

function vaspUnknown(field: string, { service }: FilingParty): string[] {
  return service ? [] : [field];
}

/** The paths of all that is left to be filled in. */
function pathsToFill(value: unknown, path: string): string[] {
  if (value === FILL_IN) return [path];
  if (Array.isArray(value)) return value.flatMap((one, nth) => pathsToFill(one, `${path}[${nth}]`));
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) => pathsToFill(one, path === '' ? name : `${path}.${name}`));
}
