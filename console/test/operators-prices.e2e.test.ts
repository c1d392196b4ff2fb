import { expect } from 'vitest'
import { noUsage } from '../../server/src/domain/inference/usage.ts'
import { nanoUsd } from '../../server/src/domain/money/nano-usd.ts'
import { newUuid } from '../../server/src/lib/uuid.ts'
import { settleGenerations } from '../../server/src/store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '../../server/test/money/settles.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'

const model = 'acme/priced-by-plan'

consoleTest('who changed this price: a plan from a file is applied, and the change is undone', async (test) => {
  const { world, page, look } = test
  await enterOperator(test, '/prices')
  await page.getByText('No changes are planned.', { exact: false }).waitFor()
  await plan(test, '0.000001')
  await page.getByText('No request of the last 30 days used a price that changes.').waitFor()
  await apply(test)
  await page.getByText('No changes are planned.', { exact: false }).waitFor()

  const organization = await world.gateway.createOrganization({ name: 'Priced Penguins' })
  await settle(test, organization.walletId)
  const rolledUp = `usage_account_days WHERE wallet_id = '${organization.walletId}'`
  await expect.poll(() => count(test, rolledUp)).toBe(1)
  await plan(test, '0.00001')
  const changes = page.locator(`[data-model="${model}"]`)
  await changes.getByText('$1.00 / 1M → $10.00 / 1M').first().waitFor()
  await changes.getByText('more than double').first().waitFor()
  await page.getByRole('link', { name: 'Priced Penguins' }).waitFor()
  await page.locator('td [data-nano="10000000"]').waitFor()
  await look('operators-prices-plan')
  await page.getByRole('button', { name: 'Apply…' }).click()
  await page.getByLabel('Tell 1 customer by email and in the console').waitFor()
  await look('operators-prices-apply')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await apply(test, 'Apply all changes, also the doubtful ones')
  expect(await promptPrice(test)).toBe('0.00001')

  await page.getByText('Applied', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Undo last import…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Undo the last import' })
  await dialog.getByText('$10.00 / 1M → $1.00 / 1M').first().waitFor()
  await dialog.getByLabel('Tell 1 customer by email and in the console').uncheck()
  await look('operators-prices-undo')
  await dialog.getByRole('button', { name: 'Undo import' }).click()
  await page.getByText('Undone', { exact: true }).waitFor()
  expect(await promptPrice(test)).toBe('0.000001')
  // The worker tells the customer of the change, and the undone import was not announced.
  await expect.poll(() => count(test, 'announcements WHERE finished_at IS NOT NULL')).toBe(1)
  await page.reload()
  await page.getByText('Sent', { exact: true }).waitFor()
  await look('operators-prices')
  await page.getByText('Sent', { exact: true }).click()
  const told = page.getByRole('dialog', { name: 'Notified customers' })
  await told.getByRole('link', { name: 'Priced Penguins' }).waitFor()
  await look('operators-prices-told')
})

consoleTest('a plan is rejected, and a file with a mistake is not planned', async (test) => {
  const { page } = test
  await enterOperator(test, '/prices')
  await page.getByRole('button', { name: 'Plan from file…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Plan from file' })
  test.tolerate(/400/)
  await choose(test, '{')
  await dialog.getByRole('button', { name: 'Create plan' }).click()
  await dialog.getByText('The file is not valid JSON.').waitFor()
  await choose(test, fileOf('acme/rejected', '0.000002'))
  await dialog.getByRole('button', { name: 'Create plan' }).click()
  await page.getByRole('button', { name: 'Reject…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reject plan' }).click()
  await page.getByText('No changes are planned.', { exact: false }).waitFor()
})

async function plan(test: ConsoleTest, usd: string): Promise<void> {
  await test.page.getByRole('button', { name: 'Plan from file…' }).click()
  await choose(test, fileOf(model, usd))
  await test.page.getByRole('button', { name: 'Create plan' }).click()
}

async function choose({ page }: ConsoleTest, text: string): Promise<void> {
  const file = { name: 'models.json', mimeType: 'application/json', buffer: Buffer.from(text) }
  await page.getByLabel('Catalog file (JSON)').setInputFiles(file)
}

async function apply({ page }: ConsoleTest, doubtful?: string): Promise<void> {
  await page.getByRole('button', { name: 'Apply…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Apply these changes?' })
  if (doubtful !== undefined) await dialog.getByLabel('Doubtful changes').selectOption({ label: doubtful })
  await dialog.getByRole('button', { name: 'Apply changes' }).click()
  await dialog.waitFor({ state: 'detached' })
}

function fileOf(id: string, usd: string): string {
  const modalities = { input_modalities: ['text'], output_modalities: ['text'] }
  const pricing = { prompt: usd, completion: usd }
  return JSON.stringify([
    { id, kind: 'chat', provider: 'acme', upstream_model_id: 'name', ...modalities, pricing, offers: [] },
  ])
}

async function count({ world }: ConsoleTest, from: string): Promise<number> {
  const { rows } = await world.gateway.pool.query<{ count: number }>(`SELECT count(*)::integer FROM ${from}`)
  return rows[0]?.count ?? 0
}

async function promptPrice({ world }: ConsoleTest): Promise<string | undefined> {
  const { rows } = await world.gateway.pool.query<{ usd: string }>(
    `SELECT units->>'prompt' AS usd FROM prices WHERE model_id = $1 ORDER BY valid_from DESC LIMIT 1`,
    [model],
  )
  return rows[0]?.usd
}

/** A request of yesterday with 1,000 tokens. */
async function settle({ world }: ConsoleTest, walletId: string): Promise<void> {
  const startedAtMs = Date.now() - 86_400_000
  const cost = nanoUsd(1_000_000n)
  const { record } = settleEntry({ id: newUuid(startedAtMs), walletId, keyId: newUuid(0), userId: null }, cost, {
    startedAtMs,
  })
  const usage = { ...noUsage, uncachedInput: 1_000 }
  await settleGenerations(world.gateway.pool, [
    { record: { ...record, model, provider: 'acme', usage, cost }, windows: [] },
  ])
}
