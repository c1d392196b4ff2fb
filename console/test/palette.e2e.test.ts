import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { callModel } from './setup/call-model.ts'
import { consoleTest } from './setup/console-test.ts'

const field = (page: Page) => page.getByRole('combobox', { name: 'Search pages' })

/** Types into the palette and opens the first result with the keyboard. */
async function openFirst(page: Page, text: string, first: string): Promise<void> {
  await page.keyboard.press('Control+k')
  await field(page).fill(text)
  await page.getByRole('option', { selected: true }).filter({ hasText: first }).waitFor()
  await page.keyboard.press('Enter')
  await field(page).waitFor({ state: 'detached' })
}

consoleTest('the palette finds models, keys and actions of the workspace', async (test) => {
  const { world, page, open, signInAs, look } = test
  const { id, slug } = await world.gateway.createOrganization({ usd: '5', name: 'Palette Mill' })
  const { keyId } = await world.gateway.addOrganizationKey(id, { terms: { name: 'paddle-wheel' } })
  const { userId } = await world.gateway.addMember(id, { role: 'org_admin' })
  await signInAs(userId)
  await open(`/o/${slug}`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await openFirst(page, 'paddle', 'paddle-wheel')
  await page.waitForURL(`**/console/o/${slug}/keys/${keyId}`)
  await page.getByRole('dialog', { name: 'paddle-wheel' }).waitFor()
  await page.keyboard.press('Escape')
  // Other tests add models whose names have the same word.
  await openFirst(page, 'test/priced', 'test/priced')
  await page.waitForURL(`**/console/o/${slug}/models/test/priced`)
  await openFirst(page, 'create', 'Create API key')
  await page.waitForURL(`**/console/o/${slug}/keys?create=true`)
  await page.getByRole('dialog', { name: 'Create API key' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(`**/console/o/${slug}/keys`)
  await openFirst(page, 'add customer', 'Add customer')
  await page.getByRole('dialog', { name: 'Add customer' }).waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL(`**/console/o/${slug}/customers`)
  await openFirst(page, 'top up', 'Credits')
  await page.waitForURL(`**/console/o/${slug}/credits`)
  await openFirst(page, 'dark', 'Dark theme')
  expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
  await openFirst(page, 'system', 'System theme')
  expect(await page.locator('html').getAttribute('data-theme')).toBeNull()
  await page.keyboard.press('Control+k')
  await field(page).fill('e')
  await page.getByRole('option').filter({ hasText: 'API key' }).first().waitFor()
  await look('palette-results')
  await page.keyboard.press('Escape')
  await openFirst(page, 'personal', 'Switch to Personal')
  await page.waitForURL('**/console/credits')
  await openFirst(page, 'password', 'Settings')
  await page.waitForURL('**/console/settings')
  await openFirst(page, 'sign out', 'Sign out')
  await page.waitForURL('**/console/sign-in')
})

consoleTest('the palette finds a key behind the first page of keys', async (test) => {
  const { world, page, open, signInAs } = test
  const { id, slug } = await world.gateway.createOrganization({ usd: '5', name: 'Long Palette' })
  const { keyId } = await world.gateway.addOrganizationKey(id, { terms: { name: 'oldest-wheel' } })
  for (let at = 0; at < 50; at += 1) await world.gateway.addOrganizationKey(id, { terms: { name: `newer-${at}` } })
  const { userId } = await world.gateway.addMember(id, { role: 'org_admin' })
  await signInAs(userId)
  await open(`/o/${slug}`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await openFirst(page, 'oldest', 'oldest-wheel')
  await page.waitForURL(`**/console/o/${slug}/keys/${keyId}`)
  await page.getByRole('dialog', { name: 'oldest-wheel' }).waitFor()
})

consoleTest('a pasted request ID opens the receipt, in either form', async (test) => {
  const { world, page, open, signInAs } = test
  const { userId, key } = await world.gateway.createClient({ usd: '5' })
  const { generationId, requestId } = await callModel(world, key)
  const ids = [generationId, requestId]
  expect(ids.map((id) => id.slice(0, 4))).toEqual(['gen-', 'req_'])
  await signInAs(userId)
  await open('/')
  const receipt = page.getByRole('dialog', { name: 'Receipt' })
  for (const id of ids) {
    await page.getByRole('heading', { name: 'Overview' }).waitFor()
    await openFirst(page, ` ${id.toUpperCase()} `, `Open receipt ${id}`)
    await page.waitForURL(`**/console/requests/${id}`)
    await receipt.locator('[data-nano="4000"]').first().waitFor()
    await open('/')
  }
  await open('/requests')
  await page.getByLabel('Request ID').fill(ids[1] ?? '')
  await page.keyboard.press('Enter')
  await receipt.locator('[data-nano="4000"]').first().waitFor()
})

consoleTest('the palette offers a member nothing that the role may not do', async (test) => {
  const { world, page, open, signInAs, tolerate } = test
  tolerate(/status of 403/)
  const { id, slug } = await world.gateway.createOrganization({ usd: '5', name: 'Quiet Palette' })
  const { userId } = await world.gateway.addMember(id, { role: 'member' })
  await signInAs(userId)
  await open(`/o/${slug}`)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Sign out' }).waitFor()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowUp']) await page.keyboard.press(key)
  expect(await page.getByRole('option').nth(1).getAttribute('aria-selected')).toBe('true')
  const names = await page.getByRole('option').allTextContents()
  expect(names).toContain('UsagePage')
  for (const name of [
    'API keys',
    'Create API key',
    'Buy credit',
    'Credits',
    'Ledger',
    'Playground',
    'Spend breaker',
    'Budgets',
    'Members',
  ]) {
    expect(names.filter((shown) => shown.startsWith(name))).toEqual([])
  }
  await page.keyboard.press('Escape')
})
