import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { summedUp } from './setup/seeded-person.ts'

consoleTest('the axis of small amounts is never cut, and begins with its unit', async (test) => {
  const { world, page, open, signInAs } = test
  const { userId, key, walletId } = await world.gateway.createClient({ usd: '1' })
  const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
  expect((await world.gateway.as(key).post('/v1/chat/completions', body)).status).toBe(200)
  await expect.poll(async () => (await world.gateway.walletOf(walletId)).charged).not.toBe('0')
  await summedUp(world.gateway, { walletId })
  await signInAs(userId)
  await open('/usage?period=7d')
  await page.locator('[data-sum="chart"] [data-nano="4000"]').waitFor()
  const ticks = page.locator('svg.recharts-surface text').filter({ hasText: '$' })
  await ticks.first().waitFor()
  const drawing = await page.locator('svg.recharts-surface').first().boundingBox()
  for (const tick of await ticks.all()) {
    const [text, box] = [await tick.textContent(), await tick.boundingBox()]
    expect(text).toMatch(/^\$[\d.]+[a-z]?$/i)
    expect(box?.x, text ?? '').toBeGreaterThanOrEqual(drawing?.x ?? 0)
  }
  expect(await ticks.count()).toBeGreaterThan(2)
})

consoleTest('a chart without amounts says so instead of drawing an empty frame', async (test) => {
  const { world, page, open, signInAs } = test
  const { userId } = await world.gateway.createClient({ usd: '1' })
  await signInAs(userId)
  await open('/usage?period=7d')
  await page.getByText('Nothing in this period.').first().waitFor()
  expect(await page.locator('svg.recharts-surface').count()).toBe(0)
})
