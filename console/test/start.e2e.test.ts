import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { placesWith } from './setup/places-with.ts'

consoleTest(
  'the lines of a tool hold the address, the key and the model',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createClient()
    await signInAs(userId)
    await open('/start')
    await page.getByLabel('API key', { exact: true }).fill('sk-weir-mine')
    await page.getByRole('tab', { name: 'OpenAI SDK (Python)' }).click()
    const code = page.getByRole('tabpanel').locator('pre')
    expect(await code.textContent()).toContain(`OpenAI(base_url="${world.origin}/v1", api_key="sk-weir-mine")`)
    expect(page.url()).toContain('tool=openai-python')
    // The key is only in its field and in the displayed commands.
    expect(await placesWith(page, 'sk-weir-mine')).toEqual(['page', 'fields'])
    await look('start')
    await page.getByRole('link', { name: 'API keys', exact: true }).click()
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor()
    expect(await placesWith(page, 'sk-weir-mine')).toEqual([])
  },
)

consoleTest('a new key is filled into the lines of a tool', async ({ world, page, open, signInAs, look }) => {
  const { userId } = await world.gateway.createClient()
  await signInAs(userId)
  await open('/start?tool=openai-python')
  await page.getByRole('button', { name: 'Create key and fill it in' }).click()
  await page.getByLabel('Name').fill('notebook')
  await page.getByRole('button', { name: 'Create key', exact: true }).click()
  const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await page.getByRole('tabpanel').locator('pre').textContent()).toContain(`api_key="${secret}"`)
  expect((await world.gateway.as(secret).get('/v1/key')).status).toBe(200)
  await look('start-filled')
})
