import { expect } from 'vitest'
import { newUuid } from '../../server/src/lib/uuid.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'

consoleTest('a person reads on the overview which models changed, and dismisses the notice', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId, walletId } = await world.gateway.createClient()
  await announce(test, walletId, 5)
  await signInAs(userId)
  await open('/')
  await page.getByRole('heading', { name: 'Changed prices and retirement dates' }).waitFor()
  await page.getByText('acme prompt: $1.00 to $1.50 / 1M').first().waitFor()
  expect(await page.getByRole('link', { name: /^acme\/noticed-/ }).count()).toBe(3)
  await look('notices')
  await page.getByRole('button', { name: 'Show all 5 models' }).click()
  await page.getByText('Retires on 2099-01-31').waitFor()
  await look('notices-all')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await page.getByRole('heading', { name: 'Notices' }).waitFor({ state: 'detached' })
  await page.reload()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.getByText('No requests yet.', { exact: false }).first().waitFor()
  expect(await page.getByRole('heading', { name: 'Notices' }).count()).toBe(0)
})

consoleTest('those who watch the bill of an organization see its notices, and members do not', async (test) => {
  const { world, page, open, signInAs } = test
  const { id, walletId } = await world.gateway.createOrganization({ name: 'Noticed' })
  const { rows } = await world.gateway.pool.query<{ slug: string }>('SELECT slug FROM organizations WHERE id = $1', [
    id,
  ])
  const path = `/o/${rows[0]?.slug}`
  for (let at = 0; at < 4; at += 1) await announce(test, walletId, 1)
  await signInAs((await world.gateway.addMember(id, { role: 'billing_viewer' })).userId)
  await open(path)
  const notices = page.getByRole('heading', { name: 'Changed prices', exact: true })
  await notices.nth(2).waitFor()
  expect(await notices.count()).toBe(3)
  await page.getByRole('button', { name: 'Show 1 older notice' }).click()
  await notices.nth(3).waitFor()
  await signInAs((await world.gateway.addMember(id, { role: 'member' })).userId)
  await open(path)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Notices' }).count()).toBe(0)
})

/** An announcement that a worker has finished. Of several models, the last retires. */
async function announce({ world }: ConsoleTest, walletId: string, models: number): Promise<void> {
  const id = newUuid(Date.now())
  const { pool } = world.gateway
  await pool.query(
    `INSERT INTO announcements (id, kind, created_at, finished_at) VALUES ($1, 'change', now(), now())`,
    [id],
  )
  const price = { provider: 'acme', variant: '', when: '', isPerMillion: true, from: '1', to: '1.5' }
  const prices = ['prompt', 'completion'].map((unit) => ({ ...price, unit }))
  const names = Array.from({ length: models }, (_, at) => `acme/noticed-${at}`)
  for (const [at, name] of names.entries()) {
    const isLast = models > 1 && at === models - 1
    const change = isLast
      ? { name, prices: [], retirement: { from: null, to: '2099-01-31' } }
      : { name, prices, retirement: null }
    await pool.query('INSERT INTO announced_models VALUES ($1, $2, $3)', [id, name, JSON.stringify(change)])
  }
  await pool.query('INSERT INTO announced_customers VALUES ($1, $2, $3, 1, now())', [id, walletId, names])
}
