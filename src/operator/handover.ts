import { chmodSync, rmSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { relative } from 'node:path';
import { createInterface } from 'node:readline';
import { type RefreshedList, refreshKeptLists } from '../../graph-loaders/kept/refresh-lists.ts';
import { distrust } from '../../graph-loaders/labels/signed.ts';
import { load } from '../../graph-loaders/load.ts';
import type { LoadRequest } from '../../graph-loaders/load-request.ts';
import type { LoadReport } from '../../graph-loaders/reading/tally.ts';
import type { Context } from '../context.ts';
import type { Chain } from '../domain/chain.ts';
import { AppError, ClosingError, InvalidInputError, UnavailableError } from '../errors.ts';
import { type GraphStats, graphStats } from '../graph/queries/stats.ts';
import type { AskedStatement } from '../graph/recorded.ts';
import { type DecidedReport, decideReport, type ScamDecision } from '../questions/scamdb.ts';
import { askedCypher, type GraphQuestion } from './asked-cypher.ts';
import { type BackupManifest, backUp } from './backup.ts';
import { type CaseFile, writeCaseFile } from './export-case-file.ts';
import { type ExportReport, exportFiles } from './export-files.ts';
import { type ForgetReport, type ForgetRequest, forget } from './forget.ts';
import { type ForgottenReport, forgetEverywhere } from './forget-everywhere.ts';

/** Work that needs the graph, which one process alone can hold. */
export type HandoverRequest =
  | ({ kind: 'load' } & LoadRequest)
  | { kind: 'graph_stats' }
  | { kind: 'graph_export'; folder: string; format?: 'csv' }
  | ({ kind: 'cypher' } & GraphQuestion)
  | ({ kind: 'graph_forget' } & ForgetRequest)
  | { kind: 'forget_everywhere'; address: string; chain?: Chain }
  | { kind: 'backup'; folder: string }
  | ({ kind: 'case_export' } & CaseFile)
  | { kind: 'lists_refresh'; source?: string; endings?: 'end' | 'keep' }
  | { kind: 'labels_distrust'; did: string }
  | ({ kind: 'scamdb_decide' } & ScamDecision);

interface Answers {
  load: LoadReport;
  graph_stats: GraphStats;
  graph_export: ExportReport;
  cypher: AskedStatement[];
  graph_forget: ForgetReport;
  forget_everywhere: ForgottenReport;
  backup: BackupManifest;
  case_export: Awaited<ReturnType<typeof writeCaseFile>>;
  lists_refresh: RefreshedList[];
  labels_distrust: Awaited<ReturnType<typeof distrust>>;
  scamdb_decide: DecidedReport;
}
type Handled<Request extends HandoverRequest> = Answers[Request['kind']];

/** One line of the answer: any number of progresses, then a result or an error. */
type Message = { progress: number } | { result: unknown } | { error: string; status: number };

const REQUEST_CHARACTERS_MAX = 64 * 1024;
/** The kernel keeps a socket's path in 108 bytes. */
const PATH_BYTES_MAX = 107;

export interface Handover {
  /** Ends what runs, between two batches, and takes the socket away. */
  close(): Promise<void>;
}

/**
 * Takes work from the operator's commands over a Unix socket that only its owner can open, one after another. A socket
 * left by a killed process is replaced. Throws when another server listens there.
 */
export async function listenForHandover(ctx: Context, path: string): Promise<Handover> {
  const place = shortest(path);
  if (await isAnswering(place)) {
    throw new UnavailableError(
      `Another server is running on ${path}. To run several, set NEO4J_URI and REDIS_URL (and DATABASE_URL on several hosts).`,
      1,
    );
  }
  rmSync(place, { force: true });
  const closing = new AbortController();
  const open = new Set<Socket>();
  let queue: Promise<void> = Promise.resolve();
  const server = createServer((socket) => {
    open.add(socket);
    const gone = new AbortController();
    socket.on('error', () => {});
    socket.on('close', () => {
      open.delete(socket);
      gone.abort(new UnavailableError('The command was ended', 1));
    });
    const signal = AbortSignal.any([closing.signal, gone.signal]);
    const send = (message: Message) => socket.writable && socket.write(`${JSON.stringify(message)}\n`);
    onFirstLine(socket, (line) => {
      const request = parse(line);
      queue = queue.then(async () => {
        send(await answerTo(ctx, request, signal, (progress) => send({ progress })));
        socket.end();
      });
    });
  });
  await listen(server, place);
  return {
    close: async () => {
      closing.abort(new ClosingError());
      await queue;
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Hands work to the server that listens there; null when there is none. Throws with the server's text when it fails. */
export async function handOver<Request extends HandoverRequest>(
  path: string,
  request: Request,
  onProgress?: (rows: number) => void,
): Promise<Handled<Request> | null> {
  const socket = await connect(shortest(path));
  if (!socket) return null;
  socket.write(`${JSON.stringify(request)}\n`);
  for await (const line of createInterface({ input: socket })) {
    const message = JSON.parse(line) as Message;
    if ('progress' in message) onProgress?.(message.progress);
    else if ('result' in message) return message.result as Handled<Request>;
    else if (message.status === 400) throw new InvalidInputError(message.error);
    else throw new UnavailableError(message.error, 1);
  }
  throw new UnavailableError('The server ended before the work was done', 1);
}

function parse(line: string): HandoverRequest | null {
  try {
    return JSON.parse(line) as HandoverRequest | null;
  } catch {
    return null;
  }
}

async function answerTo(
  ctx: Context,
  request: HandoverRequest | null,
  signal: AbortSignal,
  onProgress: (rows: number) => void,
): Promise<Message> {
  try {
    signal.throwIfAborted();
    if (request === null) throw new InvalidInputError('Unknown request');
    if (request.kind === 'graph_stats') return { result: await graphStats(ctx.graph) };
    if (request.kind === 'backup') return { result: await backUp(ctx, request.folder) };
    if (request.kind === 'case_export') return { result: await writeCaseFile(ctx, request) };
    if (request.kind === 'graph_export')
      return { result: await exportFiles(ctx.graph, request.folder, request.format) };
    if (request.kind === 'cypher') return { result: await askedCypher(ctx, request) };
    if (request.kind === 'graph_forget') return { result: await forget(ctx, request, { signal, onProgress }) };
    if (request.kind === 'forget_everywhere') return { result: await forgetEverywhere(ctx, request, { signal }) };
    if (request.kind === 'load') return { result: await load(request, ctx, { signal, onProgress }) };
    if (request.kind === 'lists_refresh') return { result: await refreshKeptLists(ctx, request, signal) };
    if (request.kind === 'labels_distrust') return { result: await distrust(ctx, request.did) };
    if (request.kind === 'scamdb_decide') return { result: await decideReport(ctx, request) };
    throw new InvalidInputError('Unknown request');
  } catch (error) {
    if (error instanceof AppError) return { error: error.message, status: error.status };
    ctx.log.error({ err: error }, 'handed-over work failed');
    return { error: error instanceof Error ? error.message : String(error), status: 500 };
  }
}

function onFirstLine(socket: Socket, take: (line: string) => void): void {
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', function read(chunk) {
    text += chunk;
    const end = text.indexOf('\n');
    if (end === -1 && text.length <= REQUEST_CHARACTERS_MAX) return;
    socket.off('data', read);
    socket.resume();
    if (end === -1) socket.destroy();
    else take(text.slice(0, end));
  });
}

function listen(server: ReturnType<typeof createServer>, place: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(place, resolve);
    // Binding happens in the call above, accepting in a later turn: nobody comes in between.
    chmodSync(place, 0o600);
  });
}

async function isAnswering(place: string): Promise<boolean> {
  const socket = await connect(place);
  socket?.destroy();
  return socket !== null;
}

function connect(place: string): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(place);
    socket.once('connect', () => resolve(socket));
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (['ENOENT', 'ECONNREFUSED', 'ENOTSOCK'].includes(error.code ?? '')) resolve(null);
      else reject(new UnavailableError(`Cannot reach ${place}: ${error.message}`, 1, { cause: error }));
    });
  });
}

/** The relative path where it is the shorter one. Throws when neither fits into a socket's address. */
function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path);
  const place = fromHere.length < path.length ? fromHere : path;
  if (Buffer.byteLength(place) <= PATH_BYTES_MAX) return place;
  throw new UnavailableError(`${path} is too long for a socket: choose a shorter DATA_DIR`, 1);
}
