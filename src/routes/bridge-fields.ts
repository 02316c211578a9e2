import { z } from 'zod';

/** `off` ends the money at bridges. */
export const CrossChainSwitch = z.enum(['on', 'off']).meta({
  description: '`off`: bridges are where the money ends, and nothing is read on other chains',
});

/** `follow` goes on where the other side of a bridge is only likely. */
export const LikelyMatchesSwitch = z.enum(['show', 'follow']).meta({
  description:
    '`follow`: money is also followed where the other side of a bridge is only likely: one receipt fits in recipient, amount and time',
});
