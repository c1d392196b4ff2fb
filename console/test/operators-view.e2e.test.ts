import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'

/** A customer with a key, who administers an organization, and the operator's page of that customer. */
async function beginView(test: ConsoleTest) {
  const { world, page } = test
  const { gateway } = world
  const organization = await gateway.createOrganization({ name: 'Windy Wombats', usd: '12.5' })
  const ada = await gateway.addMember(organization.id, { role: 'org_admin' })
  await gateway.addKey(ada.userId, { name: 'nightly robot' })
  const operatorId = await enterOperator(test, `/customers/${ada.userId}`, 'support')
  await page.getByRole('button', { name: 'View as this customer…' }).click()
  const dialog = page.getByRole('dialog', { name: `View the console as ${ada.email}?` })
  await dialog.getByRole('button', { name: 'View console' }).click()
  await dialog.getByText('Enter a reason.').waitFor()
  await dialog.getByLabel('Reason').fill('Ticket 7: keys are missing')
  await test.look('operator-view-dialog')
  await dialog.getByRole('button', { name: 'View console' }).click()
  const bar = page.getByRole('complementary', { name: 'View of a customer' })
  await bar.getByText(`You view the console as ${ada.email}.`).waitFor()
  return { organization, ada, operatorId, bar }
}

/** Who reads of the view, and of what. */
async function readLogs({ world: { gateway } }: ConsoleTest, userId: string): Promise<string[]> {
  const { rows } = await gateway.pool.query<{ action: string; is_platform: boolean }>(
    `SELECT action, chain_id = '00000000-0000-0000-0000-000000000000' AS is_platform FROM audit_entries
     WHERE target_id = $1 AND action LIKE 'customer.view.%' ORDER BY action, chain_id`,
    [userId],
  )
  return [
    ...new Set(
      rows.map(({ action, is_platform: isPlatform }) => `${action} ${isPlatform ? 'platform' : 'organization'}`),
    ),
  ]
}

consoleTest('support looks at the console of a customer, changes nothing, and comes back', async (test) => {
  const { world, page, open, look, tolerate } = test
  tolerate(/status of 403/)
  const { organization, ada, operatorId, bar } = await beginView(test)
  await bar.getByText('Nothing can be changed. Ends in 30 min.').waitFor()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await look('operator-view')

  await open('/keys')
  await bar.waitFor()
  await page.getByRole('cell', { name: 'nightly robot', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Export 1 row as CSV' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Create key' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('stolen')
  await dialog.getByRole('button', { name: 'Create key' }).click()
  await page.getByText('You view the console as a customer.', { exact: false }).first().waitFor()
  await look('operator-view-refused')
  const { rows } = await world.gateway.pool.query('SELECT name FROM api_keys WHERE user_id = $1', [ada.userId])
  expect(rows).toEqual([{ name: 'nightly robot' }])
  await open(`/o/${organization.slug}/members`)
  await bar.waitFor()
  await page.getByRole('heading', { name: 'Members', level: 1 }).waitFor()
  await open(`/o/${organization.slug}/audit`)
  await page.getByText('Console view begun').waitFor()
  await page.getByText('Operator', { exact: true }).first().waitFor()
  await page
    .getByRole('link', { name: /Export/ })
    .first()
    .click()
  await page.getByText("A view of a customer can't open or download files.").waitFor()
  await open('/settings')
  await page.getByText('Only the customer sees their sign-in methods and sessions.').waitFor()
  await open('/operator/customers')
  await page.getByRole('heading', { name: "You're not an operator" }).waitFor()

  const other = await page.context().newPage()
  await other.goto(`${world.origin}/console/operator/customers`)
  await other.getByRole('complementary', { name: 'Operator' }).waitFor()
  await other.close()

  await bar.getByRole('button', { name: 'End view' }).click()
  await page.waitForURL(`**/console/operator/customers/${ada.userId}`)
  await page.getByRole('button', { name: 'View as this customer…' }).waitFor()
  expect(await bar.count()).toBe(0)
  expect(await page.evaluate(() => sessionStorage.getItem('weir.view'))).toBeNull()
  await expect
    .poll(() => readLogs(test, ada.userId))
    .toEqual([
      'customer.view.begin platform',
      'customer.view.begin organization',
      'customer.view.end platform',
      'customer.view.end organization',
    ])
  const logged = await world.gateway.pool.query(
    `SELECT actor_id, details->>'reason' AS reason FROM audit_entries WHERE details ? 'reason' AND target_id = $1`,
    [ada.userId],
  )
  expect(logged.rows).toEqual([{ actor_id: operatorId, reason: 'Ticket 7: keys are missing' }])
})

consoleTest('a view that has ended leads back and says so', async (test) => {
  const { world, page, open, look, tolerate } = test
  tolerate(/status of 403/)
  const { ada, bar } = await beginView(test)
  // The open page would notice the end before the next one.
  await page.goto('about:blank')
  await world.gateway.pool.query(`UPDATE customer_views SET begun_at = begun_at - interval '31 minutes',
    ends_at = ends_at - interval '31 minutes'`)
  await open('/keys')
  await page.waitForURL(`**/console/operator/customers/${ada.userId}?view=ended`)
  await page.getByText("The view of this customer's console has ended.").waitFor()
  expect(await bar.count()).toBe(0)
  await look('operator-view-ended')
})
