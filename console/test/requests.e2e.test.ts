import { execFile } from 'node:child_process'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { callModel } from './setup/call-model.ts'
import { consoleTest } from './setup/console-test.ts'
import { addFilter } from './setup/filters.ts'
import { seededPerson } from './setup/seeded-person.ts'
import type { World } from './setup/world.ts'

const run = promisify(execFile)

async function call(world: World, key: string, model: string): Promise<string> {
  return (await callModel(world, key, model)).generationId
}

function amountsIn(part: Locator): Promise<bigint[]> {
  return part.locator('[data-nano]').evaluateAll((found) => found.map((node) => BigInt(node.dataset['nano'] ?? '')))
}

/** The cost of a request's token counts at the price of its first candidate, rounded up once. */
async function costOnFirst({ gateway }: World, id: string): Promise<bigint> {
  const { rows } = await gateway.pool.query<{ nano: string }>(
    `SELECT ceil(1e9 * (uncached_input * (units ->> 'prompt')::numeric + text_output * (units ->> 'completion')::numeric
       + cache_read * coalesce(units ->> 'cache_read', units ->> 'prompt')::numeric)) AS nano
     FROM generations g JOIN prices p ON p.id = (routing -> 'candidates' -> 0 ->> 'priceId')::uuid
     WHERE 'gen-' || replace(g.id::text, '-', '') = $1`,
    [id],
  )
  return BigInt(rows[0]?.nano ?? '')
}

consoleTest('requests are filtered by what the URL says, and the histogram selects time', async (test) => {
  const { world, page, open, signInAs } = test
  const { userId } = await seededPerson(world)
  await signInAs(userId)
  await open('/requests?period=30d')
  await addFilter(page, 'Result', 'Not charged (any reason)')
  await page.waitForURL(/status=refunded/)
  await page
    .getByRole('cell', { name: /Provider failed|Stream interrupted|Client disconnected/ })
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Clear filters' }).click()
  await addFilter(page, 'Model', 'openai/gpt-5.2')
  await page.waitForURL(/model=openai/)
  const bars = page.getByRole('toolbar')
  await bars.getByRole('button').nth(20).click()
  await page.waitForURL(/from=/)
  await page.getByText(/^\d+ total$/).waitFor()
  const listed = Number(/^\d+/.exec((await page.locator('tfoot td').first().textContent()) ?? '')?.[0])
  const counted = /: (\d+) request/.exec((await bars.getByRole('button').nth(20).getAttribute('title')) ?? '')?.[1]
  expect(listed).toBe(Number(counted))
  expect(listed).toBeGreaterThan(0)
})

consoleTest('a request appears while the list is live, and no more once it is paused', async (test) => {
  const { world, page, open, signInAs } = test
  const caller = await world.gateway.createClient()
  await signInAs(caller.userId)
  await open('/requests')
  await page.getByRole('heading', { name: 'No requests in this period' }).waitFor()
  await page.getByRole('button', { name: 'Go live' }).click()
  const first = await call(world, caller.key, 'test/priced')
  await page.locator(`a[href*="${first}"]`).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.waitForURL((url) => !url.search.includes('live'))
  await expect.poll(() => page.getByRole('row').count()).toBe(3)
})

