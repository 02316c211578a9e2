import { z } from 'zod';
import { canonicalAddress } from '../../../domain/address/address.ts';
import { CASE_PRIORITIES, CASE_ROLES, CASE_STATUSES, DISPOSITIONS, NOTE_TYPES } from '../../../domain/case.ts';
import { CHAINS } from '../../../domain/chain.ts';
import { SceneSchema } from '../../../domain/scene/scene.ts';
import { isVisible, LINES, ONE_LINE } from '../../../domain/text/visible.ts';
import { DAY_MS } from '../../../domain/time.ts';

/** Bounds of an archive, on both sides: what is written can be read elsewhere. */
export const ARCHIVE_LIMITS = {
  packedMib: 8,
  unpackedMib: 32,
  /** How much larger it may become, beyond the first MiB. */
  ratio: 250,
  /** Most characters of one line of a file. */
  line: 4 * 2 ** 20,
  /** Most transfers of one case. */
  transfers: 100_000,
} as const;

export const MANIFEST = 'manifest.json';
/** Every archive has these files and no other, beside the manifest. */
export const ARCHIVE_FILES = [
  'case.json',
  'addresses.jsonl',
  'notes.jsonl',
  'judgements.jsonl',
  'boards.jsonl',
  'scans.jsonl',
  'transfers.csv',
] as const;
export type ArchiveFile = (typeof ARCHIVE_FILES)[number];

const FORMAT = 'traceflow-case';
const VERSION = 1;
const LEVELS_MAX = 64;
const FIRST_DAY = Date.UTC(2009, 0, 1);

export const manifestSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  files: z.array(
    z.strictObject({
      name: z.enum(ARCHIVE_FILES),
      bytes: z.int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});
export type Manifest = z.infer<typeof manifestSchema>;
export const newManifest = (files: Manifest['files']): Manifest => ({ format: FORMAT, version: VERSION, files });

const lineOf = (max: number) => z.string().min(1).max(max).regex(ONE_LINE).refine(isVisible);
const textOf = (max: number) => z.string().max(max).regex(LINES);
const author = lineOf(300);
const identifier = z.string().regex(/^[\w.:-]{1,100}$/);

/** The shapes of an archive's lines; `now` is the time of the import, epoch ms. Nothing may be of the future. */
export function archiveShapes(now: number) {
  const at = z.iso
    .datetime()
    .transform((text) => Date.parse(text))
    .refine((ms) => ms >= FIRST_DAY && ms <= now + DAY_MS, 'not between 2009 and today');
  const place = z.strictObject({ chain: z.enum(CHAINS), address: z.string().max(128) });
  const isCanonical = ({ chain, address }: z.infer<typeof place>) =>
    canonicalAddress(chain, address)?.address === address;
  const of = <Shape extends z.ZodRawShape>(shape: Shape) =>
    place.extend(shape).refine((line) => isCanonical(line as z.infer<typeof place>), 'no address of the chain');
  return {
    case: z.strictObject({
      title: lineOf(200),
      description: textOf(10_000),
      status: z.enum(CASE_STATUSES),
      priority: z.enum(CASE_PRIORITIES),
      assignee: lineOf(200).nullable(),
      created_at: at,
    }),
    address: of({
      role: z.enum(CASE_ROLES),
      label: lineOf(200).nullable(),
      investigator_notes: textOf(10_000),
      hop_distance: z.int().min(0).max(100).nullable(),
      created_at: at,
    }),
    note: z.strictObject({
      content: textOf(20_000).min(1),
      note_type: z.enum(NOTE_TYPES),
      author,
      /** True for entries of the service. */
      by_service: z.boolean(),
      created_at: at,
    }),
    judgement: of({
      detector_id: identifier,
      disposition: z.enum(DISPOSITIONS),
      reason: textOf(10_000),
      evidence: z.array(z.string().max(400)).max(10_000),
      author,
      created_at: at,
    }),
    board: z.strictObject({
      title: lineOf(200),
      author,
      created_at: at,
      saved_at: at,
      scene: SceneSchema,
    }),
    scan: of({
      created_at: at,
      risk_level: z.enum(['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'UNKNOWN']),
      risk_score: z.number().min(0).max(100),
      rule_set_version: lineOf(100),
      result: z.record(z.string(), z.unknown()).refine(isShallow, 'too many levels'),
    }),
  };
}

/** True for a value that can be written as JSON again: that goes level by level. */
function isShallow(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; depth < LEVELS_MAX && level.length > 0; depth++) {
    level = level.flatMap((one) => (one !== null && typeof one === 'object' ? Object.values(one) : []));
  }
  return level.length === 0;
}

type Shapes = ReturnType<typeof archiveShapes>;
export type ArchiveLine<Name extends keyof Shapes> = z.infer<Shapes[Name]>;

/** Marks who wrote something in another installation; marked once, however often it goes on. */
export function importedAuthor(name: string): string {
  return name.startsWith(IMPORTED) ? name : `${IMPORTED}${name}`;
}

const IMPORTED = 'imported: ';
