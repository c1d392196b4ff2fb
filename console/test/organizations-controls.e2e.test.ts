import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'

/** Creates an organization, and signs in a person who administers it. */
async function enter({ world: { gateway }, signInAs }: ConsoleTest, name: string) {
  const organization = await gateway.createOrganization({ usd: '50', name })
  const { userId } = await gateway.addMember(organization.id, { role: 'org_admin' })
  await signInAs(userId)
  return organization
}

consoleTest('a content filter is tried before it is saved, blocks, is disabled and deleted', async (test) => {
  const { page, open, look, world } = test
  const { id, slug } = await enter(test, 'Sieve Mill')
  const { key } = await world.gateway.addOrganizationKey(id)
  const send = async (content: string) => {
    const body = { model: 'test/priced', messages: [{ role: 'user', content }] }
    return (await world.gateway.as(key).post('/v1/chat/completions', body)).status
  }
  await open(`/o/${slug}/filters`)
  await page.getByRole('heading', { name: 'No content filters yet' }).waitFor()
  await look('filters-empty')
  await page.getByRole('button', { name: 'Create filter' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Test this filter').last().fill('Write to ada@example.com today')
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  await dialog.getByText('Choose what the filter matches first.').waitFor()
  await dialog.getByRole('button', { name: 'Create filter' }).click()
  await dialog.getByText('Enter a name.').waitFor()
  await dialog.getByLabel('Name').fill('No addresses')
  await dialog.getByLabel('Template').selectOption('email_address')
  await dialog.getByLabel('Action').selectOption('redact')
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  await dialog.getByText('Write to [REDACTED] today').waitFor()
  expect(await dialog.locator('mark').allTextContents()).toEqual(['ada@example.com'])
  await look('filter-create')
  await dialog.getByLabel('Action').selectOption('block')
  await dialog.getByRole('button', { name: 'Create filter' }).click()
  await page.getByRole('link', { name: 'No addresses' }).waitFor()
  await expect.poll(() => send('Write to ada@example.com')).toBe(403)
  expect(await send('Write to nobody')).toBe(200)
  await page.getByLabel('Text', { exact: true }).fill('ada@example.com and bob@example.com')
  await page.getByRole('button', { name: 'Test filters' }).click()
  await page.getByText('2 matches').first().waitFor()
  await look('filters')
  await page.getByRole('link', { name: 'No addresses' }).click()
  await page.waitForURL(/\/filters\/[0-9a-f-]{36}$/)
  await dialog.getByLabel('Enabled').uncheck()
  await dialog.getByRole('button', { name: 'Save changes' }).click()
  await page.getByRole('cell', { name: 'Disabled' }).waitFor()
  await expect.poll(() => send('Write to ada@example.com')).toBe(200)
  await page.getByRole('button', { name: 'Actions for No addresses' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete filter' }).click()
  await page.getByRole('heading', { name: 'No content filters yet' }).waitFor()
})
