import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { seededPerson } from './setup/seeded-person.ts'

const phone = { width: 390, height: 844 }

/** Fails unless the whole element is seen without scrolling sideways. */
async function expectInSight(place: Locator, name: string): Promise<void> {
  await place.waitFor()
  const box = await place.boundingBox()
  if (box === null) throw new Error(`${name} is not shown`)
  expect(box.x, name).toBeGreaterThanOrEqual(0)
  expect(box.x + box.width, name).toBeLessThanOrEqual(phone.width)
}

consoleTest('a phone shows what things cost without scrolling sideways', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId, walletId } = await seededPerson(world)
  await world.gateway.pool.query(
    `UPDATE api_keys SET spend_limit_nano = 25000000000, spend_limit_period = 'month'
      WHERE id = (SELECT id FROM api_keys WHERE wallet_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1)`,
    [walletId],
  )
  await signInAs(userId)
  await page.setViewportSize(phone)
  for (const [path, header] of [
    ['/requests?period=30d', 'Cost (USD)'],
    ['/keys', 'Spend limit (USD)'],
    ['/ledger?month=all&kind=charge', 'Amount (USD)'],
  ] as const) {
    await open(path)
    const card = page.locator('#content li[data-row]').first()
    const figure = card.locator('[data-figure]').filter({ has: page.getByText(header, { exact: true }) })
    await expectInSight(figure.getByText(header, { exact: true }), header)
    await expectInSight(figure.locator('[data-nano]'), `the amount of ${header}`)
    const isCut = await figure.evaluate((node) => node.scrollWidth > node.clientWidth)
    expect(isCut, `whether ${header} is cut`).toBe(false)
    expect(await page.locator('#content table').count(), 'tables, which scroll sideways').toBe(0)
    await expectInSight(page.getByRole('banner').locator('[data-nano]'), 'the balance')
    await look(`phone-${path.slice(1, 5)}`)
    await page.setViewportSize(phone)
  }
  await open('/requests?period=30d')
  const sum = page.locator('[data-legend]')
  await expectInSight(sum.locator('[data-nano]'), 'the sum below the histogram')
  expect(await sum.evaluate((node) => node.scrollWidth > node.clientWidth), 'whether the sum is cut').toBe(false)
  await open('/models?q=test%2Fpriced')
  await expectInSight(page.locator('#content li[data-row]').getByText('out / 1M').first(), 'the price of a model')
  await look('phone-models')
})

consoleTest('a phone reaches every page and workspace by More', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { id, slug } = await world.gateway.createOrganization({ usd: '5', name: 'Pocket Mill' })
  const { userId } = await world.gateway.addMember(id, { role: 'org_admin' })
  await signInAs(userId)
  await open('/')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  const names = await page.getByRole('navigation', { name: 'Main' }).getByRole('listitem').allTextContents()
  await page.setViewportSize(phone)
  const bar = page.getByRole('navigation', { name: 'Main' })
  expect(await bar.getByRole('link').allTextContents()).toEqual(['Overview', 'Playground', 'API keys', 'Requests'])
  await bar.getByRole('button', { name: 'More' }).click()
  const sheet = page.getByRole('dialog', { name: 'All pages' })
  await sheet.waitFor()
  expect(await sheet.getByRole('listitem').allTextContents()).toEqual(names)
  await page.evaluate('window.isSame = true')
  await sheet.getByRole('link', { name: 'Usage' }).click()
  await page.waitForURL('**/console/usage')
  await sheet.waitFor({ state: 'detached' })
  await bar.getByRole('button', { name: 'More' }).click()
  await sheet.getByRole('button', { name: 'Workspace: Personal' }).click()
  await page.getByRole('menuitem', { name: 'Pocket Mill' }).click()
  await page.waitForURL(`**/console/o/${slug}/usage`)
  await sheet.getByRole('link', { name: 'Billing' }).click()
  await page.waitForURL(`**/console/o/${slug}/credits`)
  expect(await page.evaluate('window.isSame')).toBe(true)
  await page.getByRole('banner').getByRole('button', { name: 'Workspace: Pocket Mill' }).waitFor()
  await bar.getByRole('button', { name: 'More' }).click()
  await sheet.waitFor()
  await look('phone-more')
  await page.keyboard.press('Escape')
})
