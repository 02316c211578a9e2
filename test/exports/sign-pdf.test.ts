import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { pdfParagraph } from '../../reports/pdf/blocks.ts';
import { closePdf, openPdf } from '../../reports/pdf/document.ts';
import { readConfig } from '../../src/config.ts';
import { openPdfSigner } from '../../src/exports/sign-pdf.ts';
import { listPackages } from '../../src/questions/cases/report-package/get-packages.ts';
import { openTestApp } from '../app/test-app.ts';
import { openDesk, payment, renderer } from '../questions/cases/package-desk.ts';

const missing = !process.env.CI && ['openssl', 'pdfsig'].some((name) => spawnSync(name, ['--help']).error);
const folder = mkdtempSync(join(tmpdir(), 'traceflow-sign-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string) => join(folder, name);
const AT = Date.UTC(2026, 4, 1, 12);

function openssl(...args: string[]): void {
  const { status, stderr } = spawnSync('openssl', args, { cwd: folder });
  if (status !== 0) throw new Error(String(stderr));
}

/** Writes desk.p12, whose password is right. */
function certificate(): void {
  openssl(
    ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=Desk of evidence'],
    ...['-keyout', 'key.pem', '-out', 'certificate.pem'],
  );
  openssl(
    ...['pkcs12', '-export', '-inkey', 'key.pem', '-in', 'certificate.pem', '-out', 'desk.p12'],
    ...['-passout', 'pass:right'],
  );
}

async function drawn(): Promise<Buffer> {
  const info = { title: 'Evidence', language: 'en' as const, madeAt: AT, footer: '' };
  const pdf = openPdf(info);
  pdfParagraph(pdf, 'Where the money is');
  return closePdf(pdf, info);
}

describe.skipIf(missing)('signed PDFs (need openssl and pdfsig)', () => {
  it('bear a signature that pdfsig accepts until a byte changes, behind the bytes as they were drawn', async () => {
    certificate();
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

  it('a package holds its evidence signed, and a start with a wrong password says so', async () => {
    certificate();
    writeFileSync(at('password'), 'right\n');
    const env = { SIGNING_P12: at('desk.p12'), SIGNING_P12_PASSWORD_FILE: at('password') };
    const desk = await openDesk([payment(1)], { env });
    await desk.attempt(renderer);
    const listed = (await desk.found()).files.find(({ name }) => name === 'evidence.pdf')!;
    const evidence = (await desk.bytesOf('evidence.pdf'))!;
    const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
    expect(digest(evidence)).toBe(listed.sha256);
    const end = evidence.lastIndexOf('%%EOF\n', evidence.length - 10) + '%%EOF\n'.length;
    expect(digest(evidence.subarray(0, end))).toBe(listed.unsigned_sha256);
    const [shown] = await listPackages(desk.ctx, desk.tenant, desk.caseId);
    expect(shown!.output_hash).toBe(listed.unsigned_sha256);
    writeFileSync(at('signed.pdf'), evidence);
    const said = String(spawnSync('pdfsig', ['-nocert', at('signed.pdf')]).stdout);
    expect(said).toContain('Signature Validation: Signature is Valid.');
    expect(said).toContain('Total document signed');

    writeFileSync(at('password'), 'wrong');
    await expect(openTestApp(env)).rejects.toThrow('its password does not open SIGNING_P12');
  });

  it('are not signed without a certificate', async () => {
    expect(await openPdfSigner(readConfig({}))).toBeNull();
  });
});
