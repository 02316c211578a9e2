type Variant =
  | 'sent'
  | 'claimed'
  | 'lost'
  | 'taken'
  | 'returned'
  | 'handed_back'
  | 'received'
  | 'received_small'
  | 'received_dust'
  | 'received_first';

/** The texts of exposure to one kind of party, by detector and variant; `suffix` names its standing. */
export function variantsOf<Detector extends string, Suffix extends string>(
  detector: Detector,
  suffix: Suffix,
  texts: Record<Variant, string>,
): Record<`${Detector}.${Variant}${Suffix}`, string> {
  const keyed = Object.entries(texts).map(([variant, text]) => [`${detector}.${variant}${suffix}`, text]);
  return Object.fromEntries(keyed) as Record<`${Detector}.${Variant}${Suffix}`, string>;
}
