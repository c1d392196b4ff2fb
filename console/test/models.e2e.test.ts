import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { openFilter, typeFilter } from './setup/filters.ts'

consoleTest(
  'filters of models are in the URL, and a link shows the same models',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createClient()
    await signInAs(userId)
    await open('/models?author=test')
    await page.getByRole('link', { name: 'test/echo' }).waitFor()
    await openFilter(page, 'Output')
    await page.getByRole('option', { name: /^video \(\d+\)$/ }).click()
    await page.waitForURL(/makes=video/)
    await page.getByLabel('Search models').fill('test')
    await page.getByRole('link', { name: 'test/echo' }).waitFor({ state: 'detached' })
    await page.waitForURL(/q=test/)
    const url = new URL(page.url())
    expect([url.searchParams.get('makes'), url.searchParams.get('q')]).toEqual(['video', 'test'])
    await page.reload()
    await page.getByRole('link', { name: 'test/video' }).waitFor()
    expect(await page.getByRole('link', { name: /^test\// }).count()).toBe(1)
    await look('models')
  },
)

consoleTest('models are compared side by side, and each has a page', async ({ world, page, open, signInAs, look }) => {
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/models?q=test')
  await page.getByLabel('Compare test/priced', { exact: true }).check()
  await page.getByLabel('Compare test/echo', { exact: true }).check()
  const table = page.getByRole('region', { name: 'Model comparison' })
  await table.getByRole('columnheader', { name: 'test/echo' }).waitFor()
  expect(new URL(page.url()).searchParams.get('compare')).toBe('test/priced,test/echo')
  const output = table.getByRole('row').filter({ hasText: /^Output/ })
  expect(await output.getByRole('cell').allTextContents()).toEqual(['$2.00', '$0.00'])
  await look('models-compare')
  await table.getByRole('link', { name: 'test/priced' }).click()
  await page.getByRole('heading', { name: 'Pricing' }).waitFor()
  await page.getByRole('tab', { name: 'Python' }).click()
  await page.getByText('"model\\":\\"test/priced').waitFor()
  await look('model')
  await page.getByRole('link', { name: 'Open in playground' }).click()
  await page.getByRole('button', { name: 'Remove test/priced' }).waitFor()
})

consoleTest('models that can be called come first, and headers sort by price', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/models')
  const states = page.locator('#content tbody tr[data-row] td:nth-last-child(1)')
  await states.first().waitFor()
  const shown = await states.allTextContents()
  expect(shown[0]).toBe('Available')
  expect(shown.lastIndexOf('Available')).toBeLessThan(
    shown.includes('Unavailable') ? shown.indexOf('Unavailable') : shown.length,
  )
  expect(await page.locator('#content select').count()).toBe(0)
  await look('models-all')
  await typeFilter(page, 'Input price', '3')
  await page.getByRole('button', { name: 'Input price: ≤ $3 / 1M', exact: true }).waitFor()
  await page.getByRole('columnheader', { name: 'Output / 1M' }).getByRole('button').click()
  await page.waitForURL(/sort=-output/)
  const prices = (await page.locator('#content tbody tr[data-row] td:nth-child(6)').allTextContents())
    .filter((text) => text.startsWith('$'))
    .map((text) => Number(text.slice(1)))
  expect(prices.length).toBeGreaterThan(1)
  expect(prices).toEqual(prices.toSorted((one, other) => other - one))
})
