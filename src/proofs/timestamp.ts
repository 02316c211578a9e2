import { bytesToHex } from '@noble/hashes/utils.js';
import { type BaseBlock, Constructed, fromBER, Integer, Null, ObjectIdentifier, OctetString } from 'asn1js';
import {
  AlgorithmIdentifier,
  type Certificate,
  ExtKeyUsage,
  MessageImprint,
  SignedData,
  TimeStampReq,
  TimeStampResp,
  TSTInfo,
} from 'pkijs';
import { sameBytes } from './proof.ts';
import { oneLine } from './proofs-file.ts';

/** Why the answer of an authority of time stamps (RFC 3161) stamps nothing. */
type TimestampFault =
  | 'malformed'
  | 'refused'
  | 'other_hash'
  | 'other_nonce'
  | 'other_certificate'
  | 'not_for_timestamps'
  | 'expired_certificate'
  | 'bad_signature';

/** A time stamp as its own bytes show it. */
export interface CheckedTimestamp {
  /** Null where the stamp holds; nothing else counts where it does not. */
  fault: TimestampFault | null;
  /** ISO 8601; empty where it cannot be read, as below. */
  at: string;
  /** Name in the certificate of the authority. */
  authority: string;
  /** SHA-256 of that certificate. */
  certificate: string;
}

const OID = {
  sha256: '2.16.840.1.101.3.4.2.1',
  signedData: '1.2.840.113549.1.7.2',
  stampInfo: '1.2.840.113549.1.9.16.1.4',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  signingCertificate: '1.2.840.113549.1.9.16.2.12',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
  extendedKeyUsage: '2.5.29.37',
  timeStamping: '1.3.6.1.5.5.7.3.8',
  commonName: '2.5.4.3',
  organisation: '2.5.4.10',
} as const;
const HASHES: Record<string, string> = {
  [OID.sha256]: 'SHA-256',
  '2.16.840.1.101.3.4.2.2': 'SHA-384',
  '2.16.840.1.101.3.4.2.3': 'SHA-512',
};

class StampError extends Error {
  readonly fault: TimestampFault;

  constructor(fault: TimestampFault) {
    super(fault);
    this.fault = fault;
  }
}

/**
 * Checks that an answer of unknown origin stamps exactly these bytes: imprint, signature, and a certificate that is made for time
 * stamps and was valid at that time. Whether the certificate is that of an authority to trust is left to the reader.
 */
export async function checkTimestamp(
  answer: Uint8Array,
  stamped: Uint8Array,
  nonce?: Uint8Array,
): Promise<CheckedTimestamp> {
  const found: CheckedTimestamp = { fault: null, at: '', authority: '', certificate: '' };
  try {
    await check(answer, stamped, { nonce, found });
    return found;
  } catch (error) {
    return { ...found, fault: error instanceof StampError ? error.fault : 'malformed' };
  }
}

/** Writes the request (DER) for a stamp of these bytes, with the certificate of the authority in the answer. */
export async function stampRequest(stamped: Uint8Array, nonce: Uint8Array): Promise<Uint8Array> {
  const messageImprint = new MessageImprint({
    hashAlgorithm: new AlgorithmIdentifier({ algorithmId: OID.sha256, algorithmParams: new Null() }),
    hashedMessage: new OctetString({ valueHex: await digest('SHA-256', stamped) }),
  });
  // A leading zero byte: a number that begins with a one bit is a negative one.
  const number = new Integer({ valueHex: Uint8Array.of(0, ...nonce) }).convertToDER();
  const request = new TimeStampReq({ messageImprint, nonce: number, certReq: true, version: 1 });
  return new Uint8Array(request.toSchema().toBER());
}

