import { expect } from 'vitest'
import { callModel } from './setup/call-model.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'

type Role = 'org_admin' | 'billing_viewer' | 'member'

/** Creates an organization with this exact balance and another member's key, and signs in a member with this role. */
async function enter({ world: { gateway }, signInAs }: ConsoleTest, role: Role) {
  const name = `Mill ${role}`
  const { id, slug, walletId } = await gateway.createOrganization({ usd: '77.000000001', name })
  const other = await gateway.addMember(id, { role: 'member' })
  const { keyId, key } = await gateway.addOrganizationKey(id, {
    memberId: other.memberId,
    terms: { name: 'mill-wheel' },
  })
  const { userId, memberId } = await gateway.addMember(id, { role })
  await signInAs(userId)
  return { id, slug, name, walletId, memberId, keyId, key }
}

consoleTest('an administrator switches to the wallet of the organization, and every page follows', async (test) => {
  const { page, open, look } = test
  const { slug, name } = await enter(test, 'org_admin')
  await open('/')
  await page.locator('#content [data-nano="0"]').first().waitFor()
  await page.getByRole('button', { name: /^Workspace:/ }).click()
  await page.getByRole('menuitem', { name }).click()
  await page.waitForURL(`**/console/o/${slug}`)
  await page.locator('#content [data-nano="77000000001"]').first().waitFor()
  await look('organization-overview')
  await page.getByRole('link', { name: 'API keys', exact: true }).click()
  await page.waitForURL(`**/console/o/${slug}/keys`)
  await page.getByRole('cell', { name: 'mill-wheel', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Create key' }).waitFor()
  await look('organization-keys')
})

consoleTest('a billing viewer sees the bill and the keys, and changes nothing', async (test) => {
  const { page, open, look } = test
  const { slug } = await enter(test, 'billing_viewer')
  await open(`/o/${slug}`)
  await page.locator('#content [data-nano="77000000001"]').first().waitFor()
  await page.getByRole('link', { name: 'Billing', exact: true }).click()
  await page.getByRole('link', { name: 'Ledger', exact: true }).click()
  await page.getByText('Totals match').waitFor()
  await page.getByRole('link', { name: 'API keys', exact: true }).click()
  await page.getByRole('cell', { name: 'mill-wheel', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Actions for mill-wheel' }).count()).toBe(0)
  await look('billing-viewer-keys')
})

consoleTest('a member is told in words what the role does not see, and sees the own requests alone', async (test) => {
  const { page, open, look, tolerate } = test
  tolerate(/status of 403/)
  const { id, slug, memberId, key } = await enter(test, 'member')
  const { gateway } = test.world
  const own = await gateway.addOrganizationKey(id, { memberId })
  const [mine, theirs] = await Promise.all(
    [own.key, key].map(async (secret) => (await callModel(test.world, secret)).generationId),
  )
  await open(`/o/${slug}`)
  await page.getByText("Your role can't view this balance", { exact: false }).waitFor()
  await look('member-overview')
  await page.getByRole('link', { name: 'Requests', exact: true }).click()
  await page.locator(`a[href*="${mine}"]`).waitFor()
  expect(await page.locator(`a[href*="${theirs}"]`).count()).toBe(0)
  const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link')
  for (const name of ['Playground', 'API keys', 'Billing', 'Budgets', 'Members', 'Teams', 'Allowed models']) {
    expect(await links.filter({ hasText: name }).count(), name).toBe(0)
  }
  for (const [path, name, picture] of [
    ['ledger', 'Billing', 'member-ledger'],
    ['keys', 'API keys', 'member-keys'],
  ] as const) {
    await open(`/o/${slug}/${path}`)
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    const words = page.locator('#content').getByRole('alert').first()
    expect(await words.textContent()).toMatch(/role/)
    await look(picture)
  }
})
