/** The beginning and the end of an address or hash. */
export function shortened(text: string): string {
  return text.length <= 16 ? text : `${text.slice(0, 8)}…${text.slice(-6)}`;
}
