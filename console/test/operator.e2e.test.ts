import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { TestClient } from '../../server/test/setup/accounts.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'
import { addFilter, openFilter, typeFilter } from './setup/filters.ts'
import { payOrder } from './setup/paid-order.ts'

/** Creates a person whose payment was refunded after a request had spent part of it. */
async function createDebtor({ world: { gateway, ...world } }: ConsoleTest): Promise<TestClient> {
  const debtor = await gateway.createClient({ usd: '0' })
  const id = await payOrder({ gateway, ...world }, debtor, 20)
  const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
  await gateway.as(debtor.key).post('/v1/chat/completions', body)
  await expect.poll(async () => (await gateway.walletOf(debtor.walletId)).balance).toBe('19.999996')
  const operator = await gateway.addOperatorKey()
  await gateway.as(operator.key).post(`/api/admin/top-ups/${id}/refund`, { force: true })
  expect((await gateway.walletOf(debtor.walletId)).balance).toBe('-0.000004')
  return debtor
}

consoleTest('an operator finds an order of any wallet and refunds a part of it', async (test) => {
  const { world, page, look, tolerate } = test
  const payer = await world.gateway.createClient({ usd: '0' })
  const id = await payOrder(world, payer, 100)
  await enterOperator(test, `/orders?wallet=${payer.walletId}`)
  const row = page.getByRole('row').filter({ has: page.locator('[data-charged="110.00 usd"]') })
  await row.getByText('Paid', { exact: true }).waitFor()
  await look('operator-orders')
  await row.getByRole('link').first().click()
  await page.waitForURL(`**/console/operator/orders/${id}?wallet=${payer.walletId}`)
  await page.getByRole('button', { name: 'Refund…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Refund payment' })
  await dialog.getByText('Up to $110.00 can be refunded.').waitFor()
  await dialog.getByLabel('Amount (USD)').fill('33.33')
  await dialog.getByLabel('Reason').fill('ordered by mistake')
  await look('operator-refund')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  const sheet = page.getByRole('dialog', { name: 'Credit order' })
  await sheet.getByText('Partially refunded').waitFor()
  await sheet.locator('[data-charged="33.33 usd"]').first().waitFor()
  await sheet.getByRole('listitem').filter({ hasText: 'ordered by mistake' }).waitFor()
  await look('operator-order')
  expect((await world.gateway.walletOf(payer.walletId)).balance).toBe('69.7')
  tolerate(/status of 409/)
  await sheet.getByRole('button', { name: 'Refund…' }).click()
  await dialog.getByLabel('Amount (USD)').fill('76.68')
  await dialog.getByLabel('Reason').fill('the rest')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await dialog.getByRole('alert').filter({ hasText: '76.67' }).waitFor()
  await dialog.getByLabel('Amount (USD)').fill('76.67')
  await dialog.getByRole('button', { name: 'Refund', exact: true }).click()
  await sheet.getByText('The payment was fully refunded.').waitFor()
  expect((await world.gateway.walletOf(payer.walletId)).balance).toBe('0')
  expect(await page.getByRole('button', { name: 'Refund…' }).count()).toBe(0)
})

consoleTest('an operator sees mismatches and disputes by filters that are in the URL', async (test) => {
  const { world, page, look } = test
  const [disputed, payer] = [
    await world.gateway.createClient({ usd: '0' }),
    await world.gateway.createClient({ usd: '0' }),
  ]
  const id = await payOrder(world, disputed, 20)
  await payOrder(world, payer, 30)
  const { state } = world.payments
  const session = state.sessionOf(id)
  if (session === undefined) throw new Error('the order has a session')
  state.dispute(state.paymentOf(session).id)
  await enterOperator(test, '/orders')
  await addFilter(page, 'Status', 'Disputed')
  await page.waitForURL('**/console/operator/orders?state=disputed')
  await typeFilter(page, 'Customer', disputed.walletId)
  await page.waitForURL(`**/console/operator/orders?state=disputed&wallet=${disputed.walletId}`)
  const row = page.getByRole('row').filter({ has: page.locator(`a[href*="${id}"]`) })
  await row.getByText('disputed', { exact: true }).waitFor()
  await look('operator-disputes')
  await openFilter(page, 'Mismatches only')
  await page.getByRole('heading', { name: 'No matching orders' }).waitFor()
  expect(new URL(page.url()).searchParams.get('mismatched')).toBe('true')
})

