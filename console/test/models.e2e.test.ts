import { expect } from 'vitest'
import type { JsonObject } from '../../server/src/lib/json.ts'
import { addModels } from '../../server/test/setup/add-models.ts'
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

consoleTest('regions of one provider are told apart', async ({ world, page, open, signInAs, look }) => {
  await addModels(world.gateway, [heron])
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/models/heron/regions')
  const names = page.getByRole('region', { name: 'Providers' }).locator('tr[data-row] td:first-child')
  await names.first().waitFor()
  expect((await names.allTextContents()).toSorted()).toEqual([
    'amazon-bedrock',
    ...regions.map((region) => `amazon-bedrock ${region}`),
  ])
  const cut = await names.evaluateAll(
    (cells) =>
      cells.flatMap((cell) => [cell, ...cell.children]).filter((node) => node.scrollWidth > node.clientWidth).length,
  )
  expect(cut, 'cells that are cut').toBe(0)
  await look('model-regions')
})

const regions = ['ap-northeast-1', 'eu-central-1', 'us-gov-west-1']

const heron: JsonObject = {
  id: 'heron/regions',
  name: 'Heron',
  author: 'heron',
  kind: 'chat',
  provider: 'amazon-bedrock',
  upstream_model_id: 'heron.regions-v1:0',
  input_modalities: ['text'],
  output_modalities: ['text'],
  pricing: { prompt: '0.000001', completion: '0.000002' },
  offers: regions.map((region) => ({ provider: 'amazon-bedrock', region, pricing: {} })),
}

consoleTest('models that can be called come first, and headers sort by price', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/models')
  const states = page.locator('#content tbody tr[data-row] td:nth-last-child(2)')
  await states.first().waitFor()
  const shown = await states.allTextContents()
  expect(shown[0]).toBe('Available')
  expect(shown.lastIndexOf('Available')).toBeLessThan(
    shown.includes('Unavailable') ? shown.indexOf('Unavailable') : shown.length,
  )
  await page
    .locator('#content tbody tr[data-row]')
    .first()
    .getByRole('link', { name: /^Try .* in the playground$/ })
    .waitFor()
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
