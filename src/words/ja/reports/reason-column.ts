/** The column `reason_ja` of transactions.csv about a confirmed crossing: it is in Japanese in packages of every language. */
export const reasonColumn = {
  confirmed: (by: string, at: string) => `同一の移転であることを${by}が${at} JSTに確認。`,
  sent: (chain: string | null, txHash: string | null) =>
    `ブリッジを経由した移転の送付側。着金側は${chain}の取引${txHash}。`,
  received: (chain: string | null, txHash: string | null) =>
    `ブリッジを経由した移転の着金側。送付側は${chain}の取引${txHash}。`,
};
