/** A saved picture of an account; its scene is that of its newest version. */
export interface BoardsTable {
  id: string;
  account_id: string;
  case_id: string | null;
  title: string;
  version: number;
  created_at: number;
}

/** A board as it was saved once. */
export interface BoardVersionsTable {
  board_id: string;
  version: number;
  account_id: string;
  title: string;
  /** Gzipped JSON. */
  scene: Buffer;
  /** Length of `scene`. */
  bytes: number;
  nodes: number;
  /** Name of the key that saved it. */
  author: string;
  saved_at: number;
}
