import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { table } from '../table.ts';

/** What a fresh process needed to open a graph file and answer once, and its memory then. */
export interface GraphStart {
  ms: number;
  cpuMs: number;
  mib: number;
}

/** The start of the service's graph, and beside it the engine's own opening of the same file. */
export async function measureStart(path: string): Promise<{ own: GraphStart; bare: GraphStart }> {
  const adapter = new URL('../../src/graph/grafeo/grafeo.js', import.meta.url).href;
  const file = JSON.stringify(path);
  const bare = await start(
    import.meta.resolve('@grafeo-db/js'),
    `const graph = opened.default.GrafeoDB.create(${file}); await graph.executeCypher('RETURN true AS alive');`,
  );
  const own = await start(adapter, `const graph = await opened.openGrafeo({ path: ${file} }); await graph.ping();`);
  return { own, bare };
}

export function reportStart({ own, bare }: { own: GraphStart; bare: GraphStart }): void {
  const times = (figure: keyof GraphStart) => `${(own[figure] / bare[figure]).toFixed(2)} × bare`;
  const row = (name: string, { ms, cpuMs, mib }: GraphStart) => [name, `${ms} ms`, `${cpuMs} ms`, `${mib} MiB`];
  console.log();
  table(
    ['a process that opens the graph file', 'first answer', 'CPU', 'memory'],
    [row('the engine alone', bare), row('the service', own), ['', times('ms'), times('cpuMs'), times('mib')]],
  );
}

async function start(module: string, open: string): Promise<GraphStart> {
  const code = `
    const at = performance.now();
    const opened = await import(${JSON.stringify(module)});
    ${open}
    const { user, system } = process.cpuUsage();
    const mib = Math.round(process.memoryUsage().rss / 2 ** 20);
    console.log(JSON.stringify({ ms: Math.round(performance.now() - at), cpuMs: Math.round((user + system) / 1_000), mib }));
    await graph.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child, 'close');
  return JSON.parse(text) as GraphStart;
}
