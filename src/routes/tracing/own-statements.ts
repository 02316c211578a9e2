import { z } from 'zod';
import type { Context } from '../../context.ts';
import { ForbiddenError, InvalidInputError } from '../../errors.ts';
import type { Params } from '../../graph/port.ts';
import { callerOf } from '../../http/access.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { runOwnStatement } from '../../questions/own-statement.ts';

const STATEMENT_LENGTH_MAX = 20_000;
const PARAMS_DEPTH_MAX = 20;

const EXAMPLE = { columns: ['category'], rows: [['theft']], truncated: false, ms: 4 };

export const OwnAnswerSchema = z
  .object({
    columns: z.array(z.string()).describe('Names of the columns'),
    rows: z.array(z.array(z.unknown())).describe('A value for each column'),
    truncated: z.boolean().describe('True where a bound left rows out'),
    ms: z.int().describe('How long it took'),
  })
  .meta({
    id: 'OwnStatementAnswer',
    description: 'Nodes are labels and properties, relationships type and properties',
  });

export async function ownStatementRoutes(api: App, ctx: Context): Promise<void> {
  api.post(
    '/graph/query',
    {
      config: { turn: 'waits', access: 'key', rights: ['read'], feature: 'ownStatements' },
      schema: {
        operationId: 'runOwnStatement',
        tags: ['Investigation'],
        summary: 'Read the graph by a Cypher statement of your own',
        description:
          'Where the graph is in Neo4j and the operator allows it (`GRAPH_QUERY=1`). One statement that reads, without ' +
          'procedures, functions of plug-ins and `LOAD CSV`; 10 s, 5,000 rows, 8 MiB, one at a time an account.',
        body: z.object({
          statement: z
            .string()
            .min(1)
            .max(STATEMENT_LENGTH_MAX)
            .describe('Cypher, as the model of the graph names things'),
          params: z
            .record(z.string(), z.unknown())
            .refine(
              (params) => isWithinDepth(params, PARAMS_DEPTH_MAX),
              `Nested deeper than ${PARAMS_DEPTH_MAX} levels`,
            )
            .default({})
            .describe('Values of its parameters'),
        }),
        response: {
          200: {
            description: 'The rows',
            content: { 'application/json': { schema: OwnAnswerSchema, example: EXAMPLE } },
          },
          ...refusals(
            new InvalidInputError('Own statements need Neo4j'),
            new ForbiddenError('Own statements are switched off: the operator sets GRAPH_QUERY=1'),
            500,
          ),
        },
      },
    },
    async (request) => {
      const { statement, params } = request.body;
      return runOwnStatement(ctx, callerOf(request), { statement, params: params as Params });
    },
  );
}

function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((part) => isWithinDepth(part, levels - 1));
}
