/** Rises when an older scene can no longer be read. */
export const SCENE_VERSION = 1;
export const SCENE_NODES_MAX = 2_000;
/** Most bytes of the JSON in UTF-8. */
export const SCENE_BYTES_MAX = 2 ** 20;
/** Transfers that one flow keeps; the API lists the others. */
export const FLOW_TRANSFERS_MAX = 50;
export const NODE_COLOURS = ['red', 'orange', 'yellow', 'green', 'blue', 'purple'] as const;
/** Bounds one request for the transfers between pairs of addresses: pairs, transfers of each pair, and of all together. */
export const PAIR_LIST = { pairs: 100, ofEach: 1_000, ofAll: 5_000 };
