import { readFile } from 'node:fs/promises'
import { expect } from 'vitest'
import { newUuid } from '../../server/src/lib/uuid.ts'
import type { TestClient } from '../../server/test/setup/accounts.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'
import { payOrder } from './setup/paid-order.ts'

// A past month that no other test books in.
const month = '2025-03'
const day = `${month}-15`

/** A payment of 10 and charges of 3 USD, which cost 2 USD at the provider. Returns the customer's email. */
async function bookMonth({ world: { gateway } }: ConsoleTest): Promise<string> {
  const { userId, walletId } = await gateway.createClient({ usd: '0' })
  const atMs = Date.parse(`${day}T12:00:00Z`)
  const moves = [
    ['top_up', 'cash', 'wallet', 10_000_000_000n],
    ['fee', 'cash', 'fees', 1_000_000_000n],
    ['charge', 'wallet', 'usage', 3_000_000_001n],
  ] as const
  for (const [kind, debit, credit, nano] of moves) {
    await gateway.pool.query(
      `INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano, created_at)
       VALUES ($1, 0, $2, $3, $4, $5, $6, $7)`,
      [newUuid(atMs), walletId, kind, debit, credit, nano, new Date(atMs)],
    )
  }
  await gateway.pool.query('UPDATE wallets SET balance_nano = balance_nano + 6999999999 WHERE id = $1', [walletId])
  await gateway.pool.query(
    `INSERT INTO earning_days VALUES ($1, $2, 'openai/gpt-4o-mini', 'openai', 4, 3000000001, 0, 2000000000)`,
    [day, walletId],
  )
  await gateway.pool.query(
    `INSERT INTO payment_balances (provider, id, kind, currency, amount_minor, fee_cents, created_at)
     VALUES ('stripe', 'txn_stray', 'payment', 'usd', 700, 0, $1), ('stripe', 'txn_payout', 'payout', 'usd', 5000, 0, $1)`,
    [new Date(atMs)],
  )
  const { rows } = await gateway.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
  return rows[0]?.email ?? 'no email'
}

consoleTest('an owner sees what a month earned, by customer and model, and closes its books', async (test) => {
  const { page, look } = test
  const email = await bookMonth(test)
  await enterOperator(test, `/revenue?month=${month}&by=customer`)
  await page.getByText('March 2025').waitFor()
  const tile = (label: string) => page.locator('dl > div').filter({ hasText: label })
  await tile('Usage').locator('[data-nano="3000000001"]').waitFor()
  await tile('Provider cost').locator('[data-nano="2000000000"]').waitFor()
  await tile('Margin').locator('[data-nano="1000000001"]').waitFor()
  await tile('Result').locator('[data-nano="2000000001"]').waitFor()
  await tile('Top-up fees').locator('[data-nano="1000000000"]').waitFor()
  const row = page.getByRole('row').filter({ hasText: email })
  await row.getByText('33.3%').waitFor()
  await look('operators-revenue')
  await page.getByRole('tab', { name: 'By model' }).click()
  await page.waitForURL('**by=model**')
  await page.getByRole('row').filter({ hasText: 'openai/gpt-4o-mini' }).locator('[data-nano="3000000001"]').waitFor()

  await page.getByRole('link', { name: 'Accounting' }).click()
  await page.waitForURL('**/console/operator/accounting**')
  await test.open(`/operator/accounting?month=${month}`)
  await page.getByText('This month is open.', { exact: false }).waitFor()
  const charge = page.getByRole('row').filter({ hasText: 'Usage revenue' }).filter({ hasText: 'charge' })
  await charge.locator('[data-nano="3000000001"]').waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Journal CSV' }).click(),
  ])
  const csv = await readFile(await download.path(), 'utf8')
  expect(csv).toContain(`${month},charge,,Customer credit,Usage revenue,3.000000001,1`)
  await look('operators-accounting')
  await page.getByRole('button', { name: 'Close month…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Close month', exact: true }).click()
  await page.locator('[data-closed="agrees"]').waitFor()
  await look('operators-accounting-closed')
  await page.locator('[data-reconciled="false"]').waitFor()
  await page.getByRole('row').filter({ hasText: 'txn_stray' }).locator('[data-charged="7.00 usd"]').waitFor()
  await page.getByRole('row').filter({ hasText: 'txn_payout' }).locator('[data-charged="-50.00 usd"]').waitFor()
})

consoleTest('disputes are listed by their deadline, with a badge when it is near', async (test) => {
  const { world, page, look } = test
  const payer = await world.gateway.createClient({ usd: '0' })
  const [near, far] = [await disputeOrder(test, payer, 2), await disputeOrder(test, payer, 8)]
  const { rows: users } = await world.gateway.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [
    payer.userId,
  ])
  await enterOperator(test, '/disputes')
  const row = (topUpId: string) => page.getByRole('row').filter({ has: page.locator(`a[href*="${topUpId}"]`) })
  await row(near).getByText('Due soon').waitFor()
  await row(near)
    .getByText(users[0]?.email ?? 'no email')
    .waitFor()
  await row(far).getByText('Fraudulent').waitFor()
  expect(await row(far).getByText('Due soon').count()).toBe(0)
  const hrefs = await page.locator('#content a[href*="/operator/orders/"]').evaluateAll((links) => links.map(String))
  const placeOf = (topUpId: string) => hrefs.findIndex((href) => href.includes(topUpId))
  expect(placeOf(near)).toBeLessThan(placeOf(far))
  await look('operators-disputes')
  await row(near).locator(`a[href*="${near}"]`).click()
  const sheet = page.getByRole('dialog', { name: 'Credit order' })
  await sheet.getByRole('listitem').filter({ hasText: 'Needs response' }).waitFor()
  await look('operators-disputed-order')
})

/** Pays an order whose payment is then disputed, with this many days for evidence. */
async function disputeOrder({ world }: ConsoleTest, payer: TestClient, days: number): Promise<string> {
  const id = await payOrder(world, payer, 20)
  const { state } = world.payments
  const session = state.sessionOf(id)
  if (session === undefined) throw new Error('the order has a session')
  const dispute = state.dispute(state.paymentOf(session).id)
  dispute.evidence_details.due_by = Math.floor(Date.now() / 1_000) + days * 86_400
  const client = world.gateway.as({ cookie: await world.gateway.signIn(payer.userId) })
  const path = `/api/wallets/${payer.walletId}/top-ups/${id}/check`
  expect((await client.post(path, undefined, { headers: { origin: world.origin } })).status).toBe(200)
  return id
}

consoleTest('an operator opens the receipt of a customer', async (test) => {
  const { world, page, look } = test
  const payer = await world.gateway.createClient({ usd: '0' })
  await payOrder(world, payer, 20)
  await enterOperator(test, `/invoices?wallet=${payer.walletId}`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PDF of' }).first().click(),
  ])
  expect((await readFile(await download.path())).subarray(0, 4).toString()).toBe('%PDF')
  await look('operators-invoices')
})
