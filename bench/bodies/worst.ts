import { BODY_BYTES_MAX, JSON_MAX } from '../../src/http/body.ts';
import { ITEMS_MAX } from '../../src/http/issues.ts';

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

/** Taken of the bounds by the body around a hostile text. */
const AROUND = { bytes: 8_192, levels: 6, values: 1_000, names: 50 };

/** The size of a hostile text, as large as the guard of bodies lets through. */
interface Room {
  bytes: number;
  levels: number;
  values: number;
  names: number;
  items: number;
}

const room = (values: number, items: number): Room => ({
  bytes: BODY_BYTES_MAX - AROUND.bytes,
  levels: JSON_MAX.levels - AROUND.levels,
  values: values - AROUND.values,
  names: JSON_MAX.names - AROUND.names,
  items,
});
/** Within the bounds of every operation; within those of boards; and with lists longer than any may be. */
const ROOMS = [
  room(JSON_MAX.values, ITEMS_MAX),
  room(JSON_MAX.sceneValues, ITEMS_MAX),
  room(JSON_MAX.sceneValues, JSON_MAX.sceneValues),
];

/** JSON texts of many kinds, each about as large as the room. Of lists and objects each opening mark, comma and colon counts. */
const HOSTILE: Record<string, (room: Room) => string> = {
  'many numbers': (room) => listOf('1', room),
  'long numbers': (room) => listOf('9'.repeat(300), room),
  'one number': ({ bytes }) => '9'.repeat(bytes),
  names: ({ names }) => namesOf(names),
  'objects of names': (room) => listOf(namesOf(room.names), room),
  'too many names': ({ bytes, values }) => namesOf(Math.floor(Math.min(values / 2, bytes / 16))),
  'empty objects': (room) => listOf('{}', room),
  'empty lists': (room) => listOf('[]', room),
  'list of lists': (room) => listOf('['.repeat(room.levels) + ']'.repeat(room.levels), room),
  'objects in objects': (room) => listOf(`${'{"a":'.repeat(room.levels)}1${'}'.repeat(room.levels)}`, room),
  'lists of objects': (room) => listOf(listOf('{}', { ...room, values: room.values / 4 - 1 }), room),
  'short texts': (room) => listOf('""', room),
  'long texts': (room) => listOf(`"${'x'.repeat(room.bytes / ITEMS_MAX - 3)}"`, room),
  'a long text': ({ bytes }) => `"${'a'.repeat(bytes - 2)}"`,
  'a text of escapes': ({ bytes }) => `"${'\\u0031'.repeat(bytes / 6 - 1)}"`,
  'a text of halves': ({ bytes }) => `"${'\\ud800'.repeat(bytes / 6 - 1)}"`,
  'a text of marks': ({ bytes }) => `"${'\u0301'.repeat(bytes / 2 - 1)}"`,
  'a text of blanks': ({ bytes }) => `"${' '.repeat(bytes - 3)}x"`,
  'a text of zeros': ({ bytes }) => `"0x${'0'.repeat(bytes - 4)}"`,
};

/** As many of the item as the room has place for. */
function listOf(item: string, { bytes, values, items }: Room): string {
  const marks = 1 + item.replace(/"[^"]*"/g, '').replace(/[^[{,:]/g, '').length;
  const count = Math.floor(Math.min(items, values / marks, bytes / (item.length + 1)));
  return `[${Array(count).fill(item).join()}]`;
}

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
  const places = placesOf(schema, components.schemas);
  for (const [kind, make] of Object.entries(HOSTILE)) {
    for (const hostile of new Set(ROOMS.map(make))) {
      yield { kind: `body: ${kind}`, text: hostile };
      for (const path of places) yield { kind: `${path.join('.')}: ${kind}`, text: placed(valid, path, hostile) };
    }
  }
  for (const [path, item] of listsOf(valid)) {
    const items: string[] = [];
    for (let n = 0, bytes = 0; n < ITEMS_MAX && bytes < BODY_BYTES_MAX - AROUND.bytes; n++) {
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
