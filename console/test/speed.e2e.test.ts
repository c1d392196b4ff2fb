import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { seededPerson } from './setup/seeded-person.ts'

/** Opens a tab with an empty cache. */
async function openCold({ world, context }: ConsoleTest): Promise<Page> {
  const cold = await context.browser()?.newContext({ baseURL: world.origin, viewport: { width: 1440, height: 900 } })
  if (cold === undefined) throw new Error('the browser has ended')
  await cold.addCookies(await context.cookies())
  return cold.newPage()
}

consoleTest('the first page is painted from few and small answers', async (test) => {
  const { world, page, open, signInAs } = test
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  const cold = await openCold(test)
  const sizes: Promise<{ path: string; bytes: number }>[] = []
  const note = (request: Request): void => {
    const path = new URL(request.url()).pathname
    sizes.push(request.sizes().then(({ responseBodySize }) => ({ path, bytes: responseBodySize })))
  }
  cold.on('requestfinished', note)
  await cold.goto('/console/')
  await cold.locator('#content data').first().waitFor()
  await cold.waitForLoadState('networkidle')
  const paint = await cold.evaluate<number>(
    `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN`,
  )
  // Requests that finish later, such as prefetched pages, would be read from a closed tab.
  cold.off('requestfinished', note)
  const loaded = await Promise.all(sizes)
  await cold.context().close()
  const files = loaded.filter(({ path }) => path.startsWith('/console/'))
  const kilobytes = files.reduce((sum, { bytes }) => sum + bytes, 0) / 1024
  const calls = loaded.length - files.length
  console.log(
    `first contentful paint after ${Math.round(paint)} ms; ${files.length} files of ${Math.round(kilobytes)} KB, ${calls} calls`,
  )
  expect(paint).toBeGreaterThan(0)
  // The budget of the first load, the shell, a page, the charts and the style sheet together.
  expect(kilobytes).toBeLessThanOrEqual(330)
  expect(files.length).toBeLessThanOrEqual(35)
  expect(calls).toBeLessThanOrEqual(8)
  await open('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

consoleTest('something is painted before any script has come', async (test) => {
  const { world, page, open, signInAs } = test
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  const cold = await openCold(test)
  const { promise, resolve: release } = Promise.withResolvers<void>()
  await cold.route(/\.js$/, (route) => promise.then(() => route.continue()))
  const opened = cold.goto('/console/')
  const mark = cold.getByAltText('Weir is loading')
  await mark.waitFor()
  release()
  await opened
  await cold.locator('#content data').first().waitFor()
  expect(await mark.count()).toBe(0)
  await cold.context().close()
  await open('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

/** The number of list requests that a page sends before its first rows appear. */
async function callsUntilRows({ page, open }: ConsoleTest, path: string, list: RegExp): Promise<number> {
  let calls = 0
  const count = (request: { url(): string }): void => {
    if (list.test(new URL(request.url()).pathname)) calls += 1
  }
  page.on('request', count)
  await open(path)
  await page.locator('#content tbody tr').nth(5).waitFor()
  page.off('request', count)
  return calls
}

consoleTest('each list shows its first rows after one call, however long it is', async (test) => {
  const { world, page, signInAs } = test
  const { userId, walletId } = await seededPerson(world)
  await world.gateway.pool.query(
    `INSERT INTO api_keys (id, secret_hash, prefix, suffix, name, type, user_id, wallet_id, created_at)
      SELECT gen_random_uuid(), sha256(('spare ' || n)::bytea), 'sk-weir-', 'abcd', 'spare ' || n, 'standard', $1::uuid, $2, now() - interval '1 year'
      FROM generate_series(1, 5000) AS n`,
    [userId, walletId],
  )
  await world.gateway.pool.query(
    `INSERT INTO end_customers (id, wallet_id, external_id) SELECT gen_random_uuid(), $1, 'spare-' || n
      FROM generate_series(1, 5000) AS n`,
    [walletId],
  )
  await world.gateway.pool.query(
    `INSERT INTO runs (id, wallet_id, external_id, path)
      SELECT id, $1, 'spare-' || id, ARRAY[id] FROM (SELECT gen_random_uuid() AS id FROM generate_series(1, 5000)) AS made`,
    [walletId],
  )
  await signInAs(userId)
  for (const [path, list] of [
    ['/keys', /^\/v1\/keys$/],
    ['/customers', /^\/v1\/customers$/],
    ['/runs', /^\/v1\/runs$/],
    ['/requests?period=30d', /^\/v1\/generations$/],
    ['/ledger?kind=charge', /\/transactions$/],
  ] as const) {
    expect(await callsUntilRows(test, path, list), path).toBe(1)
    // Rows outside the viewport are not rendered.
    expect(await page.locator('#content tbody tr').count()).toBeLessThan(100)
  }
})
