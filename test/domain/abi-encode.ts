import { AbiCoder, id } from 'ethers';

const coder = AbiCoder.defaultAbiCoder();
const typesOf = (signature: string) => splitTop(signature.slice(signature.indexOf('(') + 1, -1));
/** Calldata of `name(type,…)` by another library. */
export const call = (signature: string, ...args: unknown[]) =>
  id(signature).slice(0, 10) + coder.encode(typesOf(signature), args).slice(2);

function splitTop(list: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const char of list) {
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if (char === ',' && depth === 0) {
      parts.push(part);
      part = '';
    } else part += char;
  }
  return part === '' ? parts : [...parts, part];
}
