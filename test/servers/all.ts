import { startNeo4j } from './neo4j.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';
import type { Service } from './service.ts';

/** The servers that the product can use, each with what starts it. */
export const SERVICES = { neo4j: startNeo4j, postgres: startPostgres, redis: startRedis } satisfies Record<
  string,
  () => Promise<Service>
>;
export type ServiceName = keyof typeof SERVICES;
