import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createGuard, ForbiddenUrlError, type Guard } from '../../src/outbound/guard.ts';
import { openAnswer } from '../../src/outbound/request.ts';
import { startNameServer } from './name-server.ts';

const PUBLIC = '93.184.216.34';
const OTHER_PUBLIC = '2606:2800:220:1:248:1893:25c8:1946';

/** Listens on every address of this machine, on a port that the guard allows, and counts who comes. */
let canary: Server;
let port: number;
let visits = 0;

beforeAll(async () => {
  for (const candidate of [8443, 443, 80]) {
    canary = createServer((socket) => {
      visits += 1;
      socket.destroy();
    });
    canary.listen(candidate, '::');
    port = candidate;
    if (await Promise.race([once(canary, 'listening').then(() => true), once(canary, 'error').then(() => false)]))
      return;
  }
  throw new Error('The ports 8443, 443 and 80 are all in use');
});
afterAll(() => void canary.close());

const HOSTS = [
  ...['127.0.0.1', '127.1', '127.0.1', '127.0.0.1.', '127.255.255.254', '0.0.0.0', '0', '2130706433', '0x7f000001'],
  ...['0x7f.1', '0177.0.0.1', '017700000001', '①②⑦.⓪.⓪.①', '127。0。0。1', '%31%32%37.0.0.1', '00000177.0.0.1'],
  ...['10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '169.254.169.254', '172.16.0.1', '172.31.255.255'],
  ...['192.0.0.1', '192.0.2.1', '192.88.99.1', '192.168.0.1', '198.18.0.1', '198.19.255.255', '198.51.100.7'],
  ...['203.0.113.9', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '0xa9fea9fe', '2852039166'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[::ffff:a00:1]'],
  ...['[64:ff9b::7f00:1]', '[64:ff9b::169.254.169.254]', '[64:ff9b:1::7f00:1]', '[2002:7f00:1::]', '[::ffff:0:7f00:1]'],
  ...['[fe80::1]', '[fec0::1]', '[fc00::1]', '[fd00:ec2::254]', '[ff02::1]', '[100::1]', '[2001::1]', '[2001:db8::1]'],
  ...[
    '[3fff::1]',
    '[5f00::1]',
    '[4000::1]',
    '[1fff::1]',
    '[200::1]',
    '[::1:7f00:1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'foo.localhost',
    'printer.local',
    'metadata',
  ],
  ...['metadata.google.internal', 'instance-data', 'db.internal.', 'nas.home.arpa'],
];
const NAMES: Record<string, string[]> = {
  'private.example.com': ['10.1.2.3'],
  'loopback.example.com': ['127.0.0.1'],
  'loopback6.example.com': ['::1'],
  'mapped.example.com': ['::ffff:7f00:1'],
  'mixed.example.com': [PUBLIC, '127.0.0.1'],
  'mixed6.example.com': [PUBLIC, 'fd00::1'],
  'nowhere.example.com': [],
};
const URLS = [
  'ftp://93.184.216.34/',
  'file:///etc/passwd',
  'gopher://93.184.216.34/_',
  'javascript:alert(1)',
  'data:text/plain,x',
  'unix:/var/run/docker.sock',
  '//93.184.216.34/',
  '/api/v1/webhooks',
  'hooks.example.com',
  '',
  'https://',
  'https://[::1%25lo]/',
  'https://user@93.184.216.34/',
  'https://user:password@93.184.216.34/',
  'https://93.184.216.34:22/',
  'https://93.184.216.34:6379/',
  `https://93.184.216.34/${'x'.repeat(2_000)}`,
  `https://93.184.216.34/${'é'.repeat(500)}`,
];

/** Tries the URL as creation does and as an attempt does, which trusts no earlier check. */
async function attempts(guard: Guard, text: string): Promise<unknown[]> {
  const atCreate = (async () => guard.checkHost(guard.parse(text)))();
  const atConnection = (async () =>
    openAnswer(new URL(text), { guard, timeoutMs: 2_000, bytesMax: 100 }).then((answer) => answer.close()))();
  return (await Promise.allSettled([atCreate, atConnection])).map((end) =>
    end.status === 'rejected' ? end.reason : 'allowed',
  );
}

describe('the guard of outbound requests', () => {
  const hostile = () => HOSTS.flatMap((host) => [`http://${host}:${port}/`, `https://${host}:${port}/x?y#z`]);

  it(`refuses ${HOSTS.length} internal hosts, before and at the connection, and reaches none`, async () => {
    const guard = createGuard({ allowCidrs: [], allowHttp: true }, async () => ['127.0.0.1']);
    const before = visits;
    for (const url of hostile()) {
      for (const error of await attempts(guard, url))
        expect([url, error]).toEqual([url, expect.any(ForbiddenUrlError)]);
    }
    expect(HOSTS.length + URLS.length + Object.keys(NAMES).length).toBeGreaterThanOrEqual(60);
    expect(visits).toBe(before);
  });

  it('refuses other schemes, users, ports and what is not a URL', async () => {
    const guard = createGuard({ allowCidrs: [], allowHttp: false });
    const before = visits;
    for (const url of [...URLS, `http://${PUBLIC}/`]) expect(() => guard.parse(url), url).toThrow(ForbiddenUrlError);
    expect(visits).toBe(before);
  });

  it('refuses a name of which any address is internal', async () => {
    const guard = createGuard({ allowCidrs: [], allowHttp: true }, await startNameServer((name) => NAMES[name] ?? []));
    const before = visits;
    for (const name of Object.keys(NAMES)) {
      for (const error of await attempts(guard, `http://${name}:${port}/`)) {
        expect([name, error]).toEqual([name, expect.any(ForbiddenUrlError)]);
      }
    }
    expect(visits).toBe(before);
  });

  it('refuses a name that does not exist and an internal one with one text', async () => {
    const resolve = await startNameServer((name) => (name.startsWith('internal') ? ['10.0.0.1'] : []));
    const guard = createGuard({ allowCidrs: [], allowHttp: false }, resolve);
    for (const name of ['internal', 'missing']) {
      const check = guard.checkHost(new URL(`https://${name}.example.com/`));
      await expect(check).rejects.toThrow(new ForbiddenUrlError('its host has no public address'));
    }
  });

  it('checks a name again at each connection, so that it cannot be rebound', async () => {
    const resolve = await startNameServer((_name, times) => (times === 1 ? [PUBLIC] : ['127.0.0.1']));
    const guard = createGuard({ allowCidrs: [], allowHttp: true }, resolve);
    const url = guard.parse(`http://rebinding.example.com:${port}/`);
    await guard.checkHost(url);
    const before = visits;
    for (let i = 0; i < 3; i++) {
      const attempt = openAnswer(url, { guard, timeoutMs: 2_000, bytesMax: 100 });
      await expect(attempt).rejects.toThrow('its host has no public address');
    }
    expect(visits).toBe(before);
  });

  it('would have reached the canary without it', async () => {
    const before = visits;
    const url = new URL(`http://127.0.0.1:${port}/`);
    await expect(openAnswer(url, { timeoutMs: 2_000, bytesMax: 100 })).rejects.toThrow();
    expect(visits).toBe(before + 1);
  });

  it('passes public hosts on, by name and by address', async () => {
    const guard = createGuard(
      { allowCidrs: [], allowHttp: false },
      await startNameServer(() => [PUBLIC, OTHER_PUBLIC]),
    );
    for (const text of [
      'https://hooks.example.com/a?b=c',
      'https://HOOKS.example.com:8443/',
      `https://${PUBLIC}/`,
      `https://[${OTHER_PUBLIC}]:443/`,
    ]) {
      await guard.checkHost(guard.parse(text));
    }
    const found = await new Promise((resolve, reject) => {
      const lookup = guard.lookup(guard.parse('https://hooks.example.com/'));
      lookup('hooks.example.com', { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)));
    });
    expect(found).toEqual([
      { address: PUBLIC, family: 4 },
      { address: OTHER_PUBLIC, family: 6 },
    ]);
  });

  it('lets an operator allow networks, on any port, and follows no redirect out of them', async () => {
    const receiver = createHttpServer((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end();
    });
    receiver.listen(0, '127.0.0.2');
    await once(receiver, 'listening');
    onTestFinished(() => void receiver.close());
    const guard = createGuard({ allowCidrs: ['127.0.0.2/32', 'fd00::/8'], allowHttp: true });
    const url = guard.parse(`http://127.0.0.2:${(receiver.address() as AddressInfo).port}/`);
    await guard.checkHost(url);
    const before = visits;
    const answer = await openAnswer(url, { guard, timeoutMs: 2_000, bytesMax: 100 });
    answer.close();
    expect([answer.status, visits]).toEqual([302, before]);
    expect(guard.parse('http://[fd00::5]:9000/').port).toBe('9000');
    for (const other of ['http://127.0.0.1:9000/', 'http://[fc00::5]/']) {
      expect(() => guard.parse(other)).toThrow('its address is not public');
    }
  });
});
