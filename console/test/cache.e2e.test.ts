import { expect } from 'vitest'
import { consoleTest } from './setup/console-test.ts'
import type { World } from './setup/world.ts'

const body = { model: 'test/priced', messages: [{ role: 'user', content: 'one two' }] }

async function call({ gateway }: World, key: string) {
  const reply = await gateway.as(key).post('/v1/chat/completions', body)
  expect(reply.status, reply.text).toBe(200)
  return { outcome: reply.headers.get('x-weir-cache'), id: reply.headers.get('x-generation-id') }
}

consoleTest('a key caches answers, and the receipt of a hit says so', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { userId } = await world.gateway.createClient({ usd: '1' })
  const { keyId, key } = await world.gateway.addKey(userId, { name: 'laptop' })
  expect(await call(world, key)).toMatchObject({ outcome: null })
  await signInAs(userId)
  await open(`/keys/${keyId}`)
  const sheet = page.getByRole('dialog', { name: 'laptop' })
  await sheet.getByText('Default', { exact: true }).waitFor()
  await sheet.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit laptop' })
  await dialog.getByLabel('Response cache').selectOption('1 hour')
  await look('key-edit-cache')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await sheet.getByText('1 hour', { exact: true }).waitFor()
  expect(await call(world, key)).toMatchObject({ outcome: 'miss' })
  await expect.poll(async () => (await call(world, key)).outcome).toBe('hit')
  await open(`/requests/${(await call(world, key)).id}`)
  await page.getByText('From cache').first().waitFor()
  await page.getByText('Not called: answered from the cache').waitFor()
  expect(await page.getByRole('link', { name: /^gen-/ }).count()).toBe(1)
  await look('receipt-cache-hit')
})

consoleTest('an organization caches answers for keys without their own setting', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { gateway } = world
  const { id, slug } = await gateway.createOrganization({ usd: '1', name: 'Echo Mill' })
  const admin = await gateway.addMember(id, { role: 'org_admin' })
  const { key } = await gateway.addOrganizationKey(id)
  await signInAs(admin.userId)
  await open(`/o/${slug}/organization`)
  const card = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Response cache' }) })
  await card.getByLabel('Cache duration').selectOption('5 minutes')
  await look('organization-cache')
  await card.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Response cache saved.').waitFor()
  await expect.poll(async () => (await call(world, key)).outcome).toBe('hit')
})
