import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'

consoleTest(
  'a person limits their spending to the nano-dollar, and goes back to the default',
  async ({ world, page, open, signInAs, look }) => {
    const { userId } = await world.gateway.createClient()
    await signInAs(userId)
    await open('/breaker')
    await page.getByLabel('Turn on the spend breaker').check()
    await page.getByLabel('Limit per minute (USD)').fill('0.123456789')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Spend breaker is on.').waitFor()
    await page.reload()
    expect(await page.getByLabel('Limit per minute (USD)').inputValue()).toBe('0.123456789')
    expect(await page.locator('#content data').nth(1).getAttribute('data-nano')).toBe('123456789')
    await look('breaker')
    await page.getByLabel('Limit per minute (USD)').fill('')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.locator('data[data-nano="5000000000"]').waitFor()
  },
)
