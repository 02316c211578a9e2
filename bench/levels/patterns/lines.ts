/** Lines of `count` rounds. */
export const rounds = (count: number, line: (i: number) => string | string[]): string[] =>
  Array.from({ length: count }, (_, i) => line(i)).flat();

/** Forty-five people bring what a contract holds, nine times what each of the first five brings, and get shares for it. */
export const stock = (contract: string, each: number, asset: string, share?: string): string[] =>
  rounds(45, (i) => {
    const who = `${contract.toLowerCase()}${i}`;
    const minted = share ? `; 0>${who} 100 ${share}` : '';
    const pays = `${who}>${contract} ${each} ${asset}`;
    return [`${1 + i / 9} cex>${who} ${1.1 * each} ${asset}`, `${6 + i / 9} ${who}@${contract}: ${pays}${minted}`];
  });

/** Withdrawals from an exchange, and small payments of them. */
export const life = (who: string, monthly = 3, asset = 'USDC'): string[] =>
  rounds(7, (i) => [
    `${2 + 30 * i} cex>${who} ${monthly} ${asset}`,
    `${5 + 30 * i} ${who}>${who}shop${i % 3} ${0.5 * monthly} ${asset}`,
  ]);

/** Wallets `w1` and on, each of which passes on nearly all; `more` is what else each of them does. */
export const chain = (
  {
    day,
    from,
    length,
    asset,
    prefix = 'w',
  }: { day: number; from: string; length: number; asset: string; prefix?: string },
  more: (i: number) => string[] = () => [],
): string[] =>
  rounds(length, (i) => {
    const payer = i === 0 ? from : `${prefix}${i}`;
    return [`${day + 0.4 * i} ${payer}>${prefix}${i + 1} ${i === 0 ? 'all' : '97%'} ${asset}`, ...more(i + 1)];
  });

/** A thief empties a vault of five depositors on this day and holds it in his own wallet. */
export const theft = (day: number, usd: number, asset = 'ETH'): string[] => [
  ...stock('Vault', usd / 40, asset),
  `${day} thief@Hack: Vault>Hack ${usd} ${asset}; Hack>thief all ${asset}`,
];
