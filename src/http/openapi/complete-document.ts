import type { OpenAPIV3_1 } from 'openapi-types';
import { CHAINS } from '../../domain/chain.ts';
import { addExamples } from './examples.ts';

type Document = OpenAPIV3_1.Document;
type Node = Record<string, unknown>;

const text = (description: string) => ({ description, schema: { type: 'string' as const } });
const count = (description: string) => ({ description, schema: { type: 'integer' as const, minimum: 0 } });

const HEADERS = {
  'X-Request-Id': text('The id that you sent, or a new one; name it when you report a fault'),
  'X-RateLimit-Limit': count(
    'Calls a minute that the key may make; of a refusal by the limit of all its keys, those of the account',
  ),
  'X-RateLimit-Remaining': count('Calls that are left in this minute'),
  'Retry-After': count('Seconds after which to try again; not sent where the monthly scan quota is used up'),
};

const CHAIN = { type: 'string' as const, enum: [...CHAINS], description: 'Chain identifier' };

/** The text of Fastify for an answer that its route does not describe. */
const UNDESCRIBED = 'Default Response';
const ANY_REFUSAL = {
  description: 'The request itself cannot be read',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
};

/**
 * Adds what client generators need and the schemas of the routes do not say: the headers of answers, shared schemas named
 * once, answers open to fields that are added later, examples, a refusal for every operation; without unused schemas.
 */
export function completeDocument(document: Document): Document {
  const steps = [withPortablePattern, describeOptional, nameChains];
  const { paths, components, ...rest } = rewritten(nameTwinsOnce(document), steps);
  for (const operation of operationsOf(paths)) {
    completeAnswers(operation);
    addExamples(operation);
  }
  const schemas = { ...rewritten(components?.schemas ?? {}, [openToNewFields]), Chain: CHAIN };
  return dropUnusedSchemas({ ...rest, paths, components: { ...components, schemas, headers: HEADERS } });
}

function operationsOf(paths: Document['paths']): OpenAPIV3_1.OperationObject[] {
  return Object.values(paths ?? {}).flatMap((path) => Object.values(path ?? {}) as OpenAPIV3_1.OperationObject[]);
}

function completeAnswers(operation: OpenAPIV3_1.OperationObject): void {
  const { summary = '', security = [] } = operation;
  const answers = rewritten(operation.responses ?? {}, [openToNewFields]) as Record<string, OpenAPIV3_1.ResponseObject>;
  const isRefusable = Object.keys(answers).some((status) => status.startsWith('4'));
  if (!isRefusable) answers['4XX'] = { ...ANY_REFUSAL };
  for (const [status, answer] of Object.entries(answers)) {
    if (answer.description === UNDESCRIBED) answer.description = summary;
    const names = ['X-Request-Id'];
    if (security.length > 0 && status !== '401') names.push('X-RateLimit-Limit', 'X-RateLimit-Remaining');
    if (status === '429' || status === '503') names.push('Retry-After');
    const refs = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
    answer.headers = { ...answer.headers, ...Object.fromEntries(refs) };
  }
  operation.responses = answers;
}

/** A copy in which each object is what the steps make of it. */
function rewritten<T extends object>(part: T, steps: ((node: Node) => Node)[]): T {
  return JSON.parse(JSON.stringify(part), (_, value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? steps.reduce((node, step) => step(node), value as Node)
      : value,
  );
}

/** Characters of the basic plane by their Unicode property; JSON text has no lone surrogate. */
const RANGES = {
  '\\p{Cc}': '\\u0000-\\u001f\\u007f-\\u009f',
  '\\p{Cs}': '',
  '\\p{Default_Ignorable_Code_Point}':
    '\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0\\ufff0-\\ufff8',
};

/** Unicode classes as ranges: clients check patterns with engines that know none. */
function withPortablePattern(node: Node): Node {
  if (typeof node.pattern !== 'string') return node;
  const pattern = Object.entries(RANGES).reduce((text, [name, range]) => text.replaceAll(name, range), node.pattern);
  return { ...node, pattern };
}

function openToNewFields(node: Node): Node {
  if (node.additionalProperties !== false) return node;
  const { additionalProperties, ...open } = node;
  return open;
}

/** The description of a value that may be null stands beside the choice, where generators look for it. */
function describeOptional(node: Node): Node {
  const [value, nothing, ...more] = (node.anyOf ?? []) as Node[];
  if (nothing?.type !== 'null' || more.length > 0 || node.description || !value?.description) return node;
  const { description, ...bare } = value;
  return { ...node, anyOf: [bare, nothing], description };
}

/** A schema that requests and answers share is listed as input and as output: where both are equal, once. */
function nameTwinsOnce(document: Document): Document {
  const all: Record<string, unknown> = document.components?.schemas ?? {};
  const isTwin = (name: string) => JSON.stringify(all[`${name}Input`]) === JSON.stringify(all[name]);
  const text = JSON.stringify(document).replace(/"#\/components\/schemas\/(\w+)Input"/g, (ref, name) =>
    isTwin(name) ? `"#/components/schemas/${name}"` : ref,
  );
  return JSON.parse(text);
}

function nameChains(node: Node): Node {
  const { type, enum: values, ...rest } = node;
  const isChain = Array.isArray(values) && values.join() === CHAINS.join();
  return isChain ? { $ref: '#/components/schemas/Chain', ...rest } : node;
}

/** The provider lists each named schema as input and as output; what nothing refers to is left out. */
function dropUnusedSchemas(document: Document): Document {
  const all = document.components?.schemas ?? {};
  const used = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name!)) continue;
      used.add(name!);
      visit(all[name!] ?? {});
    }
  };
  visit([document.paths, document.webhooks]);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...document, components: { ...document.components, schemas } };
}
