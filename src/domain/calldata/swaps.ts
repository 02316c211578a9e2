import type { AbiValue } from './abi.ts';
import type { Action } from './action.ts';

/** Swaps of the common routers: selector, signature, and where the receiver of what is bought stands. */
export const SWAPS: readonly { selector: string; signature: string; receiverOf: (args: AbiValue[]) => string }[] = [
  ...[
    '38ed1739 swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
    '18cbafe5 swapExactTokensForETH(uint256,uint256,address[],address,uint256)',
    '8803dbee swapTokensForExactTokens(uint256,uint256,address[],address,uint256)',
    '4a25d94a swapTokensForExactETH(uint256,uint256,address[],address,uint256)',
    '5c11d795 swapExactTokensForTokensSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)',
    '791ac947 swapExactTokensForETHSupportingFeeOnTransferTokens(uint256,uint256,address[],address,uint256)',
  ].map((line) => swap(line, (args) => args[3] as string)),
  ...[
    '7ff36ab5 swapExactETHForTokens(uint256,address[],address,uint256)',
    'fb3bdb41 swapETHForExactTokens(uint256,address[],address,uint256)',
    'b6f9de95 swapExactETHForTokensSupportingFeeOnTransferTokens(uint256,address[],address,uint256)',
  ].map((line) => swap(line, (args) => args[2] as string)),
  ...[
    '414bf389 exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))',
    '04e45aaf exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))',
  ].map((line) => swap(line, ([params]) => (params as AbiValue[])[3] as string)),
  ...[
    'c04b8d59 exactInput((bytes,address,uint256,uint256,uint256))',
    'b858183f exactInput((bytes,address,uint256,uint256))',
  ].map((line) => swap(line, ([params]) => (params as AbiValue[])[1] as string)),
  swap('49404b7c unwrapWETH9(uint256,address)', (args) => args[1] as string),
];

/** Describes a swap: the receiver gets what was bought with the caller's own money. */
export function swapActions(call: string, receiver: string): Action[] {
  return [{ kind: 'move', call, owner: null, to: receiver, signed: false }];
}

function swap(line: string, receiverOf: (args: AbiValue[]) => string) {
  const space = line.indexOf(' ');
  return { selector: line.slice(0, space), signature: line.slice(space + 1), receiverOf };
}
