import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BaseBlock, OctetString, Sequence } from 'asn1js';
import { Attribute, SignedData, TimeStampResp } from 'pkijs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../src/domain/time.ts';
import { openPackage, unpacked } from '../../../src/proofs/check-package.ts';
import { checkTimestamp, stampRequest } from '../../../src/proofs/timestamp.ts';
import { listPackages } from '../../../src/questions/cases/report-package/get-packages.ts';
import { openZip } from '../../../src/questions/cases/report-package/package-files.ts';
import { stampPending } from '../../../src/questions/cases/report-package/stamp-package.ts';
import { runHere } from '../../cli/run-here.ts';
import { makeTimeAuthority, serveStamps, type TimeAuthority } from '../../servers/time-authority.ts';
import { openDesk, payment, renderer } from './package-desk.ts';

const missing = !process.env.CI && spawnSync('openssl', ['ts', '-help']).status !== 0;

describe.skipIf(missing)('time stamps of packages (need openssl ts)', () => {
  const folder = mkdtempSync(join(tmpdir(), 'traceflow-stamps-'));
  let authority: TimeAuthority;
  let served: Awaited<ReturnType<typeof serveStamps>>;
  let answer: (request: Buffer, response: ServerResponse) => Promise<unknown>;
  const asIs = async (request: Buffer, response: ServerResponse) => response.end(await authority.reply(request));

  beforeAll(async () => {
    authority = await makeTimeAuthority(folder);
    served = await serveStamps((request, response) => answer(request, response));
  });
  afterAll(async () => {
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const open = async (env = { TSA_URL: served.url } as Record<string, string>) => {
    const desk = await openDesk([payment(1)], { env });
    // The authority has the clock of the machine.
    desk.time.at = Date.now();
    return desk;
  };
  const stateOf = async ({ ctx, tenant, caseId }: Awaited<ReturnType<typeof open>>) =>
    (await listPackages(ctx, tenant, caseId))[0]!.timestamp;

  it('a package holds the stamp of its manifest, which traceflow verify and openssl accept', async () => {
    answer = asIs;
    const desk = await open();
    await desk.attempt(renderer);
    expect(await stateOf(desk)).toBe('stamped');
    const { names } = await desk.found();
    expect(names.slice(-2)).toEqual(['manifest.json', 'manifest.tsr']);
    const zip = (await openZip(desk.ctx, desk.generationId, names))!;
    const files = new Map(unpacked('package.zip', zip));
    writeFileSync(authority.at('manifest.json'), files.get('manifest.json')!);
    writeFileSync(authority.at('manifest.tsr'), files.get('manifest.tsr')!);
    const given = ['-data', 'manifest.json', '-in', 'manifest.tsr', '-CAfile', 'root.pem'];
    expect(await authority.openssl('ts', '-verify', ...given)).toContain('Verification: OK');

    const { stamp } = openPackage([...files]).manifest!;
    const found = await checkTimestamp(stamp.answer!, stamp.stamped);
    const printed = await authority.openssl('x509', '-in', 'current.pem', '-noout', '-fingerprint', '-sha256');
    const fingerprint = printed.trim().split('=')[1]!.replaceAll(':', '').toLowerCase();
    expect(found).toMatchObject({ fault: null, authority: 'Clock of here', certificate: fingerprint });
    writeFileSync(authority.at('package.zip'), zip);
    const said = await runHere(['verify', authority.at('package.zip')], { folder, env: {} });
    expect(said).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`stamped  manifest.json at ${found.at} by Clock`),
    });
    // Whatever byte differs: it does not hold, or shows the same.
    const whole = Buffer.from(stamp.answer!);
    for (let place = 0; place < whole.length; place += 7) {
      const changed = Buffer.from(whole);
      changed[place]! ^= 1;
      const shown = await checkTimestamp(changed, stamp.stamped);
      if (shown.fault === null) expect(shown, String(place)).toEqual(found);
    }
    files.get('manifest.json')![5]! ^= 1;
    expect(await checkTimestamp(stamp.answer!, files.get('manifest.json')!)).toMatchObject({ fault: 'other_hash' });
  });

  it('one may name its certificate in both forms, as some authorities do, and both must fit', async () => {
    const stamped = Buffer.from('a manifest');
    const reply = await authority.reply(Buffer.from(await stampRequest(stamped, Buffer.alloc(8, 1))));
    const pem = (name: string) =>
      Buffer.from(readFileSync(authority.at(name), 'latin1').replace(/-----.*/g, ''), 'base64');
    const key = await crypto.subtle.importKey(
      'pkcs8',
      pem('current.key'),
      { name: 'ECDSA', namedCurve: 'P-256' },
      false,
      ['sign'],
    );
    const alsoNaming = async (certificate: Buffer) => {
      const answer = TimeStampResp.fromBER(new Uint8Array(reply));
      const signed = new SignedData({ schema: answer.timeStampToken!.content });
      const digest = new OctetString({ valueHex: createHash('sha1').update(certificate).digest() });
      const list = (value: BaseBlock) => new Sequence({ value: [value] });
      const named = new Attribute({ type: '1.2.840.113549.1.9.16.2.12', values: [list(list(list(digest)))] });
      const signer = signed.signerInfos[0]!;
      signer.signedAttrs!.attributes.push(named);
      signer.signedAttrs!.encodedValue = new ArrayBuffer(0);
      await signed.sign(key, 0, 'SHA-256');
      answer.timeStampToken!.content = signed.toSchema(true);
      return checkTimestamp(new Uint8Array(answer.toSchema().toBER()), stamped);
    };
    expect(await alsoNaming(pem('current.pem'))).toMatchObject({ fault: null, authority: 'Clock of here' });
    expect(await alsoNaming(pem('ended.pem'))).toMatchObject({ fault: 'other_certificate' });
  });

  it('one that does not come is asked for again for a day, and holds no package back', async () => {
    let sent = 0;
    const faults: [string, typeof answer][] = [
      [
        'other_hash',
        async (_, to) =>
          to.end(await authority.reply(Buffer.from(await stampRequest(Buffer.from('other'), Buffer.alloc(8, 1))))),
      ],
      [
        'other_nonce',
        async (request, to) => {
          // The nonce is all that differs from another request for the same bytes.
          const at = request.lastIndexOf(Buffer.from([0x02, 0x09, 0x00]));
          const [start, place] = at === -1 ? [request.lastIndexOf(Buffer.from([0x02, 0x08])), 5] : [at, 6];
          request[start + place]! ^= 1;
          to.end(await authority.reply(request));
        },
      ],
      ['expired_certificate', async (request, to) => to.end(await authority.reply(request, 'ended.pem'))],
      ['malformed', async (_, to) => to.end(Buffer.alloc(5_000, 0x30))],
      [
        'malformed',
        async (_, to) => to.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><p>Welcome'),
      ],
      ['refused', async (_, to) => to.end(Buffer.from('30053003020102', 'hex'))],
      [
        'larger than 65536 bytes',
        async (_, to) => {
          const chunk = Buffer.alloc(1024 * 1024, 0x30);
          to.on('error', () => {});
          for (sent = 0; sent < 100 && !to.destroyed; sent++) await new Promise((resolve) => to.write(chunk, resolve));
          to.end();
        },
      ],
      ['HTTP 503', async (_, to) => to.writeHead(503).end()],
      ['ECONNRESET', async (_, to) => to.destroy()],
    ];
    answer = faults[0]![1];
    const desk = await open();
    await desk.attempt(renderer);
    expect(desk.logged()).toContain('does not hold: other_hash');
    for (const [reason, fault] of faults.slice(1)) {
      const before = desk.logged().length;
      answer = fault;
      await stampPending(desk.ctx);
      expect(desk.logged().slice(before)).toContain(reason);
      expect(await stateOf(desk), reason).toBe('pending');
    }
    expect(sent).toBeLessThan(100);
    const { names } = await desk.found();
    expect(names).not.toContain('manifest.tsr');
    expect(JSON.parse(String(await desk.bytesOf('manifest.json')))).toMatchObject({ timestamp: 'manifest.tsr' });

    answer = asIs;
    desk.time.at += HOUR_MS;
    await stampPending(desk.ctx);
    expect(desk.logged()).toContain('the authority of time stamps says that it is 2');
    expect(await stateOf(desk)).toBe('pending');
    desk.time.at -= HOUR_MS;
    await stampPending(desk.ctx);
    expect(await stateOf(desk)).toBe('stamped');
    const stamp = (await desk.bytesOf('manifest.tsr'))!;
    expect((await checkTimestamp(stamp, (await desk.bytesOf('manifest.json'))!)).fault).toBeNull();

    await desk.ctx.records.updateTable('report_packages').set({ stamp: 'pending' }).execute();
    desk.time.at += DAY_MS;
    await stampPending(desk.ctx);
    expect(await stateOf(desk)).toBe('failed');
  });

  it('without an authority a package says whose clock its time is', async () => {
    const desk = await open({});
    await desk.attempt(renderer);
    expect(await stateOf(desk)).toBe('none');
    expect(JSON.parse(String(await desk.bytesOf('manifest.json')))).toMatchObject({
      clock: 'own machine',
      timestamp: null,
    });
    const { names } = await desk.found();
    writeFileSync(authority.at('package.zip'), (await openZip(desk.ctx, desk.generationId, names))!);
    const said = await runHere(['verify', authority.at('package.zip')], { folder, env: {} });
    expect(said.stdout).toContain("no time stamp  the time of this package is that of its own machine's clock");
  });
});
