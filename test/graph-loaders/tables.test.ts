import { describe, expect, it } from 'vitest';
import type { AskedTable } from '../../graph-loaders/reading/table-format.ts';
import { tableOfMap } from '../../graph-loaders/transfers/column-map.ts';
import { TRANSFER_FORMATS } from '../../graph-loaders/transfers/transfer-formats.ts';
import { transfersLoader } from '../../graph-loaders/transfers/transfers.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { fileOf, folderOf, openLoading, openWork } from './loading.ts';

const HASH = `0x${'ab12'.repeat(16)}`;
const [A, B, TOKEN] = ['11', '22', '33'].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];
const AT = Date.parse('2024-01-16T10:00:00Z');

/** The transfers of a table, with what was said of its rows. */
async function tableRows(text: string | Uint8Array, table: AskedTable = {}) {
  const work = { ...(await openWork('transfers', fileOf('export.csv', text))), table };
  const transfers: Transfer[] = [];
  for await (const transfer of transfersLoader.read(work)) transfers.push(transfer);
  const { read, skipped, errors } = work.tally;
  return { transfers, read, skipped, reasons: errors.map(({ reason }) => reason) };
}

const exampleOf = (name: string) => TRANSFER_FORMATS.find((format) => format.name === name)!.example.join('\n');
const CHAINLESS: AskedTable = { chain: 'ethereum' };
const asked = (name: string): AskedTable =>
  ['tronscan', 'solscan', 'etherscan'].includes(name)
    ? {}
    : name === 'etherscan-token'
      ? { ...CHAINLESS, token: TOKEN }
      : CHAINLESS;

const MOVED: Record<string, Partial<Transfer>> = {
  etherscan: {
    chain: 'bsc',
    kind: 'native',
    asset: 'BNB',
    amount: '2.25',
    fee: '0.000105',
    txSender: A,
    block: 35_000_000,
  },
  'etherscan-internal': {
    kind: 'internal',
    from: TOKEN,
    to: A,
    asset: 'ETH',
    amount: '1.5',
    txSender: B,
    failed: false,
  },
  'etherscan-advanced': { kind: 'native', asset: 'ETH', amount: '0.75', fee: '0.00021', block: 21_000_000 },
  'etherscan-erc20': { kind: 'token', token: TOKEN, asset: 'CUSD', amount: '1250.5' },
  'etherscan-erc721': { kind: 'nft', token: TOKEN, tokenId: '4021', amount: '1', assetType: 'erc721' },
  'etherscan-erc1155': { kind: 'nft', token: TOKEN, tokenId: '77', amount: '3', assetType: 'erc1155' },
  'etherscan-token': { kind: 'token', token: TOKEN, amount: '10.5' },
  blockscout: { kind: 'native', asset: 'ETH', amount: '2.25', fee: '0.000021' },
  'blockscout-internal': { kind: 'internal', from: TOKEN, to: A, amount: '1.5' },
  'blockscout-tokens': { kind: 'token', token: TOKEN, amount: '1250.5', amountRaw: '1250500000', decimals: 6 },
  tronscan: { chain: 'tron', kind: 'token', asset: 'USDT', amount: '1250.5', amountRaw: '1250500000' },
  solscan: { chain: 'solana', kind: 'native', asset: 'SOL', amount: '1.2505' },
};

it.each(TRANSFER_FORMATS.map(({ name }) => name))('reads what %s exports, known by its header', async (name) => {
  const { transfers, skipped, reasons } = await tableRows(exampleOf(name), asked(name));
  expect({ skipped, reasons }).toEqual({ skipped: 0, reasons: [] });
  expect(transfers).toEqual([
    expect.objectContaining({ at: name === 'etherscan-advanced' ? expect.any(Number) : AT, ...MOVED[name] }),
  ]);
});

