import { type Command, Option } from 'commander';
import { readConfig } from '../../config.ts';
import type { Direction } from '../../domain/tracing/flow-portion.ts';
import { browserText } from '../../graph/browser-text.ts';
import { statementText } from '../../graph/statements.ts';
import { FOLLOW_HOPS } from '../../questions/monitoring/walk-outward.ts';
import { FUNDS_HOPS } from '../../tracing/answers/funds/funds-of.ts';
import { EXPOSURE_HOPS } from '../../tracing/answers/get-exposure.ts';
import { TERMINAL_HOPS } from '../../tracing/answers/get-terminals.ts';
import { PATH_HOPS } from '../../tracing/answers/paths/find-flow-path.ts';
import type { AddressOfChain, GraphQuestion } from '../asked-cypher.ts';
import { chainAddress, countUpTo } from './arguments.ts';
import { print } from './output.ts';
import { socketPath, withContext } from './stores.ts';

export function addCypherCommands(program: Command): void {
  const cypher = program
    .command('cypher')
    .description('prints the statements by which the service answers a question, ready for Neo4j Browser');

  cypher
    .command('flow-path')
    .description('did money get from one address to another?')
    .addOption(addressOption('from'))
    .addOption(addressOption('to'))
    .addOption(hopsOption(PATH_HOPS))
    .action((pair: Pair & Hops, command: Command) =>
      printAsked(command, { question: 'flow-path', ...different(pair, command), hops: pair.hops }),
    );

  cypher
    .command('relationship')
    .description('are two addresses related?')
    .addOption(addressOption('from'))
    .addOption(addressOption('to'))
    .action((pair: Pair, command: Command) =>
      printAsked(command, { question: 'relationship', ...different(pair, command) }),
    );

  for (const [question, text, hops] of [
    ['exposure', 'from which services did the money of an address come, and to which did it go?', EXPOSURE_HOPS],
    ['terminals', 'at which services did the money of an address end?', TERMINAL_HOPS],
  ] as const) {
    cypher
      .command(question)
      .description(text)
      .addOption(addressOption('address'))
      .addOption(hopsOption(hops))
      .action((asked: One, command: Command) => printAsked(command, { question, ...asked }));
  }

  for (const [question, text, hops] of [
    ['funds', 'where is all money of an address now, or where did it come from?', FUNDS_HOPS],
    ['follow', 'what does Follow Mode find around a watched address?', FOLLOW_HOPS],
  ] as const) {
    cypher
      .command(question)
      .description(text)
      .addOption(addressOption('address'))
      .addOption(new Option('--direction <direction>').choices(['sent', 'received']).default('sent'))
      .addOption(hopsOption(hops))
      .action((asked: One & { direction: Direction }, command: Command) => printAsked(command, { question, ...asked }));
  }
}

interface Pair {
  from: AddressOfChain;
  to: AddressOfChain;
}
interface Hops {
  hops: number;
}
type One = Hops & { address: AddressOfChain };

function addressOption(name: string): Option {
  return new Option(`--${name} <chain:address>`).argParser(chainAddress).makeOptionMandatory();
}

function hopsOption({ usual, max }: { usual: number; max: number }): Option {
  return new Option('--hops <number>', `1 to ${max}`).argParser(countUpTo(max)).default(usual);
}

function different({ from, to }: Pair, command: Command): Pair {
  const isSame = from.chain === to.chain && from.address === to.address;
  return isSame ? command.error('error: --from and --to must differ') : { from, to };
}

async function printAsked(command: Command, { json: _, ...asked }: GraphQuestion & { json?: boolean }): Promise<void> {
  const { askedCypher } = await import('../asked-cypher.ts');
  const { handOver } = await import('../handover.ts');
  const config = readConfig();
  const statements =
    (await handOver(socketPath(config), { kind: 'cypher', ...asked })) ??
    (await withContext(config, (ctx) => askedCypher(ctx, asked)));
  const texts = statements.map(({ name, params }) => ({ name, params, text: statementText(name, 'neo4j') }));
  print(command, { question: asked.question, statements: texts }, () => browserText(statements));
}
