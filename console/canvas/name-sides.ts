/** Where a name stands: in its card beside the icons, on its card, beside it, or over or under it towards one side. */
export type NameSide = 'in' | 'on' | 'right' | 'left' | `${'over' | 'under'}-${'right' | 'left'}`;
const AROUND: NameSide[] = ['right', 'left', 'over-right', 'over-left', 'under-right', 'under-left'];

/** Classes of names: each stands where its side says, `loud` on its card. */
export const NAME_CLASSES = new Map<string, NameSide>([
  ['loud', 'on'],
  ...AROUND.map((side): [string, NameSide] => [side, side]),
]);
