import { z } from 'zod';
import { CASE_PRIORITIES, CASE_ROLES, CASE_STATUSES, DISPOSITIONS, NOTE_TYPES } from '../../domain/case.ts';
import { CHAINS } from '../../domain/chain.ts';
import { RiskLevel } from '../scans/scan-schemas.ts';
import { longText, shortText, timestamp, uuid } from '../schemas.ts';

const TITLE_MAX = 200;
const TEXT_MAX = 10_000;
const LABEL_MAX = 200;
const HOPS_MAX = 100;

/** A value of a closed list whose refusal has a text of its own (400), so any text has the right shape. */
const choice = (values: readonly string[]) =>
  z
    .string()
    .max(100)
    .meta({ enum: [...values] });

export const Case = z
  .object({
    id: z.guid(),
    title: z.string(),
    description: z.string(),
    status: z.enum(CASE_STATUSES),
    priority: z.enum(CASE_PRIORITIES),
    assignee: z.string().nullable(),
    created_at: timestamp,
    updated_at: timestamp,
    address_count: z.int(),
  })
  .meta({ id: 'Case' });

export const CaseAddress = z
  .object({
    id: z.guid(),
    case_id: z.guid(),
    chain: z.enum(CHAINS),
    address: z.string(),
    role: z.enum(CASE_ROLES),
    label: z.string().nullable(),
    investigator_notes: z.string(),
    hop_distance: z.int(),
    last_scan_id: z.guid().nullable(),
    last_risk_level: RiskLevel.nullable(),
    last_scanned_at: timestamp.nullable(),
  })
  .meta({ id: 'CaseAddress', description: 'The `last_` fields speak of your newest scan of the address' });

const share = z.number().nullable();

export const CaseAddressInCase = CaseAddress.extend({
  last_attributed: z.object({ received: share, sent: share }).nullable().meta({
    description: 'Part of the money whose end your newest scan knows, 0-1: what a low level rests on',
  }),
}).meta({ id: 'CaseAddressInCase' });

export const CaseNote = z
  .object({
    id: z.guid(),
    case_id: z.guid(),
    content: z.string(),
    note_type: z.enum(NOTE_TYPES),
    author: z.string().meta({ description: 'Name of the key that wrote it; `system` for what the service noted' }),
    created_at: timestamp,
  })
  .meta({ id: 'CaseNote' });

export const CaseDisposition = z
  .object({
    address_id: z.guid(),
    detector_id: z.string(),
    disposition: z.enum(DISPOSITIONS),
    reason: z.string(),
    author: z.string(),
    created_at: timestamp,
    in_force: z.boolean().meta({ description: 'False once a newer scan shows evidence that was not judged' }),
  })
  .meta({ id: 'CaseDisposition' });

export const CaseParams = z.object({ case_id: uuid });
export const CaseAddressParams = CaseParams.extend({ address_id: uuid });
export const CaseNoteParams = CaseParams.extend({ note_id: uuid });

export const CaseListQuery = (limit: z.ZodType<number>) =>
  z.object({ status: z.enum(CASE_STATUSES).optional(), limit });

const caseFields = {
  title: shortText(TITLE_MAX),
  description: longText(TEXT_MAX).nullable().optional(),
  status: choice(CASE_STATUSES).optional(),
  priority: choice(CASE_PRIORITIES).optional(),
  assignee: shortText(LABEL_MAX).nullable().optional(),
};
export const NewCase = z.object(caseFields);
export const CaseUpdate = NewCase.partial();

const addressFields = {
  role: choice(CASE_ROLES).optional(),
  label: shortText(LABEL_MAX).nullable().optional(),
  investigator_notes: longText(TEXT_MAX).nullable().optional(),
  hop_distance: z.int().min(0).max(HOPS_MAX).optional(),
};
export const NewCaseAddress = z.object({
  address: z.string(),
  chain: choice(CHAINS).optional().meta({ description: 'Left out: detected from the address' }),
  ...addressFields,
});
export const CaseAddressUpdate = z.object(addressFields);

export const NewCaseNote = z.object({
  content: longText(TEXT_MAX).min(1),
  note_type: choice(NOTE_TYPES).optional(),
});

export const NewDisposition = z.object({
  address_id: uuid,
  detector_id: shortText(100),
  disposition: z.enum(DISPOSITIONS),
  reason: longText(TEXT_MAX).min(1),
});

export const Deleted = z.object({ deleted: z.literal(true), id: z.guid() }).meta({ id: 'Deleted' });
