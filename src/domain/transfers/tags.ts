/** Tags of the XRP Ledger have 32 bits. */
export const XRP_TAG_MAX = 0xffff_ffff;

/** Tags of the XRP Ledger: which customers of the two ends of a transfer pay and are paid; null where none is named. */
export interface Tags {
  destination: number | null;
  source: number | null;
}

/** The same as answers show them: a tag that is not named has no field. */
export interface ShownTags {
  destination_tag?: number;
  source_tag?: number;
}

/** The field of a traced transfer that bears a tag; empty for others. */
export function tagsField(destination: number | null, source: number | null): { tags?: Tags } {
  return destination === null && source === null ? {} : { tags: { destination, source } };
}

export function shownTags({ tags }: { tags?: Tags }): ShownTags {
  const { destination = null, source = null } = tags ?? {};
  return {
    ...(destination === null ? {} : { destination_tag: destination }),
    ...(source === null ? {} : { source_tag: source }),
  };
}
