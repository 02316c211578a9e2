import { readFile } from 'node:fs/promises';
import { type Config, ConfigError } from '../config.ts';

/** Signs a PDF by an update behind its last byte: what stands before is as it was. */
type PdfSigner = (pdf: Buffer, at: number) => Promise<Buffer>;

/** Bytes that a signature with the chain of its certificates may take. */
const SIGNATURE_BYTES = 16_384;
/** As @signpdf looks for it; its numbers are longer than those that replace them. */
const BYTE_RANGE = '/ByteRange [0 /********** /********** /**********]';

/**
 * Opens the certificate that PDFs are signed with; null without SIGNING_P12. Throws ConfigError where it cannot sign, such as for a
 * wrong password.
 */
export async function openPdfSigner(config: Config): Promise<PdfSigner | null> {
  const { SIGNING_P12: path, SIGNING_P12_PASSWORD_FILE: passwordPath } = config;
  if (!path) return null;
  const { P12Signer } = await import('@signpdf/signer-p12');
  const { SignPdf } = await import('@signpdf/signpdf');
  const read = (setting: string, file: string) =>
    readFile(file).catch((cause: Error) => {
      throw new ConfigError([`${setting}: cannot read the file: ${cause.message}`]);
    });
  const certificate = await read('SIGNING_P12', path);
  const password = passwordPath
    ? (await read('SIGNING_P12_PASSWORD_FILE', passwordPath)).toString().replace(/\r?\n$/, '')
    : '';
  // Each reads the certificate once.
  const signer = () => new P12Signer(certificate, { passphrase: password });
  await signer()
    .sign(Buffer.from('%PDF'))
    .catch((cause: Error) => {
      const wrong = /password|mac could not/i.test(cause.message);
      throw new ConfigError([
        wrong
          ? 'SIGNING_P12_PASSWORD_FILE: its password does not open SIGNING_P12'
          : `SIGNING_P12: no PKCS #12 file with an RSA key and its certificate: ${cause.message}`,
      ]);
    });
  return (pdf, at) => new SignPdf().sign(withPlaceholder(pdf, at), signer(), new Date(at));
}

/** Appends the objects of an invisible signature, still empty, as the format's own update of a finished file. */
function withPlaceholder(pdf: Buffer, at: number): Buffer {
  const text = pdf.toString('latin1');
  const trailer = text.slice(text.lastIndexOf('trailer'));
  const root = numberIn(trailer, /\/Root (\d+) 0 R/);
  const size = numberIn(trailer, /\/Size (\d+)/);
  const before = numberIn(trailer, /startxref\s+(\d+)/);
  const catalog = objectIn(text, root);
  const pages = objectIn(text, numberIn(catalog, /\/Pages (\d+) 0 R/));
  const first = numberIn(pages, /\/Kids \[\s*(\d+) 0 R/);
  const page = objectIn(text, first);
  const [signature, field] = [size, size + 1];
  const day = new Date(at).toISOString().replace(/\D/g, '').slice(0, 14);
  const objects: [number, string][] = [
    [
      signature,
      `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /adbe.pkcs7.detached ${BYTE_RANGE} ` +
        `/Contents <${'0'.repeat(2 * SIGNATURE_BYTES)}> /M (D:${day}Z) >>`,
    ],
    [
      field,
      `<< /Type /Annot /Subtype /Widget /FT /Sig /T (Signature1) /F 132 /Rect [0 0 0 0] /V ${signature} 0 R /P ${first} 0 R >>`,
    ],
    [root, withEntry(catalog, `/AcroForm << /SigFlags 3 /Fields [${field} 0 R] >>`)],
    [
      first,
      /\/Annots \[/.test(page)
        ? page.replace('/Annots [', `/Annots [${field} 0 R `)
        : withEntry(page, `/Annots [${field} 0 R]`),
    ],
  ];
  let update = '\n';
  const places: [number, number][] = [];
  for (const [number, body] of objects) {
    places.push([number, pdf.length + update.length]);
    update += `${number} 0 obj\n${body}\nendobj\n`;
  }
  const table = places.map(([number, place]) => `${number} 1\n${String(place).padStart(10, '0')} 00000 n \n`).join('');
  const kept = [/\/Root \d+ 0 R/, /\/Info \d+ 0 R/, /\/ID \[[^\]]*\]/].flatMap(
    (entry) => entry.exec(trailer)?.[0] ?? [],
  );
  const end = pdf.length + update.length;
  update += `xref\n${table}trailer\n<< /Size ${size + 2} /Prev ${before} ${kept.join(' ')} >>\nstartxref\n${end}\n%%EOF\n`;
  return Buffer.concat([pdf, Buffer.from(update, 'latin1')]);
}

/** The dictionary of an object of the file, as its newest version. */
function objectIn(text: string, number: number): string {
  const start = text.lastIndexOf(`\n${number} 0 obj\n`);
  const body = start === -1 ? '' : text.slice(text.indexOf('<<', start), text.indexOf('endobj', start)).trim();
  if (!body.startsWith('<<') || !body.endsWith('>>')) throw new Error(`the PDF has no plain object ${number}`);
  return body;
}

function withEntry(dictionary: string, entry: string): string {
  return `${dictionary.slice(0, -2)}${entry}\n>>`;
}

function numberIn(text: string, pattern: RegExp): number {
  const [, found] = pattern.exec(text) ?? [];
  if (!found) throw new Error(`the PDF does not have ${pattern.source}`);
  return Number(found);
}
