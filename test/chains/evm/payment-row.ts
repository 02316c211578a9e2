/** A successful payment as an explorer's `txlist` shows it, unlike any other of the same address. */
export function paymentRow(address: string, n: number, { from, to }: { from: string; to: string }) {
  return {
    blockNumber: String(1_000 + n),
    timeStamp: String(1_600_000_000 + n * 60),
    hash: hex(Number.parseInt(address.slice(-6), 16) * 100_000 + n + 1, 64),
    from,
    to,
    value: '1000000',
    gasUsed: '21000',
    gasPrice: '1000000000',
    transactionIndex: '3',
    blockHash: hex(n + 2 ** 41, 64),
    input: '0x',
    contractAddress: '',
    isError: '0',
    txreceipt_status: '1',
    methodId: '0x',
  };
}

export const hex = (n: number, digits: number) => `0x${n.toString(16).padStart(digits, '0')}`;