async function check(
  answer: Uint8Array,
  stamped: Uint8Array,
  { nonce, found }: { nonce: Uint8Array | undefined; found: CheckedTimestamp },
): Promise<void> {
  // The library bounds depth and number of what it reads.
  const read = fromBER(new Uint8Array(answer));
  demand(read.offset === answer.length, 'malformed');
  const { status, timeStampToken: token } = new TimeStampResp({ schema: read.result });
  // 0 and 1: granted, and granted with changes.
  demand((status.status as number) <= 1, 'refused');
  demand(token?.contentType === OID.signedData, 'malformed');
  const signed = new SignedData({ schema: token.content });
  demand(signed.encapContentInfo.eContentType === OID.stampInfo && signed.signerInfos.length === 1, 'malformed');
  const info = TSTInfo.fromBER(signed.encapContentInfo.eContent!.getValue());
  found.at = info.genTime.toISOString();

  const { hashAlgorithm, hashedMessage } = info.messageImprint;
  demand(HASHES[hashAlgorithm.algorithmId] === 'SHA-256', 'other_hash');
  demand(sameBytes(await digest('SHA-256', stamped), hashedMessage.valueBlock.valueHexView), 'other_hash');
  demand(
    !nonce || (info.nonce && sameBytes(unsigned(info.nonce.valueBlock.valueHexView), unsigned(nonce))),
    'other_nonce',
  );

  const signer = signed.signerInfos[0]!;
  const hash = HASHES[signer.digestAlgorithm.algorithmId];
  demand(hash, 'bad_signature');
  const signedValues = (type: string) => {
    const attributes = signer.signedAttrs?.attributes.filter((one) => one.type === type) ?? [];
    demand(attributes.length <= 1 && attributes.every(({ values }) => values.length === 1), 'bad_signature');
    return attributes.map(({ values }) => values[0] as BaseBlock);
  };
  const [contentType] = signedValues(OID.contentType);
  demand(contentType && identifierIn(contentType) === OID.stampInfo, 'bad_signature');
  demand(signedValues(OID.messageDigest).length === 1, 'bad_signature');
  const result = await signed.verify({ signer: 0, data: new Uint8Array(stamped).buffer, extendedMode: true });
  demand(result.signatureVerified, 'bad_signature');

  const certificate = result.signerCertificate as Certificate;
  const encoded = bytesOf(certificate, signed, token.content);
  found.certificate = bytesToHex(await digest('SHA-256', encoded));
  found.authority = nameOf(certificate);
  // Some authorities name it in both forms, for readers that know the older one alone (RFC 5816).
  const named = [...signedValues(OID.signingCertificate), ...signedValues(OID.signingCertificateV2)];
  demand(named.length > 0, 'bad_signature');
  for (const id of named.map(certificateId)) {
    demand(id && sameBytes(await digest(id.hash, encoded), id.digest), 'other_certificate');
  }
  const usage = certificate.extensions?.find(({ extnID }) => extnID === OID.extendedKeyUsage);
  const purposes = usage?.parsedValue instanceof ExtKeyUsage ? usage.parsedValue.keyPurposes : [];
  demand(usage?.critical && purposes.join() === OID.timeStamping, 'not_for_timestamps');
  const { notBefore, notAfter } = certificate;
  demand(info.genTime >= notBefore.value && info.genTime <= notAfter.value, 'expired_certificate');
}

/** A certificate as the answer holds it: written again, one with a flaw in its form would pass for the sound one. */
function bytesOf(certificate: Certificate, signed: SignedData, content: BaseBlock): Uint8Array {
  const listed = partsOf(content).find(({ idBlock }) => idBlock.tagClass === 3 && idBlock.tagNumber === 0);
  const place = signed.certificates!.indexOf(certificate);
  const found = partsOf(listed)[place];
  demand(found, 'malformed');
  return found.valueBeforeDecodeView;
}

/** The digest of the signer's certificate, as signed with the stamp (RFC 5035, and RFC 2634 with SHA-1); null for another form. */
function certificateId(value: BaseBlock): { hash: string; digest: Uint8Array } | null {
  const [certificates] = partsOf(value);
  const [id] = partsOf(certificates);
  const parts = partsOf(id);
  const place = parts.findIndex((part) => part instanceof OctetString);
  const digest = parts[place];
  if (!(digest instanceof OctetString)) return null;
  const [algorithm] = place === 1 ? partsOf(parts[0]) : [];
  const named = algorithm && HASHES[identifierIn(algorithm)];
  const bytes = digest.valueBlock.valueHexView;
  return { hash: named ?? (bytes.length === 20 ? 'SHA-1' : 'SHA-256'), digest: bytes };
}

function partsOf(block: BaseBlock | undefined): BaseBlock[] {
  return block instanceof Constructed ? (block.valueBlock.value as BaseBlock[]) : [];
}

function identifierIn(block: BaseBlock): string {
  return block instanceof ObjectIdentifier ? block.getValue() : '';
}

function nameOf({ subject }: Certificate): string {
  const named = (type: string) => subject.typesAndValues.find((one) => one.type === type)?.value.valueBlock.value;
  return oneLine(named(OID.commonName) ?? named(OID.organisation) ?? '');
}

async function digest(hash: string, bytes: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest(hash, new Uint8Array(bytes)));
}

/** A positive integer may be written with a zero before it. */
function unsigned(bytes: Uint8Array): Uint8Array {
  const first = bytes.findIndex((byte) => byte !== 0);
  return first === -1 ? bytes.subarray(0, 0) : bytes.subarray(first);
}

function demand(holds: unknown, fault: TimestampFault): asserts holds {
  if (!holds) throw new StampError(fault);
}
