import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'

consoleTest(
  'filters of models are in the URL, and a link shows the same models',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createClient()
    await signInAs(userId)
    await open('/models?author=test')
    await page.getByRole('link', { name: 'test/echo' }).waitFor()
    await page.getByLabel('Output', { exact: true }).selectOption('video')
    await page.getByLabel('Search models').fill('test')
    await page.getByRole('link', { name: 'test/echo' }).waitFor({ state: 'detached' })
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
