import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Interface, type InterfaceAbi } from 'ethers';

export interface Deployed {
  address: string;
  abi: Interface;
}

export interface MinedTransaction {
  hash: string;
  block: number;
  blockHash: string;
  position: number;
  status: number;
  /** Smallest units. */
  fee: bigint;
  /** Index in the block of the transaction's first log. */
  firstLog: number | null;
  created: string | null;
}

/** A real EVM node that lives as long as a test file. */
export interface Anvil {
  url: string;
  accounts: string[];
  rpc: (method: string, params?: unknown[]) => Promise<unknown>;
  /** Sends from an unlocked account and waits until it is mined, failed or not. */
  send: (tx: { from: string; to?: string; value?: bigint; data?: string }) => Promise<MinedTransaction>;
  deploy: (contract: string, args?: unknown[], value?: bigint) => Promise<Deployed>;
  stop: () => Promise<void>;
}

const PROJECT = new URL('../../', import.meta.url);
const platform = { linux: 'linux', darwin: 'darwin', win32: 'win32' }[process.platform as string];
const arch = process.arch === 'x64' ? 'amd64' : process.arch;
const require = createRequire(import.meta.url);
const ANVIL = require.resolve('@foundry-rs/anvil/package.json');
/** The binary lies in the optional package of the platform, beside the package that names it. */
const BINARY = join(ANVIL, `../../anvil-${platform}-${arch}/bin/anvil${platform === 'win32' ? '.exe' : ''}`);

/** Why no anvil can run here; null when it can, and in CI, where it must. */
export const anvilMissing =
  existsSync(BINARY) || process.env.CI ? null : `no anvil binary for ${process.platform} ${process.arch}`;

/** A busy machine starts it in some seconds, and answers a call in one; a test that waits longer would wait for ever. */
const START_MS = 60_000;
const CALL_MS = 30_000;
/** It mines a transaction as it takes it: the receipt is there at once. */
const RECEIPT_ASKS_MAX = 1_000;

/** Starts anvil on a free port of 127.0.0.1; every transaction is a block, one minute after the one before. */
export async function startAnvil(options: { chainId?: number; args?: string[] } = {}): Promise<Anvil> {
  const args = ['--host', '127.0.0.1', '--port', '0', '--timestamp', String(Date.UTC(2024, 0, 1) / 1_000)];
  const chainId = ['--chain-id', String(options.chainId ?? 31_337)];
  const child = spawn(BINARY, [...args, ...chainId, '--steps-tracing', ...(options.args ?? [])]);
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    const late = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`anvil does not listen: ${output.slice(-500)}`));
    }, START_MS);
    const heard = (chunk: Buffer) => {
      output += chunk.toString();
      const listening = /Listening on (127\.0\.0\.1:\d+)/.exec(output);
      if (!listening) return;
      clearTimeout(late);
      resolve(`http://${listening[1]}`);
    };
    child.stdout.on('data', heard);
    child.stderr.on('data', heard);
    child.once('exit', (code) => {
      clearTimeout(late);
      reject(new Error(`anvil ended with ${code}: ${output.slice(-500)}`));
    });
    child.once('error', reject);
  });
  const rpc = (method: string, params: unknown[] = []) => call(url, method, params);
  await rpc('anvil_setBlockTimestampInterval', [60]);
  const accounts = ((await rpc('eth_accounts')) as string[]).map((address) => address.toLowerCase());
  const send: Anvil['send'] = async ({ from, to, value, data }) => {
    const fields = { from, to, data, value: value === undefined ? undefined : `0x${value.toString(16)}` };
    const hash = (await rpc('eth_sendTransaction', [{ ...fields, gas: '0x2dc6c0' }])) as string;
    for (let asks = 0; asks < RECEIPT_ASKS_MAX; asks++) {
      const receipt = (await rpc('eth_getTransactionReceipt', [hash])) as Record<string, unknown> | null;
      if (receipt) return mined(receipt);
      await sleep(5);
    }
    throw new Error(`anvil did not mine ${hash}`);
  };
  return {
    url,
    accounts,
    rpc,
    send,
    async deploy(contract, parameters = [], value = 0n) {
      const { abi, bytecode } = compiled(contract);
      const data = bytecode + abi.encodeDeploy(parameters).slice(2);
      const { created } = await send({ from: accounts[0]!, data, value });
      return { address: created!, abi };
    },
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill();
      await ended;
    },
  };
}

async function call(url: string, method: string, params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(CALL_MS),
  });
  const { result, error } = (await response.json()) as { result: unknown; error?: { message: string } };
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

function mined(receipt: Record<string, unknown>): MinedTransaction {
  const logs = receipt.logs as { logIndex: string }[];
  return {
    hash: String(receipt.transactionHash),
    block: Number(receipt.blockNumber),
    blockHash: String(receipt.blockHash),
    position: Number(receipt.transactionIndex),
    status: Number(receipt.status),
    fee: BigInt(String(receipt.gasUsed)) * BigInt(String(receipt.effectiveGasPrice)),
    firstLog: logs[0] ? Number(logs[0].logIndex) : null,
    created: receipt.contractAddress ? String(receipt.contractAddress).toLowerCase() : null,
  };
}

interface CompilerOutput {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: InterfaceAbi; evm: { bytecode: { object: string } } }>>;
}

let output: CompilerOutput | null = null;

/** A contract of `fixtures/contracts`, compiled once for each test process. */
function compiled(name: string): { abi: Interface; bytecode: string } {
  if (!output) {
    const solc = require('solc') as { compile: (input: string) => string };
    const files = ['tokens.sol', 'splitter.sol'];
    const sources = Object.fromEntries(
      files.map((file) => [file, { content: readFileSync(new URL(`fixtures/contracts/${file}`, PROJECT), 'utf8') }]),
    );
    const settings = { outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } } };
    output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources, settings }))) as CompilerOutput;
    const error = output.errors?.find(({ severity }) => severity === 'error');
    if (error) throw new Error(error.formattedMessage);
  }
  const contract = Object.values(output.contracts)
    .map((file) => file[name])
    .find((found) => found !== undefined);
  if (!contract) throw new Error(`no contract ${name}`);
  return { abi: new Interface(contract.abi), bytecode: `0x${contract.evm.bytecode.object}` };
}
