import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { addFilter } from './setup/filters.ts'
import { callModel } from './setup/call-model.ts'
import type { World } from './setup/world.ts'

/** Sends a request that is refused, and waits until the gateway has recorded it. */
async function refuse({ gateway }: World, key: string, model = 'test/priced') {
  const body = { model, messages: [{ role: 'user', content: 'Hello' }] }
  const { status, headers } = await gateway.as(key).post('/v1/chat/completions', body)
  const id = headers.get('x-generation-id') ?? ''
  const recorded = `SELECT 1 FROM refusals WHERE 'gen-' || replace(id::text, '-', '') = $1`
  await expect.poll(async () => (await gateway.pool.query(recorded, [id])).rowCount, { timeout: 60_000 }).toBe(1)
  return { status, id, requestId: headers.get('x-request-id') ?? '' }
}

consoleTest('a refused request is listed beside charged ones, and says why and what to do', async (test) => {
  const { world, page, open, signInAs, look, tolerate } = test
  const { userId, key, walletId } = await world.gateway.createClient({ usd: '0' })
  const refused = await refuse(world, key)
  expect(refused.status).toBe(402)
  await world.gateway.credit(walletId, '5')
  const { generationId } = await callModel(world, key)
  await signInAs(userId)
  await open('/requests')
  await page.locator(`a[href*="${generationId}"]`).waitFor()
  const link = page.locator(`a[href*="${refused.id}"]`)
  await page.getByText('Refused (402)').waitFor()
  await look('requests with a refused one')
  await addFilter(page, 'Result', 'Refused')
  await page.waitForURL(/status=refused/)
  await page.locator(`a[href*="${generationId}"]`).waitFor({ state: 'detached' })
  await link.click()
  const sheet = page.getByRole('dialog', { name: 'Refused request' })
  await sheet.getByText('The balance did not cover the amount that the request reserves.').waitFor()
  await sheet.getByText('Add credit, or lower max_tokens.').waitFor()
  await sheet.getByText('insufficient_credits').waitFor()
  await sheet.getByText('Balance', { exact: true }).waitFor()
  await sheet.getByRole('link', { name: 'View credits' }).waitFor()
  await look('refused request')
  await page.keyboard.press('Escape')
  // By its id, pasted as an error response shows it. The receipt is asked for first, and there is none.
  tolerate(/404/)
  await page.getByRole('textbox', { name: 'Request ID' }).fill(refused.requestId)
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/requests/${refused.requestId}**`)
  await sheet.getByText('Add credit, or lower max_tokens.').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search pages' }).fill(refused.requestId)
  await page.keyboard.press('Enter')
  await sheet.getByText('Add credit, or lower max_tokens.').waitFor()
})

consoleTest('the overview of an organization counts refused requests by reason', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { id, slug } = await world.gateway.createOrganization({ usd: '0', name: 'Refusing Mill' })
  const { memberId, userId } = await world.gateway.addMember(id, { role: 'org_admin' })
  const { key } = await world.gateway.addOrganizationKey(id, { memberId })
  await refuse(world, key)
  await refuse(world, key)
  await refuse(world, key, 'acme/none')
  await signInAs(userId)
  await open(`/o/${slug}`)
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: /^Refused requests/ }) })
  await card.getByText('The balance did not cover the amount that the request reserves.').waitFor()
  expect(await card.getByRole('listitem').count()).toBe(2)
  expect(await card.getByRole('listitem').first().innerText()).toMatch(/2\s+66%/)
  await look('overview with refused requests')
  await card.getByRole('link', { name: 'View all' }).click()
  await page.waitForURL(`**/console/o/${slug}/requests?status=refused`)
  await page.getByText('Refused (402)').first().waitFor()
})
