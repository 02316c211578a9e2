import { type Config, ConfigError } from '../config.ts';

/** True where any number of processes can serve and work: graph, queue and limits lie outside of the process. */
export function isShared(config: Config): boolean {
  return config.NEO4J_URI !== undefined && config.REDIS_URL !== undefined;
}

/** Throws ConfigError with the reason where a worker cannot stand beside a server. */
export function refuseLoneWorker(config: Config): void {
  const problems: string[] = [];
  if (!config.REDIS_URL) {
    problems.push('REDIS_URL: work takes its jobs from Redis; without it, serve does the jobs itself');
  }
  if (!config.NEO4J_URI) {
    problems.push('NEO4J_URI: work needs Neo4j; one process alone can hold the Grafeo file in DATA_DIR: serve');
  }
  if (problems.length > 0) throw new ConfigError(problems);
}
