import { groupBy } from '../../src/domain/group-by.ts';
import { PLAN_IDS } from '../../src/plans.ts';

interface Operation {
  tags?: string[];
  summary?: string;
  security?: Record<string, unknown>[];
  'x-cost'?: string;
  'x-rights'?: string[];
  'x-plans'?: string[];
}

const HEAD = `# Every operation

For whoever calls the API. \`npm run examples\` writes this page from the definition of the API, which a service serves at
\`/openapi.json\` and, with an example of each call, at \`/docs\`. The key goes into \`X-API-Key\`.

- **Cost**: in scans of the plan; without an entry it costs none.
- **Key**: the right that a key or person needs. \`any\`: a key of any rights; \`-\`: no key.
- **Plans**: from which on; without an entry all. The reference at \`/docs\` says what a trial has.

Outside the table: \`/\` is the console, \`POST /api/v1/mcp\` [asks for assistants](mcp.md).
`;

/** Returns docs/endpoints.md: a table of operations for each tag of the OpenAPI document. */
export function endpointsPage(document: object): string {
  const { paths } = document as { paths: Record<string, Record<string, Operation>> };
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags?.[0] ?? 'Service',
      row: `| \`${method.toUpperCase()} ${path}\` | ${operation.summary} | ${cost(operation)} | ${key(operation)} | ${plans(operation)} |`,
    })),
  );
  const tables = [...groupBy(rows, ({ tag }) => tag)].map(
    ([tag, of]) =>
      `\n## ${tag}\n\n| operation | answers | cost | key | plans |\n| --- | --- | --- | --- | --- |\n${of.map(({ row }) => row).join('\n')}\n`,
  );
  return HEAD + tables.join('');
}

function cost({ 'x-cost': scans = 'none' }: Operation): string {
  return scans === 'none' ? '' : scans.replace('one scan', '1');
}

function key({ security = [], 'x-rights': rights = [] }: Operation): string {
  if (security.length === 0) return '-';
  const isOptional = security.some((way) => Object.keys(way).length === 0);
  return `${rights.join(', ') || 'any'}${isOptional ? ', or none' : ''}`;
}

function plans({ 'x-plans': ids = [...PLAN_IDS] }: Operation): string {
  const [first] = ids;
  if (first === undefined || ids.length === PLAN_IDS.length) return '';
  return first === 'enterprise' ? first : `${first} and above`;
}
