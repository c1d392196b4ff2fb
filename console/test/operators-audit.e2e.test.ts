import { expect } from 'vitest'
import { platformChain } from '../../server/src/domain/audit/audit-entry.ts'
import { newUuid } from '../../server/src/lib/uuid.ts'
import { appendAudit } from '../../server/src/store/postgres/audit/audit.sql.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'
import { typeFilter } from './setup/filters.ts'

const ada = { kind: 'operator', id: null, name: 'ada@platform.example' } as const
const model = 'openai/gpt-5.2'

/** A change of prices, one of a provider account, and one in an organization that is called so. */
async function changeThings({ world }: ConsoleTest, name: string): Promise<{ slug: string }> {
  const { pool } = world.gateway
  const organization = await world.gateway.createOrganization({ name })
  const plain = { requestId: 'req_1', actor: ada, chainId: platformChain } as const
  const details = { changes: 1, models: [model], sources: ['models.json'] }
  const robot = { kind: 'operator', id: newUuid(0), name: 'night robot' } as const
  const seats = { action: 'org.update', before: { seats: 5 }, after: { seats: 7 } } as const
  const target = { kind: 'organization', id: organization.id }
  await appendAudit(
    pool,
    [
      { ...plain, action: 'catalogue.import', target: { kind: 'catalogue_import', id: newUuid(0) }, details },
      {
        ...plain,
        actor: robot,
        action: 'provider.update',
        target: { kind: 'provider', id: newUuid(0) },
        before: { weight: 1 },
        after: { weight: 3 },
        details: { name: 'openai-eu' },
      },
      { ...plain, ...seats, chainId: organization.id, target },
    ],
    Date.now(),
  )
  return organization
}

consoleTest('who changed this price: two clicks from the model to the name', async (test) => {
  const { page, look } = test
  await changeThings(test, 'Audited Aardvarks')
  await enterOperator(test, `/catalogue/model?model=${encodeURIComponent(model)}`, 'read_only')
  await page.getByRole('link', { name: 'Who changed this?' }).click()
  await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
  const rows = page.getByRole('row').filter({ hasText: 'Models and prices imported' })
  await rows.first().getByText('ada@platform.example').waitFor()
  await page.getByText('openai-eu').waitFor({ state: 'detached' })
  await look('operators-audit-price')
})

consoleTest('a change in an organization stands there by the name of the customer', async (test) => {
  const { page, look } = test
  const { slug } = await changeThings(test, 'Audited Badgers')
  await enterOperator(test, '/audit-log')
  const change = page
    .getByRole('row')
    .filter({ hasText: 'Organization changed' })
    .filter({ hasText: 'Audited Badgers' })
  await change.getByText('Seats: 5 → 7').waitFor()
  await page.getByRole('row').filter({ hasText: 'openai-eu' }).first().getByText('Weight: 1 → 3').waitFor()
  await look('operators-audit')

  await change.getByRole('link', { name: 'Organization changed' }).click()
  const sheet = page.getByRole('dialog', { name: 'Organization changed' })
  await sheet.getByRole('link', { name: 'Audited Badgers' }).waitFor()
  await sheet.getByRole('row', { name: 'Seats 5 7' }).waitFor()
  await look('operators-audit-entry')
  await page.keyboard.press('Escape')

  await typeFilter(page, 'Object', slug)
  await page.getByText('night robot').waitFor({ state: 'detached' })
  await change.waitFor()
  const link = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href')
  const file = await page.evaluate(async (address) => (await fetch(address)).text(), String(link))
  const lines = file.trim().split('\r\n')
  expect([lines.length, lines[1]]).toEqual([2, expect.stringContaining('ada@platform.example,org.update')])

  await page.getByRole('link', { name: 'Audited Badgers' }).click()
  await page.getByRole('heading', { name: 'Audited Badgers', level: 1 }).waitFor()
  await page.getByRole('link', { name: 'Audit log', exact: true }).last().click()
  await change.waitFor()
})

consoleTest('entries are filtered by actor, kind of action and time', async (test) => {
  const { page } = test
  await changeThings(test, 'Audited Cats')
  await enterOperator(test, '/audit-log?actor=night+robot')
  await page.getByText('openai-eu').first().waitFor()
  expect(await page.getByRole('cell', { name: 'ada@platform.example' }).count()).toBe(0)
  await page.goto('/console/operator/audit-log?action=catalogue.')
  await page.getByText('Models and prices imported').first().waitFor()
  expect(await page.getByText('openai-eu').count()).toBe(0)
  await page.goto('/console/operator/audit-log?period=2020-01-01..2020-01-02')
  await page.getByText('No matching entries').waitFor()
})
