import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { openEvm } from '../../../src/chains/evm/evm.ts';
import { readCallTrace, readParityTrace } from '../../../src/chains/evm/format/trace.ts';
import type { Rpc } from '../../../src/chains/evm/node/rpc.ts';
import { openTokenReader } from '../../../src/chains/evm/node/token.ts';
import { formatUnits } from '../../../src/domain/amount.ts';
import { movementsOfLog } from '../../../src/domain/transfers/evm-log.ts';
import { type ServedUpstream, serveUpstream } from '../../contract/upstream.ts';
import { noRecordings, recorded } from '../recordings.ts';
import { error, result } from './test-node.ts';

const ETL = 'ethereum-etl';
const SHARED = new URL('../../../../shared/data/', import.meta.url);
const servers: ServedUpstream[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** JSON lines whose numbers are larger than a double can hold. */
function exactLines(path: string): Record<string, string | string[]>[] {
  const lines = readFileSync(new URL(path, SHARED), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line.replace(/: (\d+)(?=[,}])/g, ': "$1"')));
}

describe.skipIf(noRecordings)('recorded Ethereum (skipped where ../shared/data is absent)', () => {
  it('two blocks of 2023: every token transfer among 681 logs, and nothing else', () => {
    const folder = `${ETL}/test_stream/blocks_17173049_17173050`;
    const found = exactLines(`${folder}/expected_logs.json`).flatMap((log) =>
      movementsOfLog({ address: log.address as string, topics: log.topics as string[], data: log.data as string })
        .filter(({ tokenId, kind }) => kind === 'token' || tokenId !== null)
        .map((moved) => ({ ...moved, log })),
    );
    const expected = exactLines(`${folder}/expected_token_transfers.json`);
    const multi = found.filter(({ log }) => !(log.topics as string[])[0]!.startsWith('0xddf252ad'));
    const single = found.filter((moved) => !multi.includes(moved));
    expect(expected).toHaveLength(291);
    expect(
      single.map(({ log, token, from, to, amountRaw, tokenId }) => [
        log.transaction_hash,
        log.log_index,
        token,
        from,
        to,
        tokenId ?? amountRaw.toString(),
      ]),
    ).toEqual(
      expected.map((row) => [
        row.transaction_hash,
        row.log_index,
        row.token_address,
        row.from_address,
        row.to_address,
        row.value,
      ]),
    );
  });

  it('a block of 2016, before receipts had a status: the transfer of its one token', async () => {
    const folder = `${ETL}/test_stream/blocks_1755634_1755635`;
    const hash = '0x2e3dcd051a91d3a694f6b8de2ac4b5fe7acdba55f58bcf8471ff00d4a430074d';
    const block = recorded(`${folder}/web3_response.eth_getBlockByNumber_0x1ac9f3_true.json`).result;
    const node = await serveUpstream(({ body }) => {
      const { method } = body as { method: string };
      if (method === 'eth_getTransactionByHash')
        return result(block.transactions.find((tx: { hash: string }) => tx.hash === hash));
      if (method === 'eth_getBlockByNumber') return result(block);
      if (method === 'eth_getTransactionReceipt')
        return { json: { ...recorded(`${folder}/web3_response.eth_getTransactionReceipt_${hash}.json`), id: 1 } };
      if (method === 'eth_call') return error(3, 'execution reverted');
      if (method === 'eth_chainId') return result('0x1');
      return error(-32_601, 'the method does not exist/is not available');
    });
    servers.push(node);
    const seen = await openEvm('ethereum', { rpcUrl: node.url }, { pageLimit: 1 }).transaction(hash);
    const [row] = exactLines(`${folder}/expected_token_transfers.json`);
    expect(seen).toMatchObject({ status: 'success', block: 1_755_635, at: 1_466_669_562_000 });
    expect(
      seen!.transfers.map(({ index, token, from, to, amountRaw, blockHash }) => ({
        index,
        token,
        from,
        to,
        amountRaw,
        blockHash,
      })),
    ).toEqual([
      {
        index: 'log:0',
        token: row!.token_address,
        from: row!.from_address,
        to: row!.to_address,
        amountRaw: '5000000000000000000',
        blockHash: row!.block_hash,
      },
      {
        index: 'native',
        token: null,
        from: '0xed059bc543141c8c93031d545079b3da0233b27f',
        to: row!.to_address,
        amountRaw: '0',
        blockHash: row!.block_hash,
      },
    ]);
  });

  it('traces of two kinds of node: the same inner moves and the same undone calls', async () => {
    const names = {
      block_with_error: '0xf45bf',
      block_with_subtraces: '0xf4240',
      block_with_create: '0xf44f2',
    };
    for (const [name, block] of Object.entries(names)) {
      const geth = recorded(
        `${ETL}/test_extract_geth_traces_job/${name}/web3_response.debug_traceBlockByNumber_${block}_tracer_calltracer.json`,
      ).result;
      const flat = recorded(`${ETL}/test_export_traces_job/${name}/web3_response.trace_block_${block}.json`).result as {
        transactionPosition: number | null;
      }[];
      const positions = [...new Set(flat.map(({ transactionPosition }) => transactionPosition))].filter(
        (one) => one !== null,
      );
      expect(positions).toHaveLength(geth.length);
      for (const position of positions) {
        const parity = await readParityTrace(flat.filter((trace) => trace.transactionPosition === position));
        const tree = await readCallTrace(geth[position].result);
        expect(tree.failed, `${name} ${position}`).toBe(parity.failed);
        expect(
          tree.movements.filter(({ amountRaw }) => amountRaw > 0n),
          `${name} ${position}`,
        ).toEqual(parity.movements);
      }
    }
  });

  it('the value repeated by a CALLCODE is not a second move', async () => {
    const geth = recorded(
      `${ETL}/test_extract_geth_traces_job/block_with_subtraces/web3_response.debug_traceBlockByNumber_0xf4240_tracer_calltracer.json`,
    ).result;
    expect(await readCallTrace(geth[0].result)).toEqual({ failed: false, movements: [] });
  });

  it('a self-destruction gives what the contract held to the one it names; an old tracer leaves that unsaid', async () => {
    const flat = recorded(
      `${ETL}/test_export_traces_job/block_with_suicide/web3_response.trace_block_0xf7105.json`,
    ).result;
    const own = flat.filter((trace: { transactionPosition: number | null }) => trace.transactionPosition === 0);
    expect(await readParityTrace(own)).toEqual({
      failed: false,
      movements: [
        {
          path: '0',
          order: 1,
          from: '0x474faa5018639791952fae334e2911700ac7fe9b',
          to: '0x83973747eec131bf9a08ac64fb1a518e891bdf4b',
          amountRaw: 50_000_000_000_000_000n,
          failed: false,
        },
      ],
    });
    const folder = `${ETL}/test_extract_geth_traces_job/block_with_suicide`;
    const tree = recorded(`${folder}/web3_response.debug_traceBlockByNumber_0xf7105_tracer_calltracer.json`).result[0];
    expect(await readCallTrace(tree.result)).toEqual({ failed: false, movements: [], isPartial: true });
  });

  it('symbols and decimals: strings, 32 bytes, and the ones padded too short', async () => {
    const call = (folder: string, data: string, token: string) =>
      recorded(`${ETL}/${folder}/web3_response.eth_call_data_${data}_to_${token}_latest.json`).result as string;
    const tokens = [
      [
        'test_export_tokens_job/token_with_alternative_return_type',
        '0x86fa049857e0209aa7d9e616f7eb3b3b78ecfdb0',
        'EOS',
        18,
      ],
      ['test_export_tokens_job/token_with_invalid_data', '0xf763be8b3263c268e9789abfb3934564a7b80054', 'ETH', 18],
    ] as const;
    for (const [folder, token, symbol, decimals] of tokens) {
      const attemptAll = async (calls: { params: [{ data: string }] }[]) =>
        calls.map(({ params: [{ data }] }) => ({ result: call(folder, data, token) }));
      const facts = (await openTokenReader({ attemptAll } as unknown as Rpc)([token])).get(token)!;
      expect({ ...facts, symbol: facts.symbol.replaceAll('\0', '') }).toEqual({ symbol, decimals });
    }
  });
});

