import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Books, openBooks } from './setup/books.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { takeCover } from './setup/pictures.ts'
import { seededPerson } from './setup/seeded-person.ts'

const dayMs = 86_400_000

/** Every amount on the page, in document order. */
function amountsOf(page: Page): Promise<bigint[]> {
  return page
    .locator('#content [data-nano]')
    .evaluateAll((found) => found.map((node) => BigInt(node.dataset['nano'] ?? '')))
}

/** The request ids in a table, in its order. */
function idsOf(page: Page): Promise<string[]> {
  return page
    .locator('#content a[href*="/requests/gen-"]')
    .evaluateAll((found) => found.map((node) => /gen-[0-9a-f]+/.exec(node.getAttribute('href') ?? '')?.[0] ?? ''))
}

async function openAs({ world, signInAs, open }: ConsoleTest, path: string): Promise<Books> {
  const person = await seededPerson(world)
  await signInAs(person.userId)
  await open(path)
  return openBooks(world.gateway.pool, person)
}

async function csvOf(page: Page): Promise<string[][]> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: /^Export .*rows? as CSV/ }).click(),
  ])
  const text = await readFile(await download.path(), 'utf8')
  return text.split('\r\n').map((line) => line.split(','))
}

/** Sums a column of USD in nano-USD, from its digits. */
function sumOf([head = [], ...rows]: readonly (readonly string[])[], name: string): bigint {
  const place = head.indexOf(name)
  expect(place).toBeGreaterThanOrEqual(0)
  return rows.reduce((sum, row) => {
    const [whole = '0', fraction = ''] = (row[place] ?? '').split('.')
    return sum + BigInt(whole + fraction.padEnd(9, '0'))
  }, 0n)
}

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
const tomorrow = (): number => (Math.floor(Date.now() / dayMs) + 1) * dayMs
const startOfMonth = (): number => Date.parse(`${new Date().toISOString().slice(0, 7)}-01T00:00:00Z`)

consoleTest('every amount of the overview is what the ledger says', async (test) => {
  const { page, look } = test
  const books = await openAs(test, '/')
  await page.getByText('for 1', { exact: false }).first().waitFor()
  await page.locator('a[href*="/requests/gen-"]').nth(7).waitFor()
  await page.locator('.recharts-bar').first().waitFor()
  const [paid, granted, charged] = [await books.sum('top_up'), await books.sum('grant'), -(await books.sum('charge'))]
  const charges = await books.charges()
  const held = await books.held()
  expect(await amountsOf(page)).toEqual([
    paid + granted - charged - held,
    paid,
    granted,
    charged,
    held,
    -(await books.sum('charge', tomorrow() - 30 * dayMs)),
    ...(await idsOf(page)).map((id) => charges.get(id) ?? 0n),
  ])
  await look('overview-month')
  await takeCover(page)
})

consoleTest('every amount of the list of requests is what the ledger says', async (test) => {
  const { page, look } = test
  const books = await openAs(test, '/requests?period=30d')
  await page.locator('[data-sum="span"]').waitFor()
  await page.locator('tfoot').waitFor()
  const ids = await idsOf(page)
  expect(ids.length).toBeGreaterThan(20)
  const charges = await books.charges()
  const amounts = await amountsOf(page)
  expect(amounts.slice(0, -1)).toEqual([
    -(await books.sum('charge', tomorrow() - 30 * dayMs)),
    ...ids.map((id) => charges.get(id) ?? 0n),
  ])
  const exported = await csvOf(page)
  expect(sumOf(exported, 'Cost (USD)')).toBe(-(await books.sum('charge', tomorrow() - 30 * dayMs)))
  // The export has loaded the rest of the list, so the sum below the rows is the same.
  await page.getByText(/ total$/).waitFor()
  expect((await amountsOf(page)).at(-1)).toBe(sumOf(exported, 'Cost (USD)'))
  await look('requests')
})

