import neo4j, { type Driver } from 'neo4j-driver';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo } from '../../fixtures/demo/start.ts';
import { type LeasedServer, leaseServer } from '../setup/services.ts';

describe('the demo with a Neo4j', () => {
  let server: LeasedServer;
  let driver: Driver | undefined;
  beforeAll(async () => {
    server = await leaseServer('neo4j');
    if (server.missing !== null) return;
    const { NEO4J_URI: uri = '', NEO4J_USER: user = '', NEO4J_PASSWORD: password = '' } = server.settings;
    driver = neo4j.driver(uri, neo4j.auth.basic(user, password), { disableLosslessIntegers: true });
    await driver.executeQuery('MATCH (n) DETACH DELETE n');
  }, 600_000);
  afterAll(async () => {
    await driver?.close();
    server?.release();
  });

  it('fills an empty one with its stories, and leaves one alone that holds something', { timeout: 300_000 }, async ({
    skip,
  }) => {
    if (server.missing !== null || !driver) return skip(server.missing ?? '');
    const settings = { ...server.settings, PORT: '0', LOG_LEVEL: 'silent' };
    const demo = await startDemo(settings);
    const { records } = await driver.executeQuery(
      "MATCH (a:Scanned {chain: 'ethereum'}) RETURN count(a) AS scanned, sum(COUNT { (a)--() }) AS edges",
    );
    const roles = demo.world.roles.filter(({ chain }) => chain === 'ethereum').map(({ address }) => address);
    await demo.close();
    expect(records[0]?.get('scanned')).toBeGreaterThan(0.8 * new Set(roles).size);
    expect(records[0]?.get('edges')).toBeGreaterThan(roles.length);
    await expect(startDemo(settings)).rejects.toThrow(/holds \d+ addresses/);
  });
});
