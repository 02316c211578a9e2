import { z } from 'zod';
import { CHAINS } from '../chain.ts';
import { CATEGORIES } from '../label.ts';
import { withoutControls } from '../text/visible.ts';
import { XRP_TAG_MAX } from '../transfers/tags.ts';
import { FLOW_TRANSFERS_MAX, NODE_COLOURS, SCENE_NODES_MAX, SCENE_VERSION } from './bounds.ts';

/** The saved picture of a board: what a canvas draws, as one JSON document. */

/** Labels and notes may come from others: no character that turns text around reaches a picture. */
const clean = z.string().overwrite(withoutControls);
const key = clean.min(3).max(160);
const FLOWS_MAX = 4_000;
const id = clean.min(1).max(400);
const name = clean.max(300);
const text = clean.max(5_000);
const place = z.number().min(-1e6).max(1e6);
const usd = z.number();
const moment = z.iso.datetime();
const txHash = clean.max(128);
const amount = clean.max(120);
const asset = clean.max(120);

const NodeSchema = z.strictObject({
  /** `<chain>:<address>` */
  key,
  chain: z.enum(CHAINS),
  address: clean.min(1).max(128),
  label: name.nullable(),
  /** True where a case gives it that label: what lists call it does not replace it. Left out where it comes from them. */
  named: z.literal(true).optional(),
  category: z.enum(CATEGORIES),
  entity: name.nullable(),
  /** True where the account has read its history; null where no answer said so. */
  read: z.boolean().nullable(),
  /** True where it was read in part only; absent where it was read whole, or no answer said so. */
  partly: z.literal(true).optional(),
  x: place,
  y: place,
  /** Placed by hand: arranging leaves it where it is. */
  pinned: z.boolean(),
  hidden: z.boolean(),
  colour: z.enum(NODE_COLOURS).nullable(),
  note: text.nullable(),
  /** Id of its group. */
  group: id.nullable(),
  /** Key of the hub whose bundle holds it; null where it is drawn by itself. */
  bundle: key.nullable(),
  /** Set for an opened transaction, whose hash stands in place of an address. */
  transaction: z
    .strictObject({
      status: z.enum(['success', 'failed', 'pending']),
      at: moment.nullable(),
      /** Fee in the chain's own coin; null where it is not known, and for newly mined coins. */
      fee: amount.nullable(),
      /** The call; null for a plain payment. */
      method: name.nullable(),
    })
    .optional(),
});

const tag = z.int().min(0).max(XRP_TAG_MAX).optional();
const TransferSchema = z.strictObject({
  tx_hash: txHash,
  at: moment,
  asset,
  amount,
  usd: usd.nullable(),
  destination_tag: tag,
  source_tag: tag,
});

const CrossingSchema = z.strictObject({
  crossing_id: id,
  protocol: name,
  message_id: id.nullable(),
  match: z.enum(['id', 'likely', 'confirmed']).nullable(),
  ambiguous: z.boolean(),
  arrival: z.strictObject({
    chain: z.enum(CHAINS),
    address: clean.max(128).nullable(),
    tx_hash: txHash.nullable(),
    at: moment.nullable(),
    asset: asset.nullable(),
    amount: amount.nullable(),
  }),
});

const FlowSchema = z.strictObject({
  id,
  /** Keys of the two nodes. */
  from: key,
  to: key,
  usd: usd.nullable(),
  /** Exact decimals by asset; null where no answer said so. */
  assets: z.record(asset, amount).nullable(),
  tx_count: z.int().min(0),
  first_at: moment,
  last_at: moment,
  /** The largest transaction. */
  tx_hash: txHash,
  /** The first of them; fewer than `tx_count` where the API lists more. */
  transfers: z.array(TransferSchema).max(FLOW_TRANSFERS_MAX),
  /** Part of the followed money that moved so, 0-1; null where the flow is not of it. */
  share: z.number().min(0).nullable(),
  bridge: CrossingSchema.nullable(),
  /**
   * Role of an address in an opened transaction: it gave, was paid, got its own back, got what signs call change, or was called without
   * any money. Absent between addresses.
   */
  part: z.enum(['gave', 'paid', 'own', 'change', 'called']).optional(),
});

const FiltersSchema = z.strictObject({
  from: moment.nullable(),
  to: moment.nullable(),
  min_usd: z.number().min(0).nullable(),
  /** Empty: all. */
  assets: z.array(asset).max(200),
  categories: z.array(z.enum(CATEGORIES)),
  direction: z.enum(['both', 'received', 'sent']),
  /** The ways of the followed money alone. */
  followed_only: z.boolean(),
});

export const SceneSchema = z
  .strictObject({
    version: z.literal(SCENE_VERSION),
    /** The address where the investigation began. */
    subject: key.nullable(),
    /** The account of the money that is drawn. */
    /** With `tx_hash` one payment alone. */
    followed: z.strictObject({ key, direction: z.enum(['received', 'sent']), tx_hash: txHash.optional() }).nullable(),
    nodes: z.array(NodeSchema).max(SCENE_NODES_MAX),
    flows: z.array(FlowSchema).max(FLOWS_MAX),
    groups: z.array(z.strictObject({ id, name, collapsed: z.boolean() })).max(500),
    texts: z.array(z.strictObject({ id, x: place, y: place, text })).max(500),
    filters: FiltersSchema,
    /** The middle of the picture, and its scale. */
    view: z.strictObject({ x: place, y: place, zoom: z.number().min(0.01).max(10) }),
  })
  .refine(namesWhatItHolds, 'Input should name only nodes and groups that the scene holds, each once')
  .meta({ id: 'Scene', description: 'The picture of a board, as the canvas draws it' });

export type Scene = z.infer<typeof SceneSchema>;
export type SceneNode = Scene['nodes'][number];
export type SceneAddress = Pick<SceneNode, 'chain' | 'address'>;
export type SceneFlow = Scene['flows'][number];
export type SceneTransfer = SceneFlow['transfers'][number];
export type SceneFilters = Scene['filters'];

/** Every name stands for one thing, and everything named is there. */
function namesWhatItHolds(scene: {
  subject: string | null;
  nodes: { key: string; chain: string; address: string; group: string | null; bundle: string | null }[];
  flows: { id: string; from: string; to: string }[];
  groups: { id: string }[];
  texts: { id: string }[];
}): boolean {
  const { nodes, flows, groups, texts, subject } = scene;
  const keys = new Set(nodes.map((node) => node.key));
  const groupIds = new Set(groups.map((group) => group.id));
  return (
    keys.size === nodes.length &&
    groupIds.size === groups.length &&
    [flows, texts].every((named) => new Set(named.map(({ id }) => id)).size === named.length) &&
    (subject === null || keys.has(subject)) &&
    flows.every(({ from, to }) => keys.has(from) && keys.has(to)) &&
    nodes.every(
      (node) =>
        node.key === `${node.chain}:${node.address}` &&
        (node.group === null || groupIds.has(node.group)) &&
        (node.bundle === null || (node.bundle !== node.key && keys.has(node.bundle))),
    )
  );
}
