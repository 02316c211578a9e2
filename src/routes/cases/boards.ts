import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import type { Scene } from '../../domain/scene/scene.ts';
import {
  HeldError,
  LimitError,
  PlanLimitError,
  PreconditionError,
  PreconditionRequiredError,
  ShapeError,
} from '../../errors.ts';
import { EXPORT_FORMS, exportName } from '../../exports/forms.ts';
import { boardGraphml } from '../../exports/graphml.ts';
import { boardCanvas } from '../../exports/json-canvas.ts';
import { tenantOf } from '../../http/auth.ts';
import { JSON_MAX } from '../../http/body.ts';
import { refusals } from '../../http/refusals.ts';
import type { App } from '../../http/typed-app.ts';
import * as boards from '../../questions/manage-boards.ts';
import { fileAnswer, sendFile } from '../file-answer.ts';
import * as schemas from './board-schemas.ts';
import { DeletedSchema } from './case-schemas.ts';

const OneBoard = z.object({ board: schemas.BoardSchema });
const tags = ['Boards'];
/** A scene of 1 MiB with its title, written with escapes that its own JSON needs not. */
const BODY_BYTES = 1.25 * 2 ** 20;
const full = new LimitError('50 MiB of boards');
const withoutVersion = () =>
  new PreconditionRequiredError('Send If-Match with the version of the board that you changed');
const conditions = [
  new PreconditionError('The board is at version 3 now: load it, or keep yours as another board'),
  withoutVersion(),
];

const FORMS = [
  { form: EXPORT_FORMS.graphml, write: boardGraphml },
  { form: EXPORT_FORMS.canvas, write: (_title: string, scene: Scene) => boardCanvas(scene) },
];