describe.skipIf(noRecordings)('recorded Kaia transaction types (skipped where ../shared/data is absent)', () => {
  it('each keeps its type, names who paid the fee, and moves exactly its value', async () => {
    const examples = (recorded('rpc-kaia-docs/examples.json') as { json: Record<string, string | null> }[])
      .map(({ json }) => json)
      .filter(({ type, from, blockNumber }) => type && from && blockNumber);
    expect(examples).toHaveLength(25);
    for (const example of examples) {
      const hash = (example.transactionHash ?? example.hash)!;
      const receipt = {
        gasUsed: '0x5208',
        status: '0x1',
        logs: [],
        ...example,
        transactionHash: hash,
        contractAddress: example.contractAddress ?? null,
      };
      const node = await serveUpstream(({ body }) => {
        const { method, params } = body as { method: string; params: string[] };
        if (method === 'eth_getTransactionByHash') return result({ ...example, hash, type: '0x0' });
        if (method === 'eth_chainId') return result('0x2019');
        if (method === 'kaia_getTransactionByHash') return result({ ...example, hash });
        if (method === 'eth_getTransactionReceipt') return result({ ...receipt, logs: [] });
        if (method === 'eth_getBlockByNumber')
          return result({ number: params[0], hash: example.blockHash, timestamp: '0x66f00000' });
        return error(-32_601, 'the method does not exist/is not available');
      });
      servers.push(node);
      const seen = await openEvm('kaia', { rpcUrl: node.url }, { pageLimit: 1 }).transaction(hash);
      expect(seen?.type).toBe(example.type);
      const to = example.to ?? receipt.contractAddress;
      expect(seen?.transfers.map(({ from, amount, amountRaw, asset }) => ({ from, amount, amountRaw, asset }))).toEqual(
        to
          ? [
              {
                from: example.from,
                amount: formatUnits(BigInt(example.value ?? 0), 18),
                amountRaw: BigInt(example.value ?? 0).toString(),
                asset: 'KAIA',
              },
            ]
          : [],
      );
      expect(seen?.accounts).toEqual([...(to ? [] : [example.from]), ...(example.feePayer ? [example.feePayer] : [])]);
    }
  });
});
