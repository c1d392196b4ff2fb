import { nanoUsd } from '../../server/src/domain/money/nano-usd.ts'
import { newUuid } from '../../server/src/lib/uuid.ts'
import { settleGenerations } from '../../server/src/store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '../../server/test/money/settles.ts'
import { consoleTest } from './setup/console-test.ts'

consoleTest('limits are compared with the last 30 days while they are edited', async (test) => {
  const { world, page, open, look, signInAs } = test
  const { id, slug, walletId } = await world.gateway.createOrganization({ usd: '50', name: 'Hind Mill' })
  const { userId } = await world.gateway.addMember(id, { role: 'org_admin' })
  const { memberId } = await world.gateway.addMember(id)
  const { keyId } = await world.gateway.addOrganizationKey(id, { memberId })
  const cost = nanoUsd(5_000n)
  // Two requests of one minute, an hour ago: of two that are sent now, a minute could begin between them.
  const minuteMs = Math.floor(Date.now() / 60_000) * 60_000 - 3_600_000
  for (const startedAtMs of [minuteMs, minuteMs + 1]) {
    const payer = { id: newUuid(startedAtMs), walletId, keyId, userId: null, organizationId: id, memberId }
    await settleGenerations(world.gateway.pool, [settleEntry(payer, cost, { startedAtMs, held: cost })])
  }
  await signInAs(userId)
  await open(`/o/${slug}/budgets`)
  await page.getByRole('button', { name: 'Edit: Monthly budget of Hind Mill' }).click()
  const field = page.getByRole('textbox', { name: 'Monthly budget of Hind Mill (USD)' })
  const note = page.locator('[data-backtest]')
  await field.fill('1000')
  await note.getByText('none of 2 requests would have been refused').waitFor()
  await field.fill('0')
  await note.getByText('2 of 2 requests').waitFor()
  await look('budgets-backtest')
  await note.getByRole('link', { name: /^2 requests,/ }).click()
  await page.waitForURL(/\/requests\?.*from=/)
  await page
    .getByRole('row', { name: /acme\/model/ })
    .nth(1)
    .waitFor()
  await open(`/o/${slug}/budgets`)
  await page.getByRole('combobox', { name: 'Spend breaker' }).selectOption('on')
  await page.getByLabel('Limit per minute (USD)').fill('0.000000001')
  await note.getByText('1 of 2 requests').waitFor()
  await open(`/o/${slug}/allowed-models`)
  await page.getByLabel('Model or provider').fill('openai/*')
  await page.getByRole('button', { name: 'Add entry' }).click()
  await note.getByText('2 of 2 requests').waitFor()
})
