import { z } from 'zod';
import type { Context } from '../../context.ts';
import { CASE_ROLES, NOTE_TYPES } from '../../domain/case.ts';
import { CHAINS } from '../../domain/chain.ts';
import { ForbiddenError, HeldError, LimitError } from '../../errors.ts';
import { tenantOf } from '../../http/auth.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import { answerCaseAddress, removeCaseAddress, updateCaseAddress } from '../../questions/cases/case-addresses.ts';
import { listAddressesOfCase, listNotesOfCase } from '../../questions/cases/case-contents.ts';
import { addNote, deleteNote } from '../../questions/cases/case-notes.ts';
import { addressRecords } from '../../questions/cases/case-records.ts';
import { answerWithin } from '../../records/accounts/idempotency-keys.ts';
import { givenAddress, pageLimit, pageOffset } from '../fields.ts';
import { CaseParams, choice, longText, shortText, uuid } from '../schemas.ts';
import {
  CaseAddressListSchema,
  CaseAddressSchema,
  CaseNoteListSchema,
  CaseNoteSchema,
  DeletedSchema,
  LABEL_MAX,
  TEXT_MAX,
} from './case-schemas.ts';

const HOPS_MAX = 100;
const CasePageQuery = z.object({ limit: pageLimit({ max: 200, fallback: 50 }), offset: pageOffset() });
const CaseAddressParams = CaseParams.extend({ address_id: uuid.describe('Id of the address within the case') });
const CaseNoteParams = CaseParams.extend({ note_id: uuid.describe('Id of the note') });
const addressFields = {
  role: choice(CASE_ROLES, 'Its part in the case; `subject` for a new address').optional(),
  label: shortText(LABEL_MAX).nullable().optional().describe('Your own name for it; null takes it away'),
  investigator_notes: longText(TEXT_MAX).nullable().optional().describe('Your own notes; null empties them'),
  hop_distance: z
    .int()
    .min(0)
    .max(HOPS_MAX)
    .nullable()
    .optional()
    .describe('Transfers between a subject and this address; null, or left out for a new one: as the graph shows it'),
};

const NewCaseAddressBody = z.object({
  address: givenAddress,
  chain: choice(CHAINS, 'Left out: detected from the address').optional(),
  ...addressFields,
});
const CaseAddressUpdate = z.object(addressFields);
const NewCaseNote = z.object({
  content: longText(TEXT_MAX).min(1).describe('The text'),
  note_type: choice(NOTE_TYPES, 'Kind of entry; left out: `comment`').optional(),
});

const OneAddress = z.object({ address: CaseAddressSchema });
const OneNote = z.object({ note: CaseNoteSchema });

const tags = ['Cases'];

/** Addresses and notes of a case. */
export async function caseContentRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/cases/:case_id/addresses',
    {
      config: { views: 'case', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listCaseAddresses',
        summary: 'Addresses of a case with their judgements, newest first',
        tags,
        params: CaseParams,
        querystring: CasePageQuery,
        response: { 200: CaseAddressListSchema, ...refusals(404) },
      },
    },
    async (request) => listAddressesOfCase(ctx, tenantOf(request), request.params.case_id, request.query),
  );

  app.get(
    '/cases/:case_id/notes',
    {
      config: { views: 'case', access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listCaseNotes',
        summary: 'The timeline of a case, newest first',
        tags,
        params: CaseParams,
        querystring: CasePageQuery,
        response: { 200: CaseNoteListSchema, ...refusals(404) },
      },
    },
    async (request) => listNotesOfCase(ctx, tenantOf(request), request.params.case_id, request.query),
  );

  app.post(
    '/cases/:case_id/addresses',
    {
      config: {
        access: 'key',
        rights: ['cases'],
        idempotent: true,
      },
      schema: {
        operationId: 'addCaseAddress',
        summary: 'Add an address to a case',
        tags,
        params: CaseParams,
        body: NewCaseAddressBody,
        response: { 200: OneAddress, ...refusals(400, new LimitError('2000 addresses in a case'), 404, 409) },
      },
    },
    async (request) => answerCaseAddress(ctx, tenantOf(request), request.params.case_id, request.body),
  );

  app.patch(
    '/cases/:case_id/addresses/:address_id',
    {
      config: { access: 'key', rights: ['cases'] },
      schema: {
        operationId: 'updateCaseAddress',
        summary: 'Change role, label or notes of an address',
        tags,
        params: CaseAddressParams,
        body: CaseAddressUpdate,
        response: { 200: OneAddress, ...refusals(400, new LimitError('5 MiB of notes in a case'), 404) },
      },
    },
    async (request) => {
      const { case_id: caseId, address_id: addressId } = request.params;
      const tenant = tenantOf(request);
      const updated = await updateCaseAddress(ctx, tenant, { caseId, addressId }, request.body);
      const [address] = await addressRecords(ctx, tenant.accountId, [updated]);
      return { address: address! };
    },
  );

  app.delete(
    '/cases/:case_id/addresses/:address_id',
    {
      config: { access: 'key', rights: ['cases'] },
      schema: {
        operationId: 'removeCaseAddress',
        summary: 'Take an address out of a case',
        tags,
        params: CaseAddressParams,
        response: { 200: DeletedSchema, ...refusals(404, new HeldError()) },
      },
    },
    async (request) => {
      const { case_id: caseId, address_id: addressId } = request.params;
      await removeCaseAddress(ctx, tenantOf(request), { caseId, addressId });
      return { deleted: true as const, id: addressId };
    },
  );

  app.post(
    '/cases/:case_id/notes',
    {
      config: {
        access: 'key',
        rights: ['cases'],
        idempotent: true,
      },
      schema: {
        operationId: 'addCaseNote',
        summary: 'Write into the timeline of a case',
        tags,
        params: CaseParams,
        body: NewCaseNote,
        response: { 200: OneNote, ...refusals(400, new LimitError('2000 notes in a case'), 404) },
      },
    },
    async (request) => {
      const tenant = tenantOf(request);
      return answerWithin(ctx.records, tenant, async (records) => ({
        note: await addNote({ ...ctx, records }, tenant, request.params.case_id, request.body),
      }));
    },
  );

  app.delete(
    '/cases/:case_id/notes/:note_id',
    {
      config: { access: 'key', rights: ['cases'] },
      schema: {
        operationId: 'deleteCaseNote',
        summary: 'Delete a note',
        description:
          'Its text goes; who deleted it stays in the timeline. What the service wrote by itself stays: 403 `System entries ' +
          'cannot be deleted`.',
        tags,
        params: CaseNoteParams,
        response: {
          200: DeletedSchema,
          ...refusals(new ForbiddenError('System entries cannot be deleted'), 404, new HeldError()),
        },
      },
    },
    async (request) => {
      const { case_id: caseId, note_id: noteId } = request.params;
      await deleteNote(ctx, tenantOf(request), { caseId, noteId });
      return { deleted: true as const, id: noteId };
    },
  );
}