consoleTest('usage, statement and CSV of this month agree with the ledger', async (test) => {
  const { page, look } = test
  const books = await openAs(test, '/usage')
  await page.getByText(/^Matches the .* ledger$/).waitFor()
  await page.getByText('Cache savings').waitFor()
  await page.locator('.recharts-bar').first().waitFor()
  await page.getByText(/^Spend went from/).waitFor()
  const spent = -(await books.sum('charge', startOfMonth()))
  const spentBefore = -(await books.sum('charge', 2 * startOfMonth() - tomorrow(), startOfMonth()))
  const models = await books.byModel(startOfMonth(), tomorrow())
  expect(sum(models.map(([, nano]) => nano))).toBe(spent)
  expect(await amountsOf(page)).toEqual([
    spent,
    spent,
    ...models.map(([, nano]) => nano),
    spent,
    spentBefore,
    spent,
    await books.cacheSavings(tomorrow() - 30 * dayMs),
  ])
  expect(sumOf(await csvOf(page), 'Spend (USD)')).toBe(spent)
  await look('usage')
  await page.getByRole('tab', { name: 'By API key' }).click()
  await page.getByRole('region', { name: 'Usage by API key' }).locator('tfoot').waitFor()
  expect(sumOf(await csvOf(page), 'Spend (USD)')).toBe(spent)
})

consoleTest('another time zone regroups the hours and changes no sum', async (test) => {
  const { page } = test
  const books = await openAs(test, '/usage?period=30d&zone=Asia/Tokyo')
  const shown = page.locator('[data-sum="chart"] [data-nano]')
  await page.locator('[data-sum="chart"]').getByText('Asia/Tokyo').waitFor()
  expect(await shown.getAttribute('data-nano')).toBe(String(-(await books.sum('charge', tomorrow() - 30 * dayMs))))
  await page.getByRole('button', { name: 'Show as table' }).click()
  await page.getByRole('columnheader', { name: 'Time (Asia/Tokyo)' }).waitFor()
})

consoleTest('a month on another model costs what its tokens come to', async (test) => {
  const { world, page, look } = test
  const { walletId } = await seededPerson(world)
  await openAs(test, '/models/test/priced')
  await page.getByText('Spend on all text models', { exact: true }).waitFor()
  await page.getByRole('heading', { name: "Your last 30 days at this model's prices", exact: true }).waitFor()
  // A prompt token of test/priced costs 1,000 nano-USD, and an output token costs 2,000.
  const { rows } = await world.gateway.pool.query<{ spent: string; would: string }>(
    `SELECT sum(cost_nano) AS spent, sum(1000 * (uncached_input + cache_read + cache_write_5m + cache_write_1h)
       + 2000 * (text_output + reasoning_output)) AS would
     FROM generations WHERE wallet_id = $1 AND started_at >= to_timestamp($2 / 1000.0)
       AND endpoint IN ('chat', 'messages', 'responses') GROUP BY model ORDER BY sum(cost_nano) DESC`,
    [walletId, tomorrow() - 30 * dayMs],
  )
  const uses = rows.map((row) => [BigInt(row.spent), BigInt(row.would)] as const)
  const [spent, would] = [sum(uses.map(([nano]) => nano)), sum(uses.map(([, nano]) => nano))]
  const shown = await amountsOf(page)
  expect(shown.slice(0, 3)).toEqual([spent, would, spent > would ? spent - would : would - spent])
  expect(shown.slice(3, 3 + uses.length * 2)).toEqual(uses.flat())
  await look('model-what-if')
})

consoleTest('every amount of a statement and its rows is what the ledger says', async (test) => {
  const { page, look } = test
  const books = await openAs(test, '/ledger?kind=charge')
  await page.getByText('Totals match').waitFor()
  await page.locator('tfoot').waitFor()
  const kinds = ['charge', 'top_up', 'grant'] as const
  const opening = sum(await Promise.all(kinds.map((kind) => books.sum(kind, 0, startOfMonth()))))
  const booked = await Promise.all(kinds.map((kind) => books.sum(kind, startOfMonth())))
  const ids = await idsOf(page)
  const [charges, balances] = [await books.charges(), await books.balances()]
  const amounts = await amountsOf(page)
  expect(amounts.slice(0, -1)).toEqual([
    opening,
    ...booked.filter((nano, index) => nano !== 0n || index === 0),
    opening + sum(booked),
    ...ids.flatMap((id) => [-(charges.get(id) ?? 0n), balances.get(id) ?? 0n]),
  ])
  const exported = await csvOf(page)
  expect(sumOf(exported, 'Amount (USD)')).toBe(booked[0])
  // The export has loaded the rest of the list, so the sum below the rows is the same.
  await page.getByText(/ total$/).waitFor()
  expect(await page.locator('tfoot [data-nano]').getAttribute('data-nano')).toBe(String(booked[0]))
  await look('ledger')
})
