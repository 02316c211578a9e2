import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '../clients/openapi-document.ts';
import { endpointsPage } from './endpoints-page.ts';
import { recordExamples } from './record.ts';

/**
 * `npm run examples` begins here: writes the examples of the OpenAPI document, taken from the demo world, and the page of
 * its operations.
 */
await writeFile('examples/calls.json', `${JSON.stringify((await recordExamples()).examples, null, 1)}\n`);
await writeFile('docs/endpoints.md', endpointsPage(await openApiDocument()));
