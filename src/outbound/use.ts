/** How a service outside answered this process. */
export interface OutboundUse {
  /** Here and below, epoch ms. */
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  /** What was wrong then. */
  problem: string | null;
}

export const UNUSED: Readonly<OutboundUse> = { lastSuccessAt: null, lastFailureAt: null, problem: null };
