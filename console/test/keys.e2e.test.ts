import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'

consoleTest(
  'a person creates a key, sees its secret once, and the key works',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createCaller()
    await signInAs(userId)
    await open('/keys')
    await page.getByRole('cell', { name: 'test' }).waitFor()
    await look('keys')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('laptop')
    await page.getByLabel('Spend limit, USD').fill('1234.123456789')
    await look('keys-create')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    const secret = (await page.getByRole('dialog').locator('pre').textContent()) ?? ''
    expect(secret).toMatch(/^sk-weir-/)
    await look('keys-secret')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const row = page.getByRole('row').filter({ hasText: 'laptop' })
    await row.waitFor()
    expect(await row.locator('data').last().getAttribute('data-nano')).toBe('1234123456789')
    expect(await page.content()).not.toContain(secret)
    const reply = await world.gateway.as(secret).get('/v1/key')
    expect(reply.status).toBe(200)
  },
)
