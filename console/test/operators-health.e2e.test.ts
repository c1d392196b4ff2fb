import { expect } from 'vitest'
import { newUuid } from '../../server/src/lib/uuid.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'

/** A provider account that one gateway has taken out of rotation. */
async function failProvider({ world: { gateway } }: ConsoleTest, name: string): Promise<() => Promise<void>> {
  await gateway.addProvider({ vendor: 'groq', name, url: 'http://127.0.0.1:9' })
  await gateway.pool.query(
    `INSERT INTO provider_circuits (account_id, upstream_model, gateway, reason, opened_at, tried_at)
     SELECT id, 'qwen3-32b', 'host 1', 'upstream_error (500)', '2026-03-04T02:10:00Z', clock_timestamp()
     FROM provider_accounts WHERE name = $1`,
    [name],
  )
  return async () => {
    await gateway.pool.query('DELETE FROM provider_circuits WHERE upstream_model = $1', ['qwen3-32b'])
    await gateway.pool.query('UPDATE provider_accounts SET enabled = false WHERE name = $1', [name])
  }
}

consoleTest('the first page says which provider has been failing since 02:10, and why', async (test) => {
  const { page, look } = test
  const name = `groq-${newUuid(Date.now())}`
  const repair = await failProvider(test, name)
  await enterOperator(test, '')
  await page.waitForURL('**/console/operator/health')
  const failing = page.locator(`[data-failing="${name}"]`)
  await failing.getByText('2026-03-04 02:10', { exact: false }).first().waitFor()
  await failing.getByText('upstream_error (500), on 1 gateway: qwen3-32b').waitFor()
  await failing.getByText(`weir provider test ${name}`).waitFor()
  expect(await failing.getByRole('link', { name }).getAttribute('href')).toMatch(
    new RegExp(`/operator/providers/${name}$`),
  )
  await look('operators-health-failing')
  // The page asks again, without a reload.
  await repair()
  await failing.waitFor({ state: 'detached' })
})

consoleTest('the page shows disks, database size, queues and the ledger', async (test) => {
  const { page, look } = test
  await enterOperator(test, '/health')
  for (const what of ['disk', 'database size', 'rollup', 'books', 'holds', 'schema']) {
    await page.locator(`[data-finding="${what}"]`).first().waitFor()
  }
  const words = await page.locator('[data-finding="disk"]').innerText()
  expect(words).toMatch(/has \d+\.\d GB free of \d/)
  await look('operators-health')
  await page.locator('[data-finding="backlog"]').getByRole('link').click()
  await page.waitForURL('**/console/operator/jobs')
})
