import { z } from 'zod';
import {
  CASE_PRIORITIES,
  CASE_ROLES,
  CASE_STATUSES,
  CaseEventSchema,
  DISPOSITIONS,
  NOTE_TYPES,
} from '../../domain/case.ts';
import { CHAINS } from '../../domain/chain.ts';
import { address, CategorySchema, timestamp } from '../../domain/fields.ts';
import { SharesSchema } from '../../domain/tracing/answers.ts';
import { RiskLevelSchema } from '../../risk/fields.ts';
import { deleted, limit, next, offset, total } from '../fields.ts';

/** Characters of a longer text, and of a name, that a case holds. */
export const TEXT_MAX = 10_000;
export const LABEL_MAX = 200;

export const CaseSchema = z
  .object({
    id: z.guid().describe('Id of the case'),
    title: z.string().describe('What it is about, in a few words'),
    description: z.string().describe('What it is about; empty without any'),
    status: z.enum(CASE_STATUSES).describe('Status of the work; any status may follow any other'),
    priority: z.enum(CASE_PRIORITIES).describe('How urgent it is'),
    assignee: z.string().nullable().describe('Who works on it; null: nobody'),
    legal_hold: z.boolean().describe('True where nothing of it is deleted, nor the scans of its addresses'),
    created_at: timestamp.describe('When it was opened'),
    updated_at: timestamp.describe('When it last changed'),
    address_count: z.int().describe('Addresses that it holds'),
  })
  .meta({ id: 'Case', description: 'Addresses under investigation, with their timeline' });

export const CaseAddressSchema = z
  .object({
    id: z.guid().describe('Id of the address within the case'),
    case_id: z.guid().describe('The case'),
    chain: z.enum(CHAINS),
    address,
    role: z.enum(CASE_ROLES).describe('Its part in the case'),
    label: z.string().nullable().describe('Your own name for it; null without one'),
    investigator_notes: z.string().describe('Your own notes; empty without any'),
    hop_distance: z
      .int()
      .nullable()
      .describe(
        'Transfers between a subject and this address, as you state it or the graph shows it; 0: a subject; null: unknown',
      ),
    last_scan_id: z.guid().nullable().describe('Your newest scan of it; null without one'),
    last_risk_level: RiskLevelSchema.nullable().describe(
      'Level of that scan, with the labels and rules of now; null without one',
    ),
    last_scanned_at: timestamp.nullable().describe('When that scan was made; null without one'),
    labels_changed_since: timestamp.optional().meta({
      description:
        'Time of that scan, where labels or rules changed since and it was not scored again: the level is never LOW then. Else left out',
    }),
  })
  .meta({ id: 'CaseAddress', description: 'The `last_` fields are those of your newest scan of the address' });

const CaseAddressInCaseSchema = CaseAddressSchema.extend({
  last_attributed: SharesSchema.nullable().meta({
    description: 'Part of the money whose end your newest scan knows, 0-1: the basis of a low level',
  }),
  labels: z
    .array(
      z.object({
        label: z.string().describe('The name'),
        category: CategorySchema,
        source: z.string().describe('Who says so: the list; `own:…` for your account'),
      }),
    )
    .describe('What lists and your own labels say of it now, the surest first; 10 at most'),
}).meta({ id: 'CaseAddressInCase', description: 'An address of a case, with the basis of your newest scan' });

export const CaseNoteSchema = z
  .object({
    id: z.guid().describe('Id of the note'),
    case_id: z.guid().describe('The case'),
    content: z.string().describe('The text'),
    note_type: z.enum(NOTE_TYPES).describe('Kind of entry'),
    author: z.string().meta({
      description:
        'Name of the key or person that wrote it or did what the event says; `system` for events that earlier versions noted',
    }),
    created_at: timestamp.describe('When it was written'),
    event: CaseEventSchema.optional().describe('The text as data; left out of what an analyst wrote'),
  })
  .meta({ id: 'CaseNote', description: 'One entry of the timeline' });

export const CaseDispositionSchema = z
  .object({
    address_id: z.guid().describe('Id of the address within the case'),
    detector_id: z.string().describe('The detection that was judged'),
    disposition: z.enum(DISPOSITIONS).describe('The judgement'),
    reason: z.string().describe('Why'),
    author: z.string().describe('Name of the key that judged'),
    created_at: timestamp.describe('When it was judged'),
    in_force: z
      .boolean()
      .meta({ description: 'False once a newer scan shows evidence that was not judged, and where it is imported' }),
    imported: z
      .boolean()
      .describe('Another installation judged: no report rests on it until an analyst of your account judges'),
  })
  .meta({ id: 'CaseDisposition', description: "An analyst's judgement of one detection; it changes no score" });

const ListedCaseSchema = CaseSchema.omit({ description: true })
  .extend({ summary: z.string().describe('The first 200 characters of its description') })
  .meta({ id: 'ListedCase', description: 'A case without its description, which `GET /cases/{case_id}` has' });

export const CaseListSchema = z
  .object({
    cases: z.array(ListedCaseSchema).describe('Newest first'),
    count: z.int().describe('Length of `cases`'),
    total,
    limit,
    offset,
    next,
  })
  .meta({ id: 'CaseList' });
export const CaseDetailSchema = z
  .object({
    case: CaseSchema,
    addresses: z.array(CaseAddressInCaseSchema).describe('The newest 500, in the order in which they were added'),
    addresses_total: z.int().describe('Addresses that the case holds'),
    addresses_next: z.int().nullable().describe('`offset` at which `/addresses` goes on; null where all are here'),
    notes: z.array(CaseNoteSchema).describe('The newest 200 entries of the timeline, oldest first'),
    notes_total: z.int().describe('Entries of the timeline'),
    notes_next: z.int().nullable().describe('`offset` at which `/notes` goes on; null where all are here'),
    dispositions: z.array(CaseDispositionSchema).describe('One for each detection of these addresses that was judged'),
  })
  .meta({ id: 'CaseDetail' });

export const CaseAddressListSchema = z
  .object({
    addresses: z.array(CaseAddressInCaseSchema).describe('Newest first'),
    dispositions: z.array(CaseDispositionSchema).describe('One for each detection of these addresses that was judged'),
    total,
    limit,
    offset,
    next,
  })
  .meta({ id: 'CaseAddressList' });

export const CaseNoteListSchema = z
  .object({ notes: z.array(CaseNoteSchema).describe('Newest first'), total, limit, offset, next })
  .meta({ id: 'CaseNoteList' });

export const DeletedSchema = z.object({ deleted, id: z.guid().describe('What was deleted') }).meta({ id: 'Deleted' });
