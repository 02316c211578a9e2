import { rename, writeFile } from 'node:fs/promises';
import type { OpenAPIV3_1 } from 'openapi-types';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';
import { compare } from '../../src/domain/compare.ts';

/** The clients are generated from it; git does not hold it. */
const FILE = 'clients/openapi.json';

type Document = Pick<OpenAPIV3_1.Document, 'components'>;

/**
 * The OpenAPI document of a service with default settings, without examples: generators would repeat each of them in
 * the comments of every operation. Schemas are sorted by name, as the order of imports would move them.
 */
export async function openApiDocument(): Promise<object> {
  const ctx = await openContext(readConfig({ LOG_LEVEL: 'silent' }), { inMemory: true });
  const app = await buildApp(ctx);
  try {
    await app.ready();
    const document = withoutExamples(app.swagger() as Document);
    const schemas = Object.entries(document.components?.schemas ?? {}).sort(([a], [b]) => compare(a, b));
    return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } };
  } finally {
    await app.close();
    await ctx.close();
  }
}

/** Writes clients/openapi.json at once, so that who reads it meanwhile gets a whole one. */
export async function writeDocument(): Promise<void> {
  const written = `${FILE}.${process.pid}`;
  await writeFile(written, `${JSON.stringify(await openApiDocument(), null, 1)}\n`);
  await rename(written, FILE);
}

function withoutExamples(document: Document): Document {
  return JSON.parse(JSON.stringify(document), (_, value) => {
    // A media type or a parameter; a property of the name `examples` stands beside no schema.
    if (typeof value !== 'object' || value === null || !('schema' in value)) return value;
    const { example, examples, ...rest } = value;
    return rest;
  });
}
