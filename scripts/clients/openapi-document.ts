import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { openContext } from '../../src/context.ts';

/**
 * The OpenAPI document of a service with default settings, without examples: generators would repeat each of them in
 * the comments of every operation.
 */
export async function openApiDocument(): Promise<object> {
  const ctx = await openContext(readConfig({ LOG_LEVEL: 'silent' }), { inMemory: true });
  const app = await buildApp(ctx);
  try {
    await app.ready();
    return withoutExamples(app.swagger());
  } finally {
    await app.close();
    await ctx.close();
  }
}

function withoutExamples(document: object): object {
  return JSON.parse(JSON.stringify(document), (_, value) => {
    // A media type or a parameter; a property of the name `examples` stands beside no schema.
    if (typeof value !== 'object' || value === null || !('schema' in value)) return value;
    const { example, examples, ...rest } = value;
    return rest;
  });
}
