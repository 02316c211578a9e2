/** Authors of what is done without a key, in the audit log and in timelines. */
export const HOUSE_AUTHORS = { service: 'system', operator: 'operator', recipient: 'recipient' } as const;

const UNSEEN = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** True for a name that reads like such an author, whatever its case, width and spaces. */
export function isHouseAuthor(name: string): boolean {
  const read = name.normalize('NFKC').replace(UNSEEN, '').toLowerCase();
  return Object.values(HOUSE_AUTHORS).some((author) => author === read);
}
