/** A table to look words of foreign files up in: nothing is in it that was not put there, whatever the word. */
export function wordTable<Value>(entries: Record<string, Value>): Readonly<Record<string, Value>> {
  return Object.assign(Object.create(null), entries);
}
