import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { transferOf } from '../../graph-loaders/transfers/transfer-row.ts';
import { dayOf } from '../../src/domain/time.ts';
import type { Transfer } from '../../src/domain/transfers/transfer.ts';
import { openPrices, savePrices } from '../../src/prices/price-store.ts';
import { openRecords, type Records } from '../../src/records/database/database.ts';

const A = '0x00000000000000000000000000000000000000a1';
const transfer = (asset: string, amount: string, day: string, usd: number | null = null): Transfer =>
  transferOf({
    chain: 'ethereum',
    txHash: 'tx',
    index: '0',
    block: null,
    at: Date.parse(`${day}T13:00:00Z`),
    from: A,
    to: A,
    asset,
    amount,
    usd,
  });

async function records(): Promise<Records> {
  const opened = await openRecords({ path: null });
  onTestFinished(() => opened.destroy());
  return opened;
}

/** A price API on loopback; answers with what `reply` makes of the path. */
async function priceApi(
  reply: (url: URL) => { status: number; body: string },
): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url!, 'http://x');
    asked.push(`${url.pathname}${url.search}`);
    const { status, body } = reply(url);
    response.writeHead(status, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`, asked };
}

it('a verified stablecoin is worth its amount, a wrapped coin is priced as the coin, a given value stays', async () => {
  const store = await records();
  await savePrices(store, [{ date: '2024-01-05', asset: 'ETH', usd: 2_000 }]);
  const transfers = [
    transfer('USDC', '12.5', '2024-01-05'),
    transfer('WETH', '2', '2024-01-05'),
    transfer('ETH', '2', '2024-01-05', 1),
  ];
  await openPrices(store).price(transfers);
  expect(transfers.map((one) => one.usd)).toEqual([12.5, 4_000, 1]);
});

it('a day without a price takes the nearest earlier one of at most seven days, never a later one', async () => {
  const store = await records();
  await savePrices(store, [
    { date: '2024-01-04', asset: 'ETH', usd: 1_000 },
    { date: '2024-01-05', asset: 'ETH', usd: 2_000 },
    { date: '2024-02-01', asset: 'ETH', usd: 3_000 },
  ]);
  const days = ['2024-01-03', '2024-01-04', '2024-01-07', '2024-01-12', '2024-01-13', '2024-01-31'];
  const transfers = days.map((day) => transfer('ETH', '1', day));
  await openPrices(store).price(transfers);
  expect(transfers.map((one) => one.usd)).toEqual([null, 1_000, 2_000, 2_000, null, null]);
});

it('a token that is not verified is never priced, whatever it calls itself, and no NFT is', async () => {
  const store = await records();
  await savePrices(store, [{ date: '2024-01-05', asset: 'SHADY', usd: 5 }]);
  const fake = transfer(`USDT:${A}`, '1000000', '2024-01-05');
  const nft: Transfer = { ...transfer('USDC', '1', '2024-01-05'), kind: 'nft' };
  const transfers = [fake, transfer('SHADY', '1', '2024-01-05'), nft];
  await openPrices(store).price(transfers);
  expect(transfers.map((one) => one.usd)).toEqual([null, null, null]);
  expect(fake.asset).toBe(`USDT:${A}`);
});

it('the price API fills what was not loaded, once for all days, and is not asked again', async () => {
  const store = await records();
  const day = (date: string, hour = 0) => Date.parse(`${date}T${String(hour).padStart(2, '0')}:00:00Z`);
  const prices = [
    [day('2024-03-01', 5), 111],
    [day('2024-03-01'), 100],
    [day('2024-03-02'), 200],
    [day('2024-03-03'), null],
  ];
  const api = await priceApi(() => ({ status: 200, body: JSON.stringify({ prices }) }));
  const transfers = [
    transfer('ETH', '1', '2024-03-01'),
    transfer('ETH', '2', '2024-03-02'),
    transfer('ETH', '1', '2024-03-03'),
  ];
  await openPrices(store, { apiUrl: api.url }).price(transfers);
  expect(transfers.map((one) => one.usd)).toEqual([100, 400, 200]);
  expect(api.asked).toEqual([
    `/api/v3/coins/ethereum/market_chart/range?vs_currency=usd&from=${day('2024-03-01') / 1_000}&to=${day('2024-03-04') / 1_000}`,
  ]);
  const again = [transfer('ETH', '1', '2024-03-02')];
  await openPrices(store, { apiUrl: api.url }).price(again);
  expect(again[0]?.usd).toBe(200);
  expect(api.asked).toHaveLength(1);
});

it('asks the price API with the parameters of its own URL, as CoinGecko takes a key', async () => {
  const api = await priceApi(() => ({ status: 200, body: '{"prices":[]}' }));
  const prices = openPrices(await records(), { apiUrl: `${api.url}/?x_cg_demo_api_key=CG-1` });
  await prices.price([transfer('ETH', '1', '2024-03-01')]);
  expect(api.asked).toEqual([
    expect.stringMatching(
      /^\/api\/v3\/coins\/ethereum\/market_chart\/range\?vs_currency=usd&.*&x_cg_demo_api_key=CG-1$/,
    ),
  ]);
});

it.each([
  ['an error', { status: 429, body: '{}' }],
  ['no JSON', { status: 200, body: '<html>' }],
  ['a page of its proxy', { status: 429, body: '<!DOCTYPE html><title>Rate limited</title>' }],
  ['another shape', { status: 200, body: '{"prices":[["x",1]]}' }],
])('a price API that answers with %s leaves the price unknown and is left alone for a while', async (_, reply) => {
  const store = await records();
  const api = await priceApi(() => reply);
  const prices = openPrices(store, { apiUrl: api.url });
  const transfers = [transfer('ETH', '1', '2024-03-01')];
  await prices.price(transfers);
  await prices.price(transfers);
  expect(transfers[0]?.usd).toBeNull();
  expect(api.asked).toHaveLength(1);
});

it('a price API that refuses old days is asked for the others at once, and never again for old ones', async () => {
  const store = await records();
  const today = Math.floor(Date.now() / 86_400_000);
  const dayBack = (days: number) => dayOf((today - days) * 86_400_000);
  const api = await priceApi((url) => {
    const from = Number(url.searchParams.get('from')) / 86_400;
    const message = 'Your plan is limited to querying historical data within the past 30 days.';
    if (from < today - 30)
      return {
        status: 401,
        body: JSON.stringify({ error: { status: { error_code: 10012, error_message: message } } }),
      };
    return { status: 200, body: JSON.stringify({ prices: [[(today - 9) * 86_400_000, 7]] }) };
  });
  const prices = openPrices(store, { apiUrl: api.url });
  const transfers = [transfer('ETH', '1', dayBack(400)), transfer('ETH', '2', dayBack(9))];
  await prices.price(transfers);
  expect(transfers.map((one) => one.usd)).toEqual([null, 14]);
  expect(api.asked).toHaveLength(2);
  await prices.price([transfer('ETH', '1', dayBack(400))]);
  expect(api.asked).toHaveLength(2);
});

it('knows the dollars of a yen on a day and over a weekend, and nothing where no rate was loaded', async () => {
  const store = await records();
  const moments = [6, 8, 20].map((day) => ({ at: Date.UTC(2026, 2, day, 10) }));
  const [friday, sunday, late] = moments.map(({ at }) => at) as [number, number, number];
  expect((await openPrices(store).usdPerYen(moments))(friday)).toBeNull();
  await savePrices(store, [{ date: '2026-03-06', asset: 'JPY', usd: 0.0066 }]);
  const usdPerYen = await openPrices(store).usdPerYen(moments);
  expect(usdPerYen(friday)).toBe(0.0066);
  expect(usdPerYen(sunday)).toBe(0.0066);
  expect(usdPerYen(late)).toBeNull();
  expect((await openPrices(store).usdPerYen([]))(friday)).toBeNull();
});

it('asks DefiLlama for a token by its contract and for a coin by its id, in spans of five hundred days', async () => {
  const store = await records();
  const second = (date: string) => Date.parse(`${date}T00:00:00Z`) / 1_000;
  const api = await priceApi((url) => {
    const coin = decodeURIComponent(url.pathname.split('/').at(-1)!);
    const [start, span] = [Number(url.searchParams.get('start')), Number(url.searchParams.get('span'))];
    const prices = Array.from({ length: span }, (_, day) => ({ timestamp: start + day * 86_400, price: 14 }));
    return { status: 200, body: JSON.stringify({ coins: { [coin]: { symbol: 'X', prices }, other: { prices: [] } } }) };
  });
  const prices = openPrices(store, { apiUrl: api.url, apiStyle: 'defillama' });
  const transfers = [
    transfer('LINK', '2', '2024-03-01'),
    transfer('ETH', '1', '2022-03-01'),
    transfer('ETH', '1', '2024-03-01'),
  ];
  await prices.price(transfers);
  expect(transfers.map((one) => one.usd)).toEqual([28, 14, 14]);
  expect(api.asked).toEqual([
    `/api/v3/chart/ethereum:0x514910771af9ca656af840dff83e8264ecf986ca?start=${second('2024-03-01')}&span=1&period=1d`,
    `/api/v3/chart/coingecko:ethereum?start=${second('2022-03-01')}&span=500&period=1d`,
    `/api/v3/chart/coingecko:ethereum?start=${second('2023-07-14')}&span=232&period=1d`,
  ]);
  expect(await store.selectFrom('prices').select('source').distinct().execute()).toEqual([{ source: 'defillama' }]);
});

it('refuses a price of the API that jumps a thousandfold, keeps the last good one and says so', async () => {
  const store = await records();
  await savePrices(store, [{ date: '2024-03-01', asset: 'ETH', usd: 2_000 }]);
  const at = (date: string) => Date.parse(`${date}T00:00:00Z`);
  const points = [
    [at('2024-03-09'), 0],
    [at('2024-03-10'), 2_100_000],
    [at('2024-03-11'), 1.9],
    [at('2024-03-12'), 1_999_999],
    [at('2024-03-13'), 2_000_000],
    [at('2024-03-14'), 2],
  ];
  const api = await priceApi(() => ({ status: 200, body: JSON.stringify({ prices: points }) }));
  const warned: unknown[] = [];
  const prices = openPrices(store, {
    apiUrl: api.url,
    log: { warn: (price: unknown) => void warned.push(price) } as never,
  });
  const transfers = points.map(([day]) => transfer('ETH', '1', dayOf(day!)));
  await prices.price(transfers);
  expect(transfers.map((one) => one.usd)).toEqual([null, null, null, 1_999_999, 1_999_999, 1_999_999]);
  const refused = [
    { date: '2024-03-10', asset: 'ETH', usd: 2_100_000 },
    { date: '2024-03-11', asset: 'ETH', usd: 1.9 },
    { date: '2024-03-13', asset: 'ETH', usd: 2_000_000 },
    { date: '2024-03-14', asset: 'ETH', usd: 2 },
  ];
  expect(warned).toEqual(refused);
  expect(prices.refusals).toEqual(refused);
});
