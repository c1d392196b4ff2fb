import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { summedUp } from './setup/seeded-person.ts'

consoleTest('usage is grouped by tag, and a receipt shows tags and customer', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId, key, walletId } = await world.gateway.createClient({ usd: '1' })
  const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }
  const headers = { 'x-weir-tags': 'team=search, feature=rewrite', 'x-weir-customer': 'acme-7' }
  const reply = await world.gateway.as(key).post('/v1/chat/completions', body, { headers })
  expect(reply.status, reply.text).toBe(200)
  await summedUp(world.gateway, { walletId })
  await signInAs(userId)
  await open('/usage?period=7d&by=tag')
  const table = page.getByRole('table', { name: 'Usage by tag' })
  await table.getByRole('cell', { name: 'team=search' }).waitFor()
  await table.getByRole('cell', { name: 'feature=rewrite' }).waitFor()
  expect(await table.getByText('Total').count()).toBe(0)
  await look('usage-by-tag')
  const listed = page.getByRole('table', { name: 'Requests' }).getByRole('cell', { name: 'test/priced' })
  await table.getByRole('link', { name: 'team=search' }).click()
  await page.waitForURL(/\/requests\?.*tag=/)
  await listed.waitFor()
  await open('/requests?customer=acme-7')
  await listed.waitFor()
  await open('/requests?tag=team%3Dads')
  await page.getByText('No matching requests').waitFor()
  await open(`/requests/${reply.headers.get('x-generation-id')}`)
  await page.getByText('team=search, feature=rewrite').waitFor()
  await page.getByText('acme-7').waitFor()
})
