/** JSON Schema, as far as bodies use it. */
interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  additionalProperties?: Schema | boolean;
}

export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

interface Operation {
  operationId: string;
  requestBody?: { content: Record<string, { schema: Schema }> };
}

const BODY_BYTES = 2 ** 20;
const ITEMS_MAX = 5_000;
const DEPTH = 60;

/** JSON texts of many kinds, each about as large as a body may be, or as its depth or number of values may be. */
const HOSTILE: Record<string, (bytes: number) => string> = {
  'many numbers': (bytes) => `[${'1,'.repeat(Math.min(190_000, bytes / 2) - 1)}1]`,
  'long numbers': (bytes) => `[${`${'9'.repeat(300)},`.repeat(bytes / 301 - 1)}1]`,
  'one number': (bytes) => '9'.repeat(bytes - 1),
  'many names': (bytes) => `{${Array.from({ length: Math.min(60_000, bytes / 16) }, (_, n) => `"n${n}":1`).join()}}`,
  'empty objects': (bytes) => `[${'{},'.repeat(Math.min(90_000, bytes / 3) - 1)}{}]`,
  'list of lists': (bytes) =>
    `[${`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)},`.repeat(Math.min(2_900, bytes / 121) - 1)}1]`,
  'objects in objects': (bytes) =>
    `[${`${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)},`.repeat(Math.min(1_400, bytes / 362) - 1)}1]`,
  'a long text': (bytes) => `"${'a'.repeat(bytes - 2)}"`,
  'a text of escapes': (bytes) => `"${'\\u0031'.repeat(bytes / 6 - 1)}"`,
  'a text of halves': (bytes) => `"${'\\ud800'.repeat(bytes / 6 - 1)}"`,
  'a text of marks': (bytes) => `"${'\u0301'.repeat(bytes / 2 - 1)}"`,
  'a text of blanks': (bytes) => `"${' '.repeat(bytes - 3)}x"`,
  'a text of zeros': (bytes) => `"0x${'0'.repeat(bytes - 4)}"`,
  'short texts': (bytes) => `[${'"",'.repeat(Math.min(190_000, bytes / 3) - 1)}""]`,
  'names in bounds': () => namesOf(990),
  'objects of names': () => `[${Array(14).fill(namesOf(990)).join()}]`,
  'list in bounds': () => `[${'{},'.repeat(ITEMS_MAX - 1)}{}]`,
  'texts in bounds': (bytes) => `[${`"${'x'.repeat(bytes / ITEMS_MAX - 3)}",`.repeat(ITEMS_MAX - 1)}""]`,
  'numbers in bounds': () => `[${'1,'.repeat(ITEMS_MAX - 1)}1]`,
  'lists in bounds': () =>
    `[${Array(4)
      .fill(`[${'{},'.repeat(ITEMS_MAX / 2 - 1)}{}]`)
      .join()}]`,
  'lists of lists in bounds': () => `[${`${'['.repeat(DEPTH)}${']'.repeat(DEPTH)},`.repeat(440)}1]`,
};

function namesOf(count: number): string {
  return `{${Array.from({ length: count }, (_, n) => `"n${n}":1`).join()}}`;
}

/** The worst bodies of an operation: each hostile text in each place of a valid body, and each list of it at its longest. */
export function* worstBodies(
  { components }: Document,
  operation: Operation,
  valid: unknown,
): Generator<{ kind: string; text: string }> {
  const schema = operation.requestBody?.content['application/json']?.schema ?? {};
  for (const [kind, make] of Object.entries(HOSTILE)) {
    yield { kind: `body: ${kind}`, text: make(BODY_BYTES) };
    for (const path of placesOf(schema, components.schemas)) {
      yield { kind: `${path.join('.')}: ${kind}`, text: placed(valid, path, make(BODY_BYTES - 8_192)) };
    }
  }
  for (const [path, item] of listsOf(valid)) {
    const items: string[] = [];
    for (let n = 0, bytes = 0; n < ITEMS_MAX && bytes < BODY_BYTES - 8_192; n++) {
      items.push(JSON.stringify(renumbered(item, n)));
      bytes += items[n]!.length + 1;
    }
    for (const length of [100, 200, 500, 1_000, 2_000, items.length]) {
      if (length <= items.length)
        yield { kind: `${path.join('.')}: ${length} items`, text: placed(valid, path, `[${items.slice(0, length)}]`) };
    }
  }
}

type Path = (string | number)[];

/** Every place that the schema names, lists by their first item. */
function placesOf(schema: Schema, known: Record<string, Schema>, path: Path = []): Path[] {
  if (path.length > 5) return [];
  const { $ref } = schema;
  if ($ref) return placesOf(known[$ref.split('/').at(-1)!] ?? {}, known, path);
  const places = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])].flatMap((one) =>
    placesOf(one, known, path),
  );
  for (const [name, one] of Object.entries(schema.properties ?? {}))
    places.push([...path, name], ...placesOf(one, known, [...path, name]));
  if (schema.items) places.push([...path, 0], ...placesOf(schema.items, known, [...path, 0]));
  if (typeof schema.additionalProperties === 'object')
    places.push([...path, 'more'], ...placesOf(schema.additionalProperties, known, [...path, 'more']));
  return [...new Map(places.map((place) => [place.join('.'), place])).values()];
}

function listsOf(value: unknown, path: Path = []): [Path, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  const within = Object.entries(value).flatMap(([name, one]) => listsOf(one, [...path, name]));
  return Array.isArray(value) && value.length > 0 ? [[path, value[0]], ...within] : within;
}

/** Another item alike: its addresses, hashes and ids end in a number. */
function renumbered(item: unknown, n: number): unknown {
  const text = JSON.stringify(item);
  const digits = n.toString(16).padStart(6, '0');
  return JSON.parse(text.replace(/(0x[0-9a-f]{30,}|[0-9a-f]{8}-[0-9a-f-]{27})/g, (id) => id.slice(0, -6) + digits));
}

const HERE = '\u0000here';

/** The body as text, with this JSON in one place of it. */
function placed(valid: unknown, path: Path, text: string): string {
  const body = structuredClone(valid ?? {}) as never;
  if (path.length === 0) return text;
  let at = body as Record<string | number, unknown>;
  for (const [nth, step] of path.slice(0, -1).entries()) {
    if (typeof at[step] !== 'object' || at[step] === null) at[step] = typeof path[nth + 1] === 'number' ? [] : {};
    at = at[step] as Record<string | number, unknown>;
  }
  at[path.at(-1)!] = HERE;
  return JSON.stringify(body).replace(JSON.stringify(HERE), () => text);
}
