import { expect } from 'vitest'
import { newUuid } from '../../server/src/lib/uuid.ts'
import { consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'

consoleTest('an operator adds an account, replaces its key, changes its terms and disables it', async (test) => {
  const { world, page, look } = test
  const name = `groq-${newUuid(Date.now())}`
  await enterOperator(test, '/providers')
  await page.getByRole('button', { name: 'Add account' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add provider account' })
  await dialog.getByRole('button', { name: 'Add account' }).click()
  await dialog.getByText('Enter a provider, such as openai.').waitFor()
  await dialog.getByLabel('Provider', { exact: true }).fill('groq')
  await dialog.getByLabel('Account name').fill(name)
  await dialog.getByLabel('Key').fill('sk-vendor-first')
  await dialog.getByLabel('Discount (%)').fill('12.5')
  await look('operators-supply-add')
  await dialog.getByRole('button', { name: 'Add account' }).click()
  await page.getByRole('heading', { name }).waitFor()
  await page.getByText('12.5 %').waitFor()

  const sealed = async () => {
    const { rows } = await world.gateway.pool.query<{ credential: string }>(
      'SELECT credential::text FROM provider_accounts WHERE name = $1',
      [name],
    )
    return rows[0]?.credential
  }
  const before = await sealed()
  await page.getByRole('button', { name: 'Replace key…' }).click()
  await page.getByLabel('New key').fill('sk-vendor-second')
  await page.getByRole('button', { name: 'Replace key', exact: true }).click()
  await page.getByText('Key replaced.').waitFor()
  expect(await sealed()).not.toBe(before)

  await page.getByRole('button', { name: 'Edit…' }).click()
  await page.getByLabel('Weight').fill('7')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Settings saved.').waitFor()
  await page.getByRole('button', { name: 'Disable…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await page.getByText('Disabled', { exact: true }).waitFor()
  const { rows } = await world.gateway.pool.query(
    'SELECT weight, discount_ppm, enabled FROM provider_accounts WHERE name = $1',
    [name],
  )
  expect(rows).toMatchObject([{ weight: 7, discount_ppm: 125_000, enabled: false }])
})

consoleTest('a failing account shows its circuits, its traits and what its provider said', async (test) => {
  const { world, page, look } = test
  const { pool } = world.gateway
  const name = `groq-${newUuid(Date.now())}`
  await world.gateway.addProvider({ vendor: 'groq', name, url: 'http://127.0.0.1:9' })
  await pool.query(
    `INSERT INTO provider_circuits (account_id, upstream_model, gateway, reason, opened_at, tried_at)
     SELECT id, 'qwen3-32b', 'host 1', 'upstream_error (500)', '2026-03-04T02:10:00Z', clock_timestamp()
     FROM provider_accounts WHERE name = $1`,
    [name],
  )
  await pool.query(
    `UPDATE provider_accounts SET overrides = '[{"model":"qwen*","leaveOut":["top_k"],"canRest":false}]' WHERE name = $1`,
    [name],
  )
  await enterOperator(test, '/providers')
  await page.getByRole('row').filter({ hasText: name }).getByText('Failing').waitFor()
  await look('operators-supply-providers')
  await page.getByRole('link', { name }).click()
  await page.getByText('2026-03-04 02:10', { exact: false }).first().waitFor()
  await page.getByText('upstream_error (500)', { exact: false }).waitFor()
  await page.getByText('top_k').waitFor()
  await page.getByText('No recent request failed on this account.').waitFor()
  await look('operators-supply-provider')
  await pool.query('DELETE FROM provider_circuits WHERE upstream_model = $1', ['qwen3-32b'])
  await pool.query('UPDATE provider_accounts SET enabled = false WHERE name = $1', [name])
})

consoleTest('an operator adds a route, sees where a request would go, and removes the route', async (test) => {
  const { world, page, look } = test
  const [one, other] = [`a-${newUuid(Date.now())}`, `b-${newUuid(Date.now())}`]
  for (const name of [one, other]) {
    await world.gateway.addProvider({ vendor: 'openrouter', name, url: 'http://127.0.0.1:9' })
  }
  await enterOperator(test, '/routes')
  await page.getByRole('button', { name: 'Add route' }).first().click()
  const dialog = page.getByRole('dialog', { name: 'Add route' })
  await dialog.getByLabel('Pattern').fill('openai/gpt-5.2')
  await dialog.getByLabel('Account').selectOption(one)
  await dialog.getByRole('button', { name: 'Add route' }).click()
  await page.getByText('Route added.').waitFor()
  await world.gateway.gateway.refresh()
  await page.getByLabel('Model').fill('gpt-5.2')
  await page.getByRole('button', { name: 'Explain' }).click()
  const first = page.locator(`[data-account="${one}"][data-verdict="first"]`)
  await first.getByText('Route openai/gpt-5.2 names it with priority 0.').waitFor()
  await page
    .locator(`[data-account="${other}"][data-verdict="skipped"]`)
    .getByText('Route openai/gpt-5.2 decides, and none of its routes names this account.')
    .waitFor()
  await look('operators-supply-routes')
  await page.getByRole('row').filter({ hasText: one }).getByRole('button', { name: 'Remove…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Route removed.').waitFor()
  const { rows } = await world.gateway.pool.query(`SELECT FROM routes WHERE pattern = 'openai/gpt-5.2'`)
  expect(rows).toEqual([])
  for (const name of [one, other]) {
    await world.gateway.pool.query('UPDATE provider_accounts SET enabled = false WHERE name = $1', [name])
  }
})

consoleTest('the catalog shows the price of a model per million tokens, and every price it had', async (test) => {
  const { page, look } = test
  await enterOperator(test, '/catalogue')
  await page.getByRole('searchbox', { name: 'Search models' }).fill('gpt-5.2')
  await page.waitForURL('**/operator/catalogue?q=gpt-5.2')
  await page.getByText('prompt $1.50 / 1M, completion $12.00 / 1M').first().waitFor()
  await look('operators-supply-catalogue')
  await page.getByRole('link', { name: 'openai/gpt-5.2', exact: true }).click()
  await page.getByRole('heading', { name: 'Price history' }).waitFor()
  await page.getByText('completion $12.00 / 1M', { exact: false }).first().waitFor()
  await look('operators-supply-model')
})