consoleTest('an operator makes codes, which are shown once, and switches them off', async (test) => {
  const { page, look } = test
  await enterOperator(test, '/codes')
  await page.getByRole('button', { name: 'Create codes' }).first().click()
  await page.getByLabel('Campaign name').fill('river day')
  await page.getByLabel('Credit per redemption (USD)').fill('2.500000001')
  await page.getByLabel('Number of codes').fill('3')
  await look('operator-new-codes')
  await page.getByRole('dialog').getByRole('button', { name: 'Create codes' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save these codes' })
  const codes = ((await dialog.locator('pre').textContent()) ?? '').split('\n')
  expect(codes).toHaveLength(3)
  await look('operator-codes-once')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  const csv = await readFile(await download.path(), 'utf8')
  for (const code of codes) expect(csv).toContain(code)
  await dialog.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('row').filter({ hasText: 'river day' })
  await row.locator('[data-nano="2500000001"]').waitFor()
  expect(await page.content()).not.toContain(codes[0] ?? 'no code')
  await row.getByRole('button', { name: 'Disable' }).click()
  await row.getByText('Disabled', { exact: true }).waitFor()
  await look('operator-codes')
})

consoleTest('an operator books a bank transfer, gives up a debt, and compares the books', async (test) => {
  const { world, page, look } = test
  const { walletId } = await world.gateway.createOrganization({ name: 'Wire Wombats', usd: '0' })
  await enterOperator(test, '/transfers')
  const transfer = page.locator('section').filter({ hasText: 'Record a bank transfer' })
  await transfer.getByLabel('Customer', { exact: true }).fill(walletId)
  await transfer.getByLabel('Credit (USD)').fill('250')
  await transfer.getByLabel('Reference').fill(`INV-${walletId}`)
  await look('operator-transfers')
  await transfer.getByRole('button', { name: 'Record transfer' }).click()
  await transfer.getByRole('status').locator('[data-nano="250000000000"]').waitFor()
  expect((await world.gateway.walletOf(walletId)).balance).toBe('250')
  const recorded = page.getByRole('row').filter({ hasText: `INV-${walletId}` })
  await recorded.getByRole('link', { name: 'Wire Wombats' }).waitFor()
  await recorded.locator('[data-nano="250000000000"]').waitFor()
  await look('operator-transfers-recorded')
  const debtor = await createDebtor(test)
  const debt = page.locator('section').filter({ hasText: 'Write off a negative balance' })
  await debt.getByLabel('Customer', { exact: true }).fill(debtor.walletId)
  await debt.getByLabel('Amount (USD)').fill('0.000004')
  await debt.getByLabel('Reason').fill('the card was stolen')
  await debt.getByRole('button', { name: 'Write off…' }).click()
  // The person reads whose debt it is, whatever ID was typed.
  await page.getByRole('dialog').getByText('@example.com and', { exact: false }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Write off', exact: true }).click()
  await debt.getByRole('status').locator('[data-nano="0"]').waitFor()
  expect((await world.gateway.walletOf(debtor.walletId)).balance).toBe('0')
  await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'Reconciliation' }).click()
  await page.getByRole('heading', { name: 'Reconciliation', level: 1 }).waitFor()
  await page.locator('[data-verdict]').waitFor()
  await look('operator-books')
  await page.getByRole('navigation', { name: 'Main' }).first().getByRole('link', { name: 'Invoices' }).click()
  await page.getByRole('heading', { name: 'Invoices' }).waitFor()
  await typeFilter(page, 'Customer', walletId)
  await page.waitForURL(`**/console/operator/invoices?wallet=${walletId}`)
  await page.locator('#content [data-charged="275.00 usd"]').waitFor()
  await look('operator-invoices')
})

consoleTest('the operator has a workspace of its own, under a bar', async (test) => {
  const { page, look } = test
  await enterOperator(test, '/codes')
  const bar = page.getByRole('complementary', { name: 'Operator' })
  await bar.getByText('changes affect all accounts', { exact: false }).waitFor()
  const links = page.getByRole('navigation', { name: 'Main' }).first().getByRole('link')
  const paths = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
  expect(paths.length).toBeGreaterThan(5)
  expect(paths.filter((path) => !path.startsWith('/console/operator/'))).toEqual([])
  expect(await page.getByRole('banner').locator('[data-nano]').count()).toBe(0)
  await look('operator-workspace')
  await page.getByRole('button', { name: 'Workspace: Operator' }).click()
  await page.getByRole('menuitem', { name: 'Personal' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await bar.count()).toBe(0)
  await page.getByRole('button', { name: 'Workspace: Personal' }).click()
  await page.getByRole('menuitem', { name: 'Operator' }).click()
  await page.waitForURL('**/console/operator/health')
  await bar.getByText('Owner', { exact: true }).waitFor()
})
