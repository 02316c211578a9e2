interface BoardColumns {
  id: string;
  case_id: string | null;
  title: string;
  version: number;
  created_at: number;
}

/** A saved picture of an account; its scene is that of its newest version. */
export interface BoardRow extends BoardColumns {
  account_id: string;
}

interface SavedColumns {
  nodes: number;
  /** Name of the key that saved it. */
  author: string;
  saved_at: number;
}

/** A board without its scene: as listed. */
export interface ListedBoard extends BoardColumns, SavedColumns {}

/** A version of a board without its scene. */
export interface ListedVersion extends SavedColumns {
  version: number;
  title: string;
}

/** A board as it was saved once. */
export interface NewVersion extends ListedVersion {
  board_id: string;
  account_id: string;
  /** Gzipped JSON. */
  scene: Buffer;
}

export interface BoardVersionRow extends NewVersion {
  /** Length of `scene`. */
  bytes: number;
}
