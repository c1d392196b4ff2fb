import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'

// A request costs $0.000004.
async function callIn({ world: { gateway } }: ConsoleTest, key: string, headers: Record<string, string>) {
  const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
  const { status, headers: sent } = await gateway.as(key).post('/v1/chat/completions', body, { headers })
  const recorded = `SELECT 1 FROM generations WHERE 'gen-' || replace(id::text, '-', '') = $1`
  const values = [sent.get('x-generation-id') ?? '']
  if (status === 200) await expect.poll(async () => (await gateway.pool.query(recorded, values)).rowCount).toBe(1)
  return status
}

consoleTest('a person watches a run with its child runs, and stops it', async (test) => {
  const { world, page, open, look, signInAs } = test
  const { userId, key } = await world.gateway.createClient({ usd: '3' })
  await signInAs(userId)
  await open('/runs')
  await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
  expect(await callIn(test, key, { 'x-weir-run': 'report', 'x-weir-run-budget': '0.5' })).toBe(200)
  expect(await callIn(test, key, { 'x-weir-run': 'search', 'x-weir-parent-run': 'report' })).toBe(200)
  expect(await callIn(test, key, { 'x-weir-run': 'fetch', 'x-weir-parent-run': 'search' })).toBe(200)
  await page.reload()
  const list = page.locator('#content tbody')
  await list.getByRole('link', { name: 'report' }).waitFor()
  expect(await list.getByRole('link').allTextContents()).toEqual(['report'])
  await look('runs')
  await list.getByRole('link', { name: 'report' }).click()
  const sheet = page.getByRole('dialog', { name: 'Run' })
  await sheet.getByRole('list', { name: 'Child runs of search' }).getByRole('link', { name: 'fetch' }).waitFor()
  await look('run')
  // The sheet follows requests that are made while it is open.
  expect(await callIn(test, key, { 'x-weir-run': 'search' })).toBe(200)
  await sheet.getByText('4 requests').first().waitFor()
  await sheet.getByRole('button', { name: 'Stop…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop report?' })
  await dialog.getByLabel('Reason (optional)').fill('It loops.')
  await look('run-stop')
  await dialog.getByRole('button', { name: 'Stop run' }).click()
  await dialog.waitFor({ state: 'detached' })
  await sheet.getByText('It loops.').waitFor()
  await sheet.getByRole('button', { name: 'Stop…' }).waitFor({ state: 'detached' })
  expect(await callIn(test, key, { 'x-weir-run': 'fetch' })).toBe(402)
})

consoleTest('a billing viewer sees runs and stops none', async (test) => {
  const { world, page, open, signInAs } = test
  const { id, slug } = await world.gateway.createOrganization()
  const { userId } = await world.gateway.addMember(id, { role: 'billing_viewer' })
  const { key } = await world.gateway.addOrganizationKey(id)
  expect(await callIn(test, key, { 'x-weir-run': 'team-job' })).toBe(200)
  await signInAs(userId)
  await open(`/o/${slug}/runs/team-job/details`)
  const sheet = page.getByRole('dialog', { name: 'Run' })
  await sheet.getByText('test/priced').waitFor()
  expect(await sheet.getByRole('button', { name: 'Stop…' }).count()).toBe(0)
})
