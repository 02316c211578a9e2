import { SERVICES, type ServiceName } from './all.ts';
import type { Service } from './service.ts';

/** `npm run services [-- neo4j postgres redis]`: starts real servers, prints their settings, stops them on Ctrl-C. */
const asked = process.argv.slice(2) as ServiceName[];
const unknown = asked.filter((name) => !(name in SERVICES));
if (unknown.length > 0) {
  console.error(`Unknown service: ${unknown.join(', ')}. There are ${Object.keys(SERVICES).join(', ')}.`);
  process.exit(2);
}

const names = asked.length > 0 ? asked : (Object.keys(SERVICES) as ServiceName[]);
const running: Service[] = [];
const stopped = new Promise<void>((resolve) => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, resolve);
});
await Promise.all(
  names.map(async (name) => {
    const service: Service & { browserUrl?: string } = await SERVICES[name]().catch((error: Error) => {
      console.error(`Could not start ${name}: ${error.message}`);
      process.exitCode = 1;
      return { settings: {}, stop: async () => undefined };
    });
    running.push(service);
    for (const [setting, value] of Object.entries(service.settings)) console.log(`${setting}=${value}`);
    if (service.browserUrl) console.log(`# Neo4j Browser: ${service.browserUrl}`);
  }),
);
if (running.some((service) => Object.keys(service.settings).length > 0)) {
  console.log('# Ctrl-C stops what was started.');
  const alive = setInterval(() => undefined, 60_000);
  await stopped;
  clearInterval(alive);
}
await Promise.all(running.map((service) => service.stop()));
