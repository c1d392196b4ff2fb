import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'

async function emailOf({ world: { gateway } }: ConsoleTest, userId: string): Promise<string> {
  const { rows } = await gateway.pool.query<{ email: string }>('SELECT email FROM users WHERE id = $1', [userId])
  return rows[0]?.email ?? 'no email'
}

consoleTest('an owner adds an operator, changes the role, and removes the operator again', async (test) => {
  const { world, page, look, tolerate } = test
  tolerate(/status of 404/)
  const ownerId = await enterOperator(test, '/operators')
  const colleague = await world.gateway.createClient()
  const email = await emailOf(test, colleague.userId)
  await page
    .getByRole('row')
    .filter({ hasText: await emailOf(test, ownerId) })
    .waitFor()
  await page.getByRole('button', { name: 'Add operator' }).click()
  const adding = page.getByRole('dialog', { name: 'Add operator' })
  await adding.getByLabel('Email').fill('nobody@example.com')
  await adding.getByRole('button', { name: 'Add operator' }).click()
  await adding.getByRole('alert').filter({ hasText: 'nobody@example.com' }).waitFor()
  await adding.getByLabel('Email').fill(email)
  await adding.getByLabel('Role').selectOption('support')
  await look('operators-add')
  await adding.getByRole('button', { name: 'Add operator' }).click()
  const row = page.getByRole('row').filter({ hasText: email })
  await row.getByText('Support').waitFor()
  await row.getByText('No second factor').waitFor()
  await look('operators-people')

  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: 'Change role…' }).click()
  await page.getByRole('dialog').getByLabel('Role').selectOption('finance')
  await page.getByRole('dialog').getByRole('button', { name: 'Change role' }).click()
  await row.getByText('Finance').waitFor()
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove operator' }).click()
  await page.getByText(`${email} is no longer an operator.`).waitFor()
  await row.waitFor({ state: 'detached' })
  const { rows } = await world.gateway.pool.query<{ action: string }>(
    'SELECT action FROM audit_entries WHERE target_id = $1 AND actor_id = $2 ORDER BY sequence',
    [colleague.userId, ownerId],
  )
  expect(rows.map(({ action }) => action)).toEqual(['operator.add', 'operator.update', 'operator.remove'])
})

consoleTest('the last owner stays, and the page says why', async (test) => {
  const { world, page, tolerate } = test
  tolerate(/status of 409/)
  const ownerId = await enterOperator(test, '/operators')
  const email = await emailOf(test, ownerId)
  // Other tests of this gateway have owners too.
  await world.gateway.pool.query(`UPDATE operators SET role = 'support' WHERE user_id <> $1`, [ownerId])
  await page.getByRole('button', { name: `Actions for ${email}` }).click()
  await page.getByRole('menuitem', { name: 'Remove…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Remove operator' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'last owner' }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
})

consoleTest('an owner revokes the key of a machine', async (test) => {
  const { world, page, look } = test
  const { key } = await world.gateway.addOperatorKey({ name: 'nightly report', role: 'read_only' })
  const machine = world.gateway.as(key)
  expect((await machine.get('/api/admin/brake')).status).toBe(200)
  await enterOperator(test, '/operators')
  const row = page.getByRole('row').filter({ hasText: 'nightly report' })
  await row.getByText('Read-only').waitFor()
  await look('operators-keys')
  await row.getByRole('button', { name: 'Revoke…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke key' }).click()
  await row.getByText('Revoked').waitFor()
  expect((await machine.get('/api/admin/brake')).status).toBe(401)
})

consoleTest('the brake stops all requests after a dialog that says what stops, and is released', async (test) => {
  const { world, page, look } = test
  const customer = await world.gateway.createClient({ usd: '5' })
  const call = async () => {
    const body = { model: 'test/echo', messages: [{ role: 'user', content: 'Hello' }] }
    return (await world.gateway.as(customer.key).post('/v1/chat/completions', body)).status
  }
  await enterOperator(test, '/brake')
  await page.getByText('Requests are served.').waitFor()
  await page.getByRole('button', { name: 'Stop all requests…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop all requests?' })
  await dialog.getByText('Every gateway rejects new requests to models, of all customers, with 503.').waitFor()
  await dialog.getByRole('button', { name: 'Stop all requests', exact: true }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await dialog.getByLabel('Reason').fill('vendor incident')
  await look('operators-brake-dialog')
  await dialog.getByRole('button', { name: 'Stop all requests', exact: true }).click()
  await page.getByText('vendor incident').waitFor()
  await expect.poll(call).toBe(503)
  await look('operators-brake-set')

  await enterOperator(test, '/brake', 'read_only')
  await page.getByText('vendor incident').waitFor()
  expect(await page.getByRole('button', { name: 'Release brake…' }).count()).toBe(0)
  await enterOperator(test, '/brake', 'support')
  await page.getByRole('button', { name: 'Release brake…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Release brake' }).click()
  await page.getByText('Requests are served.').waitFor()
  await expect.poll(call).toBe(200)
})
