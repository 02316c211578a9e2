import { z } from 'zod';
import { timestamp } from '../../domain/fields.ts';
import { SCENE_BYTES_MAX, SCENE_NODES_MAX } from '../../domain/scene/bounds.ts';
import { SceneSchema } from '../../domain/scene/scene.ts';
import { limit, offset, pageLimit, pageOffset, total } from '../fields.ts';
import { shortText, uuid } from '../schemas.ts';

const TITLE_MAX = 200;

const sceneText =
  'The picture as the console draws it: `version` 1, `nodes` (`key` is `<chain>:<address>`), `flows`, `groups`, `texts`, ' +
  `\`filters\`, \`view\`; at most ${SCENE_NODES_MAX} nodes and ${SCENE_BYTES_MAX / 2 ** 20} MiB of JSON`;
const sceneField = z.record(z.string(), z.unknown()).describe(sceneText);
const scene = sceneField.pipe(SceneSchema);
const title = z.string().describe('Its name');
const nodes = z.int().describe('Nodes of the scene');
const saved = {
  saved_at: timestamp.describe('When this version was saved'),
  saved_by: z.string().describe('Name of the key that saved it'),
};

export const BoardSchema = z
  .object({
    id: z.guid().describe('Id of the board'),
    case_id: z.guid().nullable().describe('The case that it is attached to; null without one'),
    title,
    version: z.int().describe('Counts the savings; send it in `If-Match` to save or delete'),
    nodes,
    created_at: timestamp.describe('When it was made'),
    ...saved,
  })
  .meta({ id: 'Board', description: 'A saved picture of an investigation, without its scene' });

export const BoardWithSceneSchema = BoardSchema.extend({ scene: sceneField }).meta({
  id: 'BoardWithScene',
  description: 'A saved picture of an investigation; sent to `POST /boards` it makes a copy',
});

const version = z.int().describe('The version');

const BoardVersionSchema = z
  .object({ version, title, nodes, ...saved })
  .meta({ id: 'BoardVersion', description: 'A board as it was saved once' });

export const BoardVersionWithSceneSchema = BoardVersionSchema.extend({ scene: sceneField }).meta({
  id: 'BoardVersionWithScene',
  description: 'A board as it was saved once, with its scene',
});

export const BoardListSchema = z.object({
  boards: z.array(BoardSchema).describe('One page, the last saved first'),
  total,
  limit,
  offset,
});

export const BoardVersionListSchema = z.object({
  versions: z.array(BoardVersionSchema).describe('Newest first'),
});

const caseId = uuid.describe('Boards of this case');
export const BoardListQuery = z.object({
  case_id: caseId.optional(),
  limit: pageLimit({ max: 200, fallback: 50 }),
  offset: pageOffset(),
});

export const BoardParams = z.object({ board_id: uuid.describe('Id of the board') });
export const BoardVersionParams = BoardParams.extend({
  version: z.coerce
    .number()
    .int()
    .min(1)
    .max(2 ** 31 - 1)
    .describe('The version'),
});

const attached = uuid.nullable().describe('The case that it is attached to; null takes it out of its case');

export const NewBoard = z
  .object({
    title: shortText(TITLE_MAX).describe('Its name'),
    case_id: attached.default(null),
    scene,
  })
  .meta({ id: 'NewBoard' });

export const BoardUpdate = z
  .object({
    title: shortText(TITLE_MAX).describe('Its name').optional(),
    case_id: attached.optional(),
    scene: scene.optional(),
  })
  .meta({ id: 'BoardUpdate', description: 'What is left out stays as it is' });

/** Any case of the header; Fastify hands names over in lower case. */
export const VersionHeader = z.looseObject({
  'if-match': z.string().max(100).describe('The `version` that you changed, as in `"7"`; 428 without it').optional(),
});
