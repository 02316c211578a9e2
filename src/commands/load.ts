import { resolve } from 'node:path';
import { SingleBar } from 'cli-progress';
import { type Command, InvalidArgumentError } from 'commander';
import { type LoadRequest, load } from '../../graph-loaders/load.ts';
import { SOURCES } from '../../graph-loaders/sources.ts';
import type { LoadReport } from '../../graph-loaders/tally.ts';
import { readConfig } from '../config.ts';
import { handOver } from '../handover.ts';
import { isJson, print } from './output.ts';
import { socketPath, withContext } from './stores.ts';

const ERRORS_SHOWN = 20;

export function addLoadCommand(program: Command): void {
  program
    .command('load')
    .description('loads labels, transfers or prices; a running server does the work where the graph is held')
    .argument('<source>', `one of ${Object.keys(SOURCES).join(', ')}`, knownSource)
    .argument('<input>', 'file, folder or http(s) URL')
    .option('--replace', 'end all that the list no longer holds, however much it is', false)
    .action(async (source: string, input: string, options: { replace: boolean }, command: Command) => {
      const request = { source, input: /^https?:\/\//i.test(input) ? input : resolve(input), replace: options.replace };
      print(command, await run(request, !isJson(command)), asText);
    });
}

async function run(request: LoadRequest, mayShowProgress: boolean): Promise<LoadReport> {
  const config = readConfig();
  const bar = mayShowProgress && process.stderr.isTTY ? startBar(request.source) : null;
  const onProgress = (rows: number) => bar?.update(rows);
  try {
    return (
      (await handOver(socketPath(config), { kind: 'load', ...request }, onProgress)) ??
      (await withContext(config, (ctx) => load(request, ctx, { onProgress })))
    );
  } finally {
    bar?.stop();
  }
}

/** How many rows are to come is not known: the bar counts. */
function startBar(source: string): SingleBar {
  const bar = new SingleBar({
    format: `${source} {value} rows in {duration_formatted}`,
    clearOnComplete: true,
    hideCursor: true,
    stream: process.stderr,
  });
  bar.start(Number.MAX_SAFE_INTEGER, 0);
  return bar;
}

function asText({ source, read, loaded, skipped, errors }: LoadReport): string {
  const lines = errors
    .slice(0, ERRORS_SHOWN)
    .map(({ line, reason }) => `  ${line > 0 ? `line ${line}: ` : ''}${reason}`);
  if (errors.length > ERRORS_SHOWN) lines.push(`  … and ${errors.length - ERRORS_SHOWN} more (--json lists them)`);
  return [`${source}: ${read} read, ${loaded} loaded, ${skipped} skipped`, ...lines].join('\n');
}

function knownSource(value: string): string {
  if (!Object.hasOwn(SOURCES, value)) {
    throw new InvalidArgumentError(`Unknown source. One of ${Object.keys(SOURCES).join(', ')}.`);
  }
  return value;
}