consoleTest('a receipt is recomputed in the browser and equals the ledger', async (test) => {
  const { world, page, open, signInAs, look } = test
  const caller = await world.gateway.createClient()
  const id = await call(world, caller.key, 'test/priced')
  await signInAs(caller.userId)
  await open('/requests')
  await page.locator(`a[href*="${id}"]`).click()
  await page.waitForURL(`**/console/requests/${id}`)
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Matches the ledger', { exact: true }).waitFor()
  const { rows } = await world.gateway.pool.query<{ nano: string }>(
    `SELECT amount_nano AS nano FROM ledger_transfers WHERE wallet_id = $1 AND kind = 'charge'`,
    [caller.walletId],
  )
  expect(rows).toHaveLength(1)
  expect(await sheet.locator('[data-nano]').first().getAttribute('data-nano')).toBe(rows[0]?.nano)
  expect(await sheet.locator('[data-recomputed]').getAttribute('data-recomputed')).toBe(rows[0]?.nano)
  const { rows: holds } = await world.gateway.pool.query<{ nano: string }>(
    'SELECT held_nano AS nano FROM generations WHERE wallet_id = $1',
    [caller.walletId],
  )
  const [held, charged, returned] = await amountsIn(sheet.getByRole('list', { name: 'Hold and charge' }))
  expect([held, charged]).toEqual([BigInt(holds[0]?.nano ?? ''), BigInt(rows[0]?.nano ?? '')])
  expect(returned).toBe((held ?? 0n) - (charged ?? 0n))
  await look('receipt')
  await page.keyboard.press('Escape')
  await page.waitForURL('**/console/requests')
})

consoleTest('the programs that a receipt offers recompute its amount', async (test) => {
  const { world, page, open, signInAs } = test
  const caller = await world.gateway.createClient()
  const id = await call(world, caller.key, 'test/priced')
  await signInAs(caller.userId)
  await open(`/requests/${id}`)
  const sheet = page.getByRole('dialog')
  const charged = await sheet.locator('[data-nano]').first().getAttribute('data-nano')
  const folder = await mkdtemp(join(tmpdir(), 'weir-receipt-'))
  for (const { tab, file, program } of [
    { tab: 'TypeScript', file: 'receipt.ts', program: process.execPath },
    { tab: 'Python', file: 'receipt.py', program: 'python3' },
  ]) {
    await sheet.getByRole('tab', { name: tab }).click()
    const code = (await sheet.getByRole('tabpanel', { name: tab }).locator('pre').textContent()) ?? ''
    expect(code.trim().split('\n').length).toBeLessThanOrEqual(17)
    await writeFile(join(folder, file), code)
    const { stdout } = await run(program, [join(folder, file)], { env: { ...process.env, WEIR_KEY: caller.key } })
    expect(stdout.trim()).toBe(`${charged} nano-USD matches the receipt`)
  }
})

consoleTest('a receipt names a failover, and why nothing was charged', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId, walletId } = await seededPerson(world)
  const find = async (condition: string) => {
    const { rows } = await world.gateway.pool.query<{ id: string }>(
      `SELECT 'gen-' || replace(id::text, '-', '') AS id FROM generations WHERE wallet_id = $1 AND ${condition} LIMIT 1`,
      [walletId],
    )
    return rows[0]?.id ?? ''
  }
  await signInAs(userId)
  const failover = await find('is_failover AND refund_reason IS NULL')
  await open(`/requests/${failover}`)
  await page.getByText('Failover', { exact: true }).waitFor()
  await page.getByText('Matches the ledger', { exact: true }).waitFor()
  expect(await page.getByRole('list', { name: 'Attempt timeline' }).getByRole('listitem').count()).toBe(2)
  expect(await amountsIn(page.getByText('Would have cost'))).toEqual([await costOnFirst(world, failover)])
  await look('receipt-failover')
  await open(`/requests/${await find(`refund_reason = 'upstream_failed'`)}`)
  await page.getByText('No provider returned a usable response.').waitFor()
  await page.getByText('Matches the ledger (no charge)').waitFor()
})

consoleTest('an id that never was is answered in words, with its request id', async (test) => {
  const { world, page, open, signInAs, tolerate } = test
  tolerate(/status of 404/)
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/requests')
  await page.getByLabel('Request ID').fill('gen-0')
  await page.getByLabel('Request ID').press('Enter')
  await page.getByText('Enter a full request ID: gen- or req_ plus 32 characters.').waitFor()
  await page.getByLabel('Request ID').fill(`gen-${'0'.repeat(32)}`)
  await page.getByLabel('Request ID').press('Enter')
  await page.getByRole('dialog').getByRole('alert').waitFor()
})
