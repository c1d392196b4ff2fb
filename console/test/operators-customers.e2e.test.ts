import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'

/** An organization with a key that works, an administrator, and a name of its own. */
async function createTenant({ world: { gateway } }: ConsoleTest, name: string) {
  const organization = await gateway.createOrganization({ name, usd: '12.5' })
  const admin = await gateway.addMember(organization.id, { role: 'org_admin' })
  const { key } = await gateway.addOrganizationKey(organization.id, { terms: { name: 'production' } })
  return { organization, admin, key }
}

consoleTest('cut off a tenant: found by a key from a log, suspended, and let in again', async (test) => {
  const { world, page, look } = test
  const { key } = await createTenant(test, 'Runaway Robots')
  const call = () => world.gateway.as(key).get('/v1/key')
  expect((await call()).status).toBe(200)
  await enterOperator(test, '/customers')
  await page.getByRole('searchbox', { name: 'Search customers' }).fill(`${key.slice(0, 12)}…${key.slice(-4)}`)
  await page.getByRole('link', { name: 'Runaway Robots' }).click()
  await page.getByRole('heading', { name: 'Runaway Robots' }).waitFor()
  await page.getByRole('button', { name: 'Suspend…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suspend Runaway Robots?' })
  await dialog.getByText('New requests with its keys are rejected with 403 at once.', { exact: false }).waitFor()
  await look('operator-suspend')
  await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
  await page.getByText('Suspended', { exact: true }).first().waitFor()
  expect((await call()).status).toBe(403)
  await page.getByRole('button', { name: 'Lift suspension…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Lift suspension' }).click()
  await page.getByText('Suspension lifted.').waitFor()
  expect((await call()).status).toBe(200)
})

consoleTest('an operator searches customers, credits one with a reason, and leaves a note', async (test) => {
  const { world, page, look } = test
  const { organization, admin } = await createTenant(test, 'Quiet Quokkas')
  await enterOperator(test, '/customers')
  await page.getByRole('searchbox', { name: 'Search customers' }).fill('quokk')
  await page
    .getByRole('row')
    .filter({ hasText: organization.slug })
    .getByRole('link', { name: 'Quiet Quokkas' })
    .waitFor()
  await page.waitForURL('**/console/operator/customers?q=quokk')
  await look('operator-customers')
  await page.getByRole('link', { name: 'Quiet Quokkas' }).click()
  await page.locator('[data-nano="12500000000"]').first().waitFor()
  await page.getByRole('link', { name: admin.email }).waitFor()
  await page.getByRole('button', { name: 'Add credit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add credit' })
  await dialog.getByLabel('Amount (USD)').fill('2.25')
  await dialog.getByRole('button', { name: 'Add credit' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await dialog.getByLabel('Reason').fill('for the outage of Tuesday')
  await look('operator-credit')
  await dialog.getByRole('button', { name: 'Add credit' }).click()
  await page.locator('[data-nano="14750000000"]').first().waitFor()
  expect((await world.gateway.walletOf(organization.walletId)).balance).toBe('14.75')
  await page.getByLabel('New note').fill('Prefers mail')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Prefers mail' }).waitFor()
  await look('operator-customer')
  await page.getByRole('button', { name: 'Delete note' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Prefers mail' }).waitFor({ state: 'detached' })
  await page.getByRole('link', { name: admin.email }).click()
  await page.getByRole('heading', { name: admin.email }).waitFor()
  await page.getByRole('link', { name: 'Quiet Quokkas' }).waitFor()
  await look('operator-user')
})

consoleTest(
  'the balance is wrong: the statement of a customer adds up, and a charge leads to its request',
  async (test) => {
    const { world, page, look } = test
    const caller = await world.gateway.createClient({ usd: '4' })
    const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
    const { headers } = await world.gateway.as(caller.key).post('/v1/chat/completions', body)
    const id = headers.get('x-generation-id') ?? ''
    await expect.poll(async () => (await world.gateway.walletOf(caller.walletId)).balance).toBe('3.999996')
    await enterOperator(test, `/customers/${caller.userId}`)
    await page.getByRole('link', { name: 'Statement' }).click()
    await page.locator('[data-verdict="equal"]').waitFor()
    await page.locator('dl [data-nano="3999996000"]').waitFor()
    await page.locator('dl [data-nano="-4000"]').waitFor()
    await page.locator('a[href*="/operator/requests/"]').first().waitFor()
    await look('operator-statement')
    const times = page.locator('#content tbody tr[data-row] time')
    const shown = await times.evaluateAll((found) =>
      found.map((node) => ({ text: node.textContent ?? '', hover: node.title, at: node.dateTime })),
    )
    expect(shown.length).toBeGreaterThan(0)
    for (const { text, hover, at } of shown) {
      expect(text).toMatch(/ ago$|^just now$/)
      expect(hover).toBe(`${at.slice(0, 19).replace('T', ' ')} UTC`)
    }
    await page.getByRole('tab', { name: 'Open holds' }).click()
    await page.getByRole('heading', { name: 'No open holds' }).waitFor()
    await page.waitForURL('**/statement?*view=holds')
    await page.getByRole('tab', { name: 'Transactions' }).click()
    await page.locator(`a[href*="${id}"]`).click()
    await page.getByText('Charged once.').waitFor()
  },
)
