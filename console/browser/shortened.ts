/** The beginning and the end of an address or hash. */
export function shortened(text: string): string {
  return text.length <= 16 ? text : `${text.slice(0, 8)}…${text.slice(-6)}`;
}

/** The same with less of both, where there is little room. */
export function shortest(text: string): string {
  return `${text.slice(0, 6)}…${text.slice(-4)}`;
}