export async function boardRoutes(app: App, ctx: Context): Promise<void> {
  app.get(
    '/boards',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listBoards',
        summary: 'Your boards, the last saved first',
        tags,
        querystring: schemas.BoardListQuery,
        response: { 200: schemas.BoardListSchema },
      },
    },
    async (request) => {
      const { case_id: caseId, limit, offset } = request.query;
      return boards.listBoards(ctx, tenantOf(request), { caseId, limit, offset });
    },
  );

  app.post(
    '/boards',
    {
      bodyLimit: BODY_BYTES,
      config: { access: 'key', rights: ['cases'], idempotent: true, values: JSON_MAX.sceneValues },
      schema: {
        operationId: 'createBoard',
        summary: 'Save a picture as a new board',
        description:
          'What `GET /boards/{id}` answers as `board` can be sent: that makes a copy, also on another service.',
        tags,
        body: schemas.NewBoard,
        response: { 200: OneBoard, ...refusals(new PlanLimitError('Board limit reached (200 boards)'), 404) },
      },
    },
    async (request) => {
      const { title, case_id: caseId, scene } = request.body;
      return boards.createBoard(ctx, tenantOf(request), { title, caseId, scene });
    },
  );

  app.get(
    '/boards/:board_id',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getBoard',
        summary: 'One board with its scene',
        tags,
        params: schemas.BoardParams,
        response: { 200: z.object({ board: schemas.BoardWithSceneSchema }), ...refusals(404) },
      },
    },
    async (request, reply) => {
      const { board, scene } = await boards.getBoard(ctx, tenantOf(request), request.params.board_id);
      reply.header('ETag', `"${board.version}"`);
      return sendStored(reply, { board }, scene);
    },
  );

  app.put(
    '/boards/:board_id',
    {
      bodyLimit: BODY_BYTES,
      config: { access: 'key', rights: ['cases'], values: JSON_MAX.sceneValues },
      schema: {
        operationId: 'saveBoard',
        summary: 'Save a board as its next version',
        description:
          'Nothing is overwritten: where the board has a newer version than `If-Match` names, the answer is 412 with that ' +
          '`version`, `saved_at` and `saved_by`. The last 50 versions are kept, 50 MiB compressed of an account together; ' +
          'the oldest of the author with most of them go first, none while its case is on hold. Without `scene` ' +
          'no version is added: the newest gets the number.',
        tags,
        params: schemas.BoardParams,
        headers: schemas.VersionHeader,
        body: schemas.BoardUpdate,
        response: { 200: OneBoard, ...refusals(400, full, 404, new HeldError(), ...conditions) },
      },
    },
    async (request) => {
      const known = { id: request.params.board_id, version: versionOf(request) };
      const { title, case_id: caseId, scene } = request.body;
      return { board: await boards.saveBoard(ctx, tenantOf(request), known, { title, caseId, scene }) };
    },
  );

  app.delete(
    '/boards/:board_id',
    {
      config: { access: 'key', rights: ['cases'] },
      schema: {
        operationId: 'deleteBoard',
        summary: 'Delete a board with all its versions',
        tags,
        params: schemas.BoardParams,
        headers: schemas.VersionHeader,
        response: { 200: DeletedSchema, ...refusals(404, new HeldError(), ...conditions) },
      },
    },
    async (request) => {
      const known = { id: request.params.board_id, version: versionOf(request) };
      await boards.deleteBoard(ctx, tenantOf(request), known);
      return { deleted: true as const, id: known.id };
    },
  );

  for (const { form, write } of FORMS) {
    const { path, type, operationId, summary } = form;
    app.get(
      path,
      {
        config: { access: 'key', rights: ['read'] },
        schema: {
          operationId,
          summary,
          tags,
          params: schemas.BoardParams,
          response: { 200: fileAnswer(type), ...refusals(404) },
        },
      },
      async (request, reply) => {
        const { board, scene } = await boards.getBoard(ctx, tenantOf(request), request.params.board_id);
        const content = write(board.title, JSON.parse(scene.toString()) as Scene);
        return sendFile(reply, { name: exportName(form, board.id), type, content });
      },
    );
  }

  app.get(
    '/boards/:board_id/versions',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'listBoardVersions',
        summary: 'The versions of a board that are kept, newest first',
        tags,
        params: schemas.BoardParams,
        response: { 200: schemas.BoardVersionListSchema, ...refusals(404) },
      },
    },
    async (request) => boards.listBoardVersions(ctx, tenantOf(request), request.params.board_id),
  );

  app.get(
    '/boards/:board_id/versions/:version',
    {
      config: { access: 'key', rights: ['read'] },
      schema: {
        operationId: 'getBoardVersion',
        summary: 'A board as it was',
        description: 'To go back to it, save its `scene`.',
        tags,
        params: schemas.BoardVersionParams,
        response: { 200: z.object({ version: schemas.BoardVersionWithSceneSchema }), ...refusals(404) },
      },
    },
    async (request, reply) => {
      const { board_id: id, version } = request.params;
      const { scene, ...found } = await boards.getBoardVersion(ctx, tenantOf(request), { id, version });
      return sendStored(reply, found, scene);
    },
  );
}

/** Sends a record with its scene, whose JSON goes out as it was saved. */
function sendStored(reply: FastifyReply, record: Record<string, object>, scene: Buffer): FastifyReply {
  const head = JSON.stringify(record).slice(0, -2);
  const body = Buffer.concat([Buffer.from(`${head},"scene":`), scene, Buffer.from('}}')]);
  return reply.type('application/json; charset=utf-8').send(body);
}

/** The version that `If-Match` names, as an entity tag or a bare number. Throws PreconditionRequiredError or ShapeError. */
function versionOf({ headers }: FastifyRequest): number {
  const named = headers['if-match'];
  if (named === undefined) throw withoutVersion();
  const [, digits] = /^(?:W\/)?"?(\d{1,9})"?$/.exec(named.trim()) ?? [];
  if (digits !== undefined) return Number(digits);
  const msg = 'Input should be the version of the board, as in "7"';
  throw new ShapeError([{ type: 'int_parsing', loc: ['header', 'If-Match'], msg }]);
}
