import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { seededPerson } from './setup/seeded-person.ts'

// 1440 × 900 at 200 % zoom, and a phone.
const sizes = [
  { width: 720, height: 450 },
  { width: 390, height: 844 },
]

/** The elements that reach over the right edge and make the page scroll sideways. */
function overflow(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const { clientWidth, scrollWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const beyond = [...document.body.querySelectorAll('*')].filter((node) => node.getBoundingClientRect().right > clientWidth)
    return [scrollWidth + ' of ' + clientWidth + ' px', ...beyond.slice(0, 5).map((node) => node.outerHTML.slice(0, 200))]
  })()`)
}

async function expectFit(page: Page, path: string): Promise<void> {
  await page.goto(`/console${path}`)
  await page.getByRole('heading').first().waitFor()
  // The data is loaded once no skeleton is left.
  await expect.poll(() => page.locator('.animate-pulse').count()).toBe(0)
  for (const size of sizes) {
    await page.setViewportSize(size)
    // A chart is rendered again after its frame is resized.
    await expect.poll(() => overflow(page), { message: `${path} at ${size.width} px` }).toEqual([])
  }
}

consoleTest('no page scrolls sideways at 200 % or on a phone', async ({ world, page, open, signInAs }) => {
  for (const path of ['/sign-in', '/sign-up', '/forgot-password']) await expectFit(page, path)
  const { userId, walletId } = await seededPerson(world)
  await signInAs(userId)
  await page.setViewportSize({ width: 1440, height: 900 })
  await open('/')
  const links = page.getByRole('navigation', { name: 'Main' }).first().getByRole('link')
  await links.first().waitFor()
  const paths = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
  const pages = new Set(paths.map((path) => path.replace('/console', '')))
  expect(pages.size).toBeGreaterThan(9)
  const { rows } = await world.gateway.pool.query<{ id: string }>(
    `SELECT 'gen-' || replace(id::text, '-', '') AS id FROM generations WHERE wallet_id = $1 AND is_failover LIMIT 1`,
    [walletId],
  )
  const others = [
    `/requests/${rows[0]?.id ?? ''}`,
    '/models/test/priced',
    '/models?compare=test%2Fpriced%2Ctest%2Fecho',
    '/nowhere',
  ]
  for (const path of [...pages, ...others]) await expectFit(page, path)
})
