import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectedFlow } from '../../fixtures/demo/expected.ts';
import { packDemoCase } from '../../fixtures/demo/open-case.ts';
import { type Demo, startDemo, UNHURRIED } from '../../fixtures/demo/start.ts';
import { serveStories } from '../../fixtures/demo/stories-page.ts';
import { findTheft, welcome } from '../../fixtures/demo/welcome.ts';
import { roleOf } from '../../fixtures/demo/world.ts';
import { CHAINS, type Chain } from '../../src/domain/chain.ts';
import { PLAN_IDS } from '../../src/plans.ts';
import { builtCli } from '../cli/cli.ts';

interface Answer {
  risk_level?: string;
  top_counterparties?: { address: string }[];
  entity?: { size: number } | null;
}

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ PORT: '0', LOG_LEVEL: 'silent', ...UNHURRIED });
});
afterAll(() => demo.close());

async function get(path: string, key = demo.keys.enterprise) {
  const response = await fetch(path.startsWith('http') ? path : `${demo.url}/api/v1${path}`, {
    headers: { 'x-api-key': key },
  });
  return { status: response.status, json: (await response.json()) as Answer };
}
const scan = (chain: Chain, story: string, name?: string) =>
  get(`/public/scan?address=${roleOf(demo.world, chain, story, name).address}&chain=${chain}`);

describe('the demo', () => {
  it('shows one key per plan and five curl lines, each of which works as printed', async () => {
    const text = welcome(demo, { theft: await findTheft(demo), storiesUrl: 'http://127.0.0.1/' });
    for (const plan of PLAN_IDS) expect(text).toContain(`${plan.padEnd(17)}tfk_`);
    const lines = text.split('\n').filter((line) => line.startsWith('curl '));
    expect(lines).toHaveLength(5);
    const levels: unknown[] = [];
    for (const line of lines) {
      const [, key, url] = /^curl -H 'X-API-Key: (tfk_\w+)' '(http[^']+)'$/.exec(line)!;
      const { status, json } = await get(url!, key);
      expect(status, line).toBe(200);
      levels.push(json.risk_level ?? json.entity?.size);
    }
    expect(text).toMatch(/# {3}CRITICAL, score \d+: 100% of the inflow .* Night Crane/);
    // The theft and the peel chain are found by one scan each.
    expect(levels).toEqual(['CRITICAL', 'MEDIUM', 'LOW', 40, undefined]);
  });

  it('holds a case whose report and report package can be downloaded', async () => {
    await packDemoCase(demo);
    const headers = { 'x-api-key': demo.keys.enterprise };
    const url = `${demo.url}/api/v1/cases/${demo.caseId}`;
    expect(welcome(demo, { theft: '', storiesUrl: '' })).toContain(`${url}/report.pdf\n`);
    const { addresses } = (await (await fetch(url, { headers })).json()) as {
      addresses: { last_risk_level: string }[];
    };
    expect(addresses.map(({ last_risk_level }) => last_risk_level)).toEqual(['CRITICAL', 'CRITICAL']);
    const list = async () => {
      const answer = await fetch(`${url}/str-package/status`, { headers });
      return (await answer.json()) as { generations: { generation_id: string; status: string }[] };
    };
    await expect.poll(async () => (await list()).generations[0]!.status, { interval: 500 }).toBe('completed');
    const { generation_id: id } = (await list()).generations[0]!;
    const paths = [
      'report.pdf',
      ...['download', 'draft.docx', 'transactions.csv'].map((file) => `str-package/${id}/${file}`),
    ];
    for (const path of paths) {
      const answer = await fetch(`${url}/${path}`, { headers });
      expect([path, answer.status]).toEqual([path, 200]);
      expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(1_000);
    }
  });

  it('names its stories on a page whose links open addresses in the console', async () => {
    const page = await serveStories(demo);
    try {
      const answer = await fetch(page.url);
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
      const html = await answer.text();
      expect(html).toContain(`#/scan/optimism/${roleOf(demo.world, 'optimism', 'bridge_theft', 'ferry_5').address}`);
      const links = [...html.matchAll(/href="([^"]+)#\/scan\/(\w+)\/(\w+)"/g)];
      expect(links.length).toBeGreaterThan(40);
      // No address without its level.
      expect(html).not.toContain('<b></b>');
      for (const [, base, chain, address] of links) {
        expect(base).toBe(`${demo.url}/`);
        expect(demo.world.roles.some((role) => role.chain === chain && role.address === address)).toBe(true);
      }
      expect((await fetch(`${demo.url}/`)).status).toBe(200);
    } finally {
      await page.close();
    }
  });

  it('says where its data lies, so that the command line works beside it', async () => {
    const text = welcome(demo, { theft: '', storiesUrl: '' });
    const lines = [...text.matchAll(/DATA_DIR=(\S+) npx traceflow (.+)/g)];
    expect(lines.length).toBeGreaterThan(0);
    const cli = await builtCli();
    for (const [, folder, command] of lines) {
      const env = { PATH: process.env.PATH, DATA_DIR: folder };
      const { stdout } = await promisify(execFile)(process.execPath, [cli, ...command!.split(' ')], { env });
      expect(stdout).toMatch(/demo|grafeo/);
    }
  });

  it('gives each key the plan that stands beside it', async () => {
    for (const plan of PLAN_IDS) {
      expect((await get('/public/usage', demo.keys[plan])).json).toMatchObject({ plan_id: plan });
    }
  });

  it.each(CHAINS)('scans %s: the listed are critical, the saver is not, and nobody is not found', async (chain) => {
    const sanctioned = await scan(chain, 'sanctioned');
    expect(sanctioned).toMatchObject({ status: 200, json: { risk_level: 'CRITICAL', risk_score: 100 } });
    const saver = await scan(chain, 'clean_saver');
    expect(saver.status).toBe(200);
    expect(saver.json.risk_level).toBe('LOW');
    const flow = expectedFlow(demo.world, chain, roleOf(demo.world, chain, 'clean_saver').address);
    const seen = saver.json.top_counterparties!.map(({ address }) => address);
    if (chain !== 'kaia') expect(seen.toSorted()).toEqual(flow.counterparties);
    expect(await scan(chain, 'empty_unknown')).toMatchObject({
      status: 404,
      json: { detail: `Address not found on ${chain}` },
    });
  });

  it('says where the port is taken, and leaves nothing running', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    await expect(startDemo({ PORT: String(port), LOG_LEVEL: 'silent' })).rejects.toMatchObject({ code: 'EADDRINUSE' });
    other.close();
  });
});