describe('tables of explorers', () => {
  const header = 'Txhash,UnixTimestamp,DateTime,From,To,Value,ContractAddress,TokenName,TokenSymbol';
  const row = (value: string, more: { from?: string } = {}) =>
    `${HASH},1705399200,2024-01-16 10:00:00,${more.from ?? A},${B},${value},${TOKEN},Copper Dollar,CUSD`;

  it('reads the older headers, and cells between semicolons or tabs, announced or not', async () => {
    const table = [header, row('7.5')].join('\n');
    const expected = [expect.objectContaining({ amount: '7.5', token: TOKEN })];
    for (const text of [
      table,
      table.replaceAll(',', ';'),
      `sep=;\n${table.replaceAll(',', ';')}`,
      table.replaceAll(',', '\t'),
    ]) {
      expect((await tableRows(text, CHAINLESS)).transfers).toEqual(expected);
    }
  });

  describe('between semicolons', () => {
    const tableOf = (values: readonly string[]) =>
      [header.replaceAll(',', ';'), ...values.map((value) => row('_').replaceAll(',', ';').replace('_', value))].join(
        '\n',
      );
    const amountsOf = async (values: readonly string[]) => {
      const { transfers, reasons } = await tableRows(tableOf(values), CHAINLESS);
      return [...transfers.map(({ amount }) => amount), ...reasons];
    };

    it.each([
      ['a dot', '12.34', ['12.345', '1,250', '0.125', '1,250.5'], ['12.34', '12.345', '1250', '0.125', '1250.5']],
      ['a dot', '0.125', ['1.250'], ['0.125', '1.25']],
      ['a dot', '1e-7', ['7'], ['0.0000001', '7']],
      ['a comma', '1.234.567', ['12.345', '1,250'], ['1234567', '12345', '1.25']],
      ['a comma', '2,5', ['1.250', '1.250,75'], ['2.5', '1250', '1250.75']],
      ['nothing', '7', ['1250'], ['7', '1250']],
    ])(
      'takes %s for what stands before fractions where a number is %s, before it or behind',
      async (_, one, more, read) => {
        expect(await amountsOf([one, ...more])).toEqual(read);
        expect(await amountsOf([...more, one])).toEqual([...read.slice(1), read[0]]);
      },
    );

    it('refuses a file that does not say it, or says both', async () => {
      const problem = (unclear: string, reason: string) =>
        `export.csv: ${unclear} may be a fraction or thousands, and ${reason}: save it with commas between its cells and a dot before fractions`;
      await expect(amountsOf(['7', '12.345', '1.250'])).rejects.toThrow(
        problem('12.345', 'no other number says which'),
      );
      await expect(amountsOf(['1,250', '2,5', '2.5'])).rejects.toThrow(problem('1,250', 'other numbers say both'));
    });

    it.each([
      ['tabs', '\t', (text: string) => text],
      ['commas and quotation marks', ',', (text: string) => `"${text}"`],
    ])('reads decimal commas between %s too, and takes a dot where none says it', async (_, delimiter, quoted) => {
      const amounts = async (...values: string[]) => {
        const cells = row('_').split(',');
        const rows = values.map((value) => cells.map((cell) => (cell === '_' ? quoted(value) : cell)).join(delimiter));
        const table = [header.replaceAll(',', delimiter), ...rows].join('\n');
        return (await tableRows(table, CHAINLESS)).transfers.map(({ amount }) => amount);
      };
      expect(await amounts('1,250', '12,5')).toEqual(['1.25', '12.5']);
      expect(await amounts('1,250', '1.250,75')).toEqual(['1.25', '1250.75']);
      expect(await amounts('1,250', '7')).toEqual(['1250', '7']);
      await expect(amounts('1,250', '12,5', '12.5')).rejects.toThrow('other numbers say both');
    });

    it('refuses prices in the same way', async () => {
      const { load, records } = await openLoading();
      const loaded = async (...usd: string[]) => {
        const rows = usd.map((one, n) => `2024-01-0${n + 1};ETH;${one}`);
        await load('prices', fileOf('prices.csv', ['date;asset;usd', ...rows].join('\n')), { endings: 'end' });
        return (await records.selectFrom('prices').select('usd').orderBy('date').execute()).map((row) => row.usd);
      };
      await expect(loaded('2.300', '2.310')).rejects.toThrow('2.300 may be a fraction or thousands');
      expect(await loaded('2.300', '2.310,50')).toEqual([2_300, 2_310.5]);
      expect(await loaded('2.300', '2.31')).toEqual([2.3, 2.31]);
    });
  });

  it.each(['-', '–', '—', 'N/A', 'null'])('takes %s in the empty one of two columns for nothing', async (nothing) => {
    const [both, one] = [exampleOf('etherscan'), `,${nothing},2.25,`];
    expect((await tableRows(both.replace(',0,2.25,', one))).transfers).toMatchObject([{ amount: '2.25' }]);
    const none = await tableRows(both.replace(',0,2.25,', `,${nothing},${nothing},`));
    expect(none.reasons).toEqual([`not an amount of 0 or more: ${nothing} / ${nothing}`]);
  });

  it('does not take the zero of one column where the amount in the other cannot be read', async () => {
    const text = exampleOf('etherscan').replaceAll(',', ';').replace('2.25', '2,25');
    expect(await tableRows(text)).toMatchObject({ transfers: [], reasons: ['not an amount of 0 or more: 0 / 2,25'] });
    const blank = exampleOf('etherscan').replace(',0,2.25,', ',,2.25,');
    expect((await tableRows(blank)).transfers).toMatchObject([{ amount: '2.25' }]);
  });

  it('reads lines that end in a separator, the header among them or not, and no cell behind the last column', async () => {
    for (const [first, second] of [
      [`${header},`, row('7')],
      [header, `${row('7')},,`],
      [`${header},,`, `${row('7')},`],
    ])
      expect((await tableRows([first, second].join('\n'), CHAINLESS)).transfers).toMatchObject([{ amount: '7' }]);
    const beyond = [`${header},`, `${row('7')},x`].join('\n');
    expect((await tableRows(beyond, CHAINLESS)).reasons).toEqual(['10 cells instead of 9']);
  });

  it('reads lines that end in a carriage return alone, bars between cells, and UTF-16 that no mark announces', async () => {
    const text = [header, row('7'), row('8')].join('\n');
    const shapes = [
      text.replaceAll('\n', '\r'),
      text.replaceAll(',', '|'),
      Buffer.from(text, 'utf16le'),
      Buffer.from(text, 'utf16le').swap16(),
    ];
    for (const shape of shapes)
      expect((await tableRows(shape, CHAINLESS)).transfers.map(({ amount }) => amount)).toEqual(['7', '8']);
  });

  it('says so where a table has no rows, or numbers that lack their last digits', async () => {
    expect(await tableRows(header, CHAINLESS)).toMatchObject({
      read: 0,
      reasons: ['a header and no rows: nothing to load'],
    });
    const shortened = await tableRows([header, row('1.5E+1'), row('9.63E+20'), row('2E+3')].join('\n'), CHAINLESS);
    expect(shortened.reasons).toEqual([
      expect.stringMatching(/ 9\.63E\+20 may lack its last digits, and so may others: export whole numbers$/),
    ]);
  });

  it('takes the chain of each row where a table names it, whatever coin its header names, and no other chain', async () => {
    const [first, coin] = exampleOf('etherscan').replaceAll('BNB', 'ETH').split('\n');
    const coins = [`${first},ChainId`, `${coin},43114`, `${coin!.replace('2.25', '1')},1`].join('\n');
    expect((await tableRows(coins)).transfers).toMatchObject([
      { chain: 'avalanche', asset: 'AVAX', amount: '2.25' },
      { chain: 'ethereum', asset: 'ETH', amount: '1' },
    ]);
    expect((await tableRows(coins, { chain: 'avalanche' })).reasons).toEqual([
      'the row is of ethereum, not of avalanche',
    ]);
    const tokens = `chain_id,tx_hash,block_number,block_unix_timestamp,from,to,token_value,token_address,token_symbol\n43114,${HASH},9,1705399200,${A},${B},10.5,${TOKEN},LNT`;
    expect((await tableRows(tokens)).transfers).toMatchObject([
      { chain: 'avalanche', at: AT, amount: '10.5', token: TOKEN },
    ]);
  });

  it('takes the standard of a collectible from the row where a table lists both', async () => {
    const both = exampleOf('etherscan-erc1155').split('\n');
    const typed = [`${both[0]},Type`, `${both[1]},ERC721`, `${both[1]!.replace(',77,', ',78,')},ERC-1155`].join('\n');
    expect((await tableRows(typed, CHAINLESS)).transfers.map(({ assetType }) => assetType)).toEqual([
      'erc721',
      'erc1155',
    ]);
  });

  it('reads days as spreadsheets write them again, and no month before its day', async () => {
    const at = async (time: string) => {
      const text = [header.replace('UnixTimestamp,', ''), row('1').replace('1705399200,2024-01-16 10:00:00', time)];
      const { transfers, reasons } = await tableRows(text.join('\n'), CHAINLESS);
      return transfers[0]?.at ?? reasons[0];
    };
    for (const time of ['2024/1/16 10:00', '2024.01.16 10:00:00', '16.01.2024 10:00:00', '16.1.2024 10:00'])
      expect(await at(time)).toBe(AT);
    expect(await at('2024-01-16 9:05:00')).toBe(AT - 55 * 60_000);
    for (const time of ['1/16/2024 10:00:00 AM', '16/01/2024 10:00', '2024-13-01', '30.02.2024', '2024/1-16'])
      expect(await at(time)).toBe(`not a time: ${time}`);
    for (const noBlock of ['45307.4166667', '-1', '0001-01-01', '2009-01-02 23:59:59', '2200-01-01', '9999-12-31'])
      expect(await at(noBlock)).toBe(`not a time: ${noBlock}`);
    expect(await at('2009-01-03')).toBe(Date.UTC(2009, 0, 3));
  });

  it('takes the contract for the token where a table of TronScan has both, and no token without one for the coin', async () => {
    const [example, from] = [exampleOf('tronscan').split('\n')[1]!.split(','), 'Txn Hash,Block,Time(UTC),From,To'];
    const contract = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
    const rowOf = (...token: string[]) => [...example.slice(0, 5), '1250.5', ...token, 'SUCCESS'].join();
    const tokens = [rowOf('USDT', contract), rowOf('TRX', ''), rowOf('BTT', '')];
    const { transfers, reasons } = await tableRows(
      `${from},Amount,Token,Contract Address,Result\n${tokens.join('\n')}`,
    );
    expect(transfers).toMatchObject([
      { kind: 'token', token: contract, asset: 'USDT', amount: '1250.5' },
      { kind: 'native', asset: 'TRX' },
    ]);
    expect(reasons).toEqual(['token is not a contract of tron: BTT']);
  });

  it('takes no token for the coin where another column names what moved, and multiplies what an issuer scales', async () => {
    const advanced = exampleOf('etherscan-advanced').replace('Txn Fee', 'Asset,Txn Fee');
    const of = (asset: string) => advanced.replace('0.75 ETH', '0.75').replace(/,0\.00021$/, `,${asset},0.00021`);
    for (const [asset, amounts] of [
      ['ETH', ['0.75']],
      ['', ['0.75']],
      ['USDT', []],
    ] as const) {
      const { transfers, reasons } = await tableRows(of(asset), CHAINLESS);
      expect([asset, ...transfers.map(({ amount }) => amount)]).toEqual([asset, ...amounts]);
      const said = ['the row is of USDT, and etherscan-advanced lists the coin alone'];
      expect(reasons).toEqual(amounts.length > 0 ? [] : said);
    }
    const mint = '4Nd1mYQyhc7xgZQvzGz3fpvPqCxUwd2tYHFdVdBPfRLm';
    const scaled = (multiplier: string) => exampleOf('solscan').replace(/,9,So1+2?,1\.0$/, `,6,${mint},${multiplier}`);
    expect((await tableRows(scaled('1.0'))).transfers[0]).toMatchObject({ amount: '1250.5', decimals: 6 });
    const doubled = { amount: '2501.00012505', amountRaw: '1250500000', decimals: null };
    expect((await tableRows(scaled('2.0000001'))).transfers[0]).toMatchObject(doubled);
    expect(await tableRows(scaled('soon'))).toMatchObject({ transfers: [], skipped: 1 });
  });

  it.each([
    ['ETH', true],
    ['Ether', true],
    ['Ether (ETH)', true],
    ['native', true],
    [`0x${'E'.repeat(40)}`, true],
    [`0x${'0'.repeat(40)}`, true],
    ['USD', null],
    ['Main account', null],
    ['USDT', false],
    ['BTC', false],
    ['MATIC', false],
    [TOKEN, false],
    [`X (${TOKEN})`, false],
  ])('a column that says %s beside amounts of coin names the coin: %s', async (said, isCoin) => {
    const columns = { hash: 'id', time: 'at', from: 'from', to: 'to', amount: 'sum' };
    const map = tableOfMap({ kind: 'native', chain: 'ethereum', units: 'decimal', columns });
    const line = [HASH, AT / 1_000, A, B, '0.75', `"${said}"`].join();
    const text = ['id,at,from,to,sum,Currency', line, line].join('\n');
    const { transfers, reasons, skipped } = await tableRows(text, map);
    expect([transfers.length, skipped]).toEqual(isCoin === false ? [0, 2] : [2, 0]);
    expect(new Set(reasons)).toEqual(
      new Set(
        isCoin === null
          ? [`currency says ${said}, which is not an asset: such rows are taken for ETH`]
          : isCoin
            ? []
            : [expect.stringContaining('lists the coin alone')],
      ),
    );
  });

  it('takes a word that no one knows for a token where an explorer names what moved, and a currency for the coin', async () => {
    const advanced = exampleOf('etherscan-advanced').replace('Txn Fee', 'Asset,Txn Fee').replace('0.75 ETH', '0.75');
    for (const [said, loaded] of [
      ['PEPE', 0],
      ['Ether', 1],
      ['EUR', 1],
    ] as const) {
      const { transfers } = await tableRows(advanced.replace(/,0\.00021$/, `,${said},0.00021`), CHAINLESS);
      expect([said, transfers.length]).toEqual([said, loaded]);
    }
  });

  it('asks for the chain, the token and the address where the table does not say them', async () => {
    const load = async (text: string, table: AskedTable = {}) => tableRows(text, table);
    await expect(load([header, row('1')].join('\n'))).rejects.toThrow('does not say its chain: name it with --chain');
    await expect(load(exampleOf('etherscan-token'), CHAINLESS)).rejects.toThrow('--token');
    await expect(load(exampleOf('etherscan'), { chain: 'polygon' })).rejects.toThrow('its coin is BNB');
    await expect(load(exampleOf('etherscan'), { format: 'etherscann' })).rejects.toThrow('unknown format');
    await expect(load(exampleOf('etherscan'), { format: 'solscan' })).rejects.toThrow('the header lacks');
  });

  it('numbers equal transfers of a transaction, and repeats change nothing', async () => {
    const { transfers } = await tableRows([header, row('7'), row('7')].join('\n'), CHAINLESS);
    expect(new Set(transfers.map(({ id }) => id)).size).toBe(2);
    expect((await tableRows([header, row('7')].join('\n'), CHAINLESS)).transfers[0]!.id).toBe(transfers[0]!.id);
  });

  it('keeps a failed payment as failed, and passes over inner moves that failed or moved nothing', async () => {
    const failed = exampleOf('etherscan').replace(',,,Transfer', ',Error(0),Reverted,Transfer');
    expect((await tableRows(failed)).transfers).toMatchObject([{ failed: true, amount: '2.25' }]);
    const inner = exampleOf('etherscan-internal');
    for (const text of [inner.replace(',0,,call', ',1,Reverted,call'), inner.replace(',1.5,0,', ',0,0,')]) {
      expect(await tableRows(text, CHAINLESS)).toMatchObject({ transfers: [], read: 0, skipped: 0 });
    }
  });

  it('names the row and the reason of what cannot be used, formulas and other texts among them', async () => {
    const rows = [
      row('=1+1'),
      row('-5'),
      row('1e400'),
      row('1', { from: '=cmd|A1' }),
      row('1', { from: 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8' }),
    ];
    const { transfers, skipped, reasons } = await tableRows([header, row('1'), ...rows].join('\n'), CHAINLESS);
    expect({ loaded: transfers.length, skipped }).toEqual({ loaded: 1, skipped: rows.length });
    for (const reason of reasons)
      expect(reason).toMatch(/^(?:not an amount of 0 or more|from is not an address of ethereum): /);
  });
});

describe('a mapping of columns', () => {
  const columns = {
    hash: 'tx',
    time: 'block_time',
    from: 'sender',
    to: ['receiver', 'recipient'],
    amount: 'value',
    chain: 'blockchain',
  };
  const text = `block_time\ttx\tsender\trecipient\tvalue\tblockchain\n2024-01-16 10:00:00.000 UTC\t${HASH}\t${A}\t${B}\t2500000\tpolygon`;

  it('reads any table, each row on the chain that it names', async () => {
    const { transfers } = await tableRows(text, tableOfMap({ kind: 'token', units: 'decimal', token: TOKEN, columns }));
    expect(transfers).toMatchObject([{ chain: 'polygon', at: AT, token: TOKEN, amount: '2500000', from: A, to: B }]);
  });

  it('reads one address with directions', async () => {
    const map = tableOfMap({
      kind: 'native',
      chain: 'ethereum',
      address: A,
      columns: { hash: 'h', time: 't', direction: 'd', counterparty: 'c', amount: 'a' },
    });
    const rows = ['in', 'out', 'sideways'].map((way, n) => `${HASH.slice(0, -1)}${n},1705399200,${way},${B},1.5`);
    const { transfers, reasons } = await tableRows(['h,t,d,c,a', ...rows].join('\n'), map);
    expect(transfers.map(({ from, to }) => [from, to])).toEqual([
      [B, A],
      [A, B],
    ]);
    expect(reasons).toEqual(['direction is neither in nor out: sideways']);
  });

  it('is refused with what is wrong in it', () => {
    expect(() => tableOfMap({ kind: 'token', columns: { hash: 'h' } })).toThrow('time, from, to, amount missing');
    expect(() => tableOfMap({ kind: 'coin', columns: {} })).toThrow('The mapping of columns');
    expect(() => tableOfMap({ kind: 'token', columns: { hsh: 'h' } })).toThrow('The mapping of columns');
  });
});

it('says of each file of a folder what became of it', async () => {
  const loading = await openLoading();
  const folder = folderOf({
    'a.csv': exampleOf('etherscan'),
    'b.csv': 'name,phone\nAnn,1',
    'c.txt': 'hello',
    'd.csv': `${exampleOf('etherscan')}\nnonsense`,
  });
  const report = await loading.load('transfers', folder);
  expect(report).toMatchObject({ read: 3, loaded: 2, skipped: 1, not_read: ['b.csv', 'c.txt'] });
  expect(report.files).toEqual([
    { name: 'a.csv', format: 'etherscan', read: 1, loaded: 1 },
    { name: 'd.csv', format: 'etherscan', read: 2, loaded: 1 },
  ]);
});

it('does not take an explorer’s table for whole histories', async () => {
  const loading = await openLoading();
  const file = fileOf('a.csv', exampleOf('etherscan'));
  await expect(loading.load('transfers', file, { whole: { fromStart: false } })).rejects.toThrow(
    'not the whole history',
  );
});
