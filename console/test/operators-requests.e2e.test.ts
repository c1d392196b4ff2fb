import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import { enterOperator } from './setup/enter-operator.ts'
import { addFilter, typeFilter } from './setup/filters.ts'

const body = { model: 'test/priced', messages: [{ role: 'user', content: 'Hello' }] }

consoleTest('X was charged twice: two requests of one key in a minute, each charged once', async (test) => {
  const { world, page, look } = test
  const caller = await world.gateway.createClient()
  const ids: string[] = []
  for (const _ of [1, 2]) {
    const { headers } = await world.gateway.as(caller.key).post('/v1/chat/completions', body)
    ids.push(headers.get('x-generation-id') ?? '')
  }
  const [first = '', second = ''] = ids
  await enterOperator(test, `/requests?customer=${caller.walletId}`)
  const rows = page.getByRole('row').filter({ has: page.getByText('Charged', { exact: true }) })
  await rows.nth(1).waitFor()
  await look('operator-requests')
  await typeFilter(page, 'Request ID', first.replace('gen-', 'req_'))
  await expect.poll(() => rows.count()).toBe(1)
  await rows.getByRole('link').first().click()
  await page.waitForURL(`**/console/operator/requests/${first}`)
  await page.getByText('Charged once.').waitFor()
  await page.locator('[data-charges="1"]').waitFor()
  await look('operator-request')
  await page.getByRole('link', { name: 'Nearby requests of this key' }).click()
  await rows.nth(1).waitFor()
  await page.locator(`a[href*="${second}"]`).first().waitFor()
})

consoleTest('an operator finds refused requests, and why they were refused', async (test) => {
  const { world, page, look } = test
  const poor = await world.gateway.createClient({ usd: '0' })
  const { headers } = await world.gateway.as(poor.key).post('/v1/chat/completions', body)
  const id = headers.get('x-generation-id') ?? ''
  const operator = await world.gateway.addOperatorKey()
  const found = () => world.gateway.as(operator.key).get(`/api/admin/requests/${id}`)
  await expect.poll(async () => (await found()).status).toBe(200)
  await enterOperator(test, `/requests?customer=${poor.walletId}`)
  await addFilter(page, 'Outcome', 'Refused')
  await page.locator(`a[href*="${id}"]`).first().click()
  await page.getByText('402', { exact: false }).first().waitFor()
  await page.getByText('Not charged.').waitFor()
  await page.getByText('No provider was called.').waitFor()
  await look('operator-request-refused')
})
