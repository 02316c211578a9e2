import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pdfParagraph } from '../../reports/pdf/blocks.ts';
import { closePdf, openPdf } from '../../reports/pdf/document.ts';
import { readConfig } from '../../src/config.ts';
import { openPdfSigner } from '../../src/exports/sign-pdf.ts';

const missing = !process.env.CI && ['openssl', 'pdfsig'].some((name) => spawnSync(name, ['--help']).error);
const folder = mkdtempSync(join(tmpdir(), 'traceflow-sign-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const AT = Date.UTC(2026, 4, 1, 12);

function openssl(...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder });
  if (status !== 0) throw new Error(String(stderr));
}

async function drawn(): Promise<Buffer> {
  const info = { title: 'Evidence', language: 'en' as const, madeAt: AT, footer: '' };
  const pdf = openPdf(info);
  pdfParagraph(pdf, 'Where the money is');
  return closePdf(pdf, info);
}

describe.skipIf(missing)('signed PDFs (need openssl and pdfsig)', () => {
  it('bear a signature that pdfsig accepts until a byte changes, behind the bytes as they were drawn', async () => {
    openssl(
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=Desk of evidence'],
      ...['-keyout', 'key.pem', '-out', 'certificate.pem'],
    );
    openssl(
      ...['pkcs12', '-export', '-inkey', 'key.pem', '-in', 'certificate.pem', '-out', 'desk.p12'],
      ...['-passout', 'pass:right'],
    );
    writeFileSync(at('password'), 'right\n');
    const settings = { SIGNING_P12: at('desk.p12'), SIGNING_P12_PASSWORD_FILE: at('password') };
    const sign = (await openPdfSigner(readConfig(settings)))!;
    const pdf = await drawn();
    const signed = await sign(pdf, AT);
    expect(signed.subarray(0, pdf.length).equals(pdf)).toBe(true);
    const check = (bytes: Buffer) => {
      writeFileSync(at('signed.pdf'), bytes);
      return String(spawnSync('pdfsig', ['-nocert', at('signed.pdf')]).stdout);
    };
    const said = check(signed);
    expect(said).toContain('Signature Validation: Signature is Valid.');
    expect(said).toContain('Desk of evidence');
    expect(said).toContain('Total document signed');
    const changed = Buffer.from(signed);
    changed[changed.indexOf('/Title') + 9]! ^= 1;
    expect(check(changed)).toContain('Digest Mismatch');

    writeFileSync(at('password'), 'wrong');
    await expect(openPdfSigner(readConfig(settings))).rejects.toThrow(
      'SIGNING_P12_PASSWORD_FILE: its password does not open SIGNING_P12',
    );
    writeFileSync(at('desk.p12'), 'nothing');
    await expect(openPdfSigner(readConfig(settings))).rejects.toThrow('SIGNING_P12: no PKCS #12 file');
    const lost = { ...settings, SIGNING_P12_PASSWORD_FILE: at('lost') };
    await expect(openPdfSigner(readConfig(lost))).rejects.toThrow('SIGNING_P12_PASSWORD_FILE: cannot read the file');
  });

  it('are not signed without a certificate', async () => {
    expect(await openPdfSigner(readConfig({}))).toBeNull();
  });
});
