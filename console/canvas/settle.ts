import type { SingularElementReturnValue } from 'cytoscape';

/**
 * Applies what changed in the style of elements at once, not with the next frame. The library keeps a box that is asked for in between, and
 * draws by it: with the new words at the size and place of the old ones, for as long as they stand.
 */
export function settle(elements: readonly SingularElementReturnValue[]): void {
  for (const element of elements) element.style('label');
}
