import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { addFilter } from './setup/filters.ts'
import { createPerson, signIn } from './setup/people.ts'

/** Creates an organization with this balance, and signs in a person who administers it. */
async function enter({ world: { gateway }, signInAs }: ConsoleTest, name: string) {
  const organization = await gateway.createOrganization({ usd: '88.000000001', name })
  const { userId } = await gateway.addMember(organization.id, { role: 'org_admin' })
  await signInAs(userId)
  return organization
}

consoleTest('the links and filters of an organization stay below its path', async (test) => {
  const { page, open } = test
  const { slug } = await enter(test, 'Race Mill')
  await open(`/o/${slug}/`)
  await page.locator('#content [data-nano="88000000001"]').first().waitFor()
  const links = page.getByRole('navigation', { name: 'Main' }).first().getByRole('link')
  const paths = await links.evaluateAll((found) => found.map((link) => link.getAttribute('href') ?? ''))
  expect(paths.length).toBeGreaterThan(5)
  expect(paths.filter((path) => !`${path}/`.startsWith(`/console/o/${slug}/`))).toEqual([])
  await page.locator('#content').getByRole('link', { name: '$88' }).first().click()
  await page.waitForURL(`**/console/o/${slug}/ledger?*`)
  await addFilter(page, 'Type', 'Charges')
  await page.waitForURL(/kind=charge/)
  expect(new URL(page.url()).pathname).toBe(`/console/o/${slug}/ledger`)
  expect(new URL(page.url()).searchParams.has('scope')).toBe(false)
  await page.goBack()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  expect(new URL(page.url()).pathname).toMatch(new RegExp(`^/console/o/${slug}/?$`))
})

consoleTest('an old link with the id of an organization leads to its path', async (test) => {
  const { page, open } = test
  const { id, slug, walletId } = await enter(test, 'Old Mill')
  await open(`/ledger?month=all&organization=${id}`)
  await page.waitForURL(`**/console/o/${slug}/ledger?month=all`)
  await page.locator('#content [data-nano="88000000001"]').first().waitFor()
  await open(`/credits?wallet=${walletId}`)
  await page.waitForURL(`**/console/o/${slug}/credits`)
  await page.locator('#content [data-nano="88000000001"]').first().waitFor()
  await page.goBack()
  await page.waitForURL(`**/console/o/${slug}/ledger?month=all`)
  await page.getByText('Totals match').waitFor()
})

consoleTest('an organization of others is as unknown as one that does not exist', async (test) => {
  const { world, page, open, look } = test
  const foreign = await world.gateway.createOrganization({ usd: '5', name: 'Secret Mill' })
  await enter(test, 'Own Mill')
  const shown: string[] = []
  for (const path of [
    `/o/${foreign.slug}/requests`,
    '/o/no-such-mill/requests',
    `/requests?organization=${foreign.id}`,
    '/requests?organization=00000000-0000-4000-8000-000000000000',
  ]) {
    await open(path)
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    shown.push(await page.locator('body').innerText())
  }
  expect(new Set(shown).size).toBe(1)
  expect(shown[0]).not.toContain('Secret')
  await look('organization-not-found')
  await page.getByRole('link', { name: 'Go to overview' }).click()
  await page.waitForURL(/\/console\/?$/)
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})

consoleTest('a link into an organization survives the sign-in', async ({ world, page, open }) => {
  const person = await createPerson(world)
  const { id, slug } = await world.gateway.createOrganization({ usd: '66.000000001', name: 'Late Mill' })
  const { rows } = await world.gateway.pool.query<{ id: string }>('SELECT id FROM auth_users WHERE email = $1', [
    person.email,
  ])
  await world.gateway.addMember(id, { role: 'org_admin', userId: rows[0]?.id ?? '' })
  await open(`/o/${slug}/ledger?month=all`)
  await signIn(page, person)
  await page.waitForURL(`**/console/o/${slug}/ledger?month=all`)
  await page.locator('#content [data-nano="66000000001"]').first().waitFor()
})

consoleTest(
  'the workspace switch keeps the page, and leaves the one that the other workspace does not have',
  async (test) => {
    const { world, page, open, signInAs } = test
    const { id, slug } = await world.gateway.createOrganization({ usd: '5', name: 'Side Mill' })
    const { userId } = await world.gateway.addMember(id, { role: 'member' })
    await signInAs(userId)
    const switchTo = async (name: string) => {
      await page.getByRole('button', { name: /^Workspace:/ }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    await open('/usage?period=30d')
    await switchTo('Side Mill')
    await page.waitForURL(`**/console/o/${slug}/usage`)
    await page.getByRole('button', { name: 'Workspace: Side Mill' }).waitFor()
    await switchTo('Personal')
    await page.waitForURL('**/console/usage')
    await open('/ledger')
    await page.getByText('Totals match').waitFor()
    await switchTo('Side Mill')
    await page.waitForURL(`**/console/o/${slug}`)
  },
)

consoleTest('billing is one entry with four tabs', async (test) => {
  const { page, open, look } = test
  const { slug } = await enter(test, 'Toll Mill')
  await open(`/o/${slug}/credits`)
  const main = page.getByRole('navigation', { name: 'Main' })
  const tabs = page.getByRole('navigation', { name: 'Billing' }).getByRole('link')
  for (const [name, path] of [
    ['Payment', 'billing'],
    ['Invoices', 'invoices'],
    ['Ledger', 'ledger'],
    ['Credits', 'credits'],
  ] as const) {
    await tabs.filter({ hasText: name }).click()
    await page.waitForURL(`**/console/o/${slug}/${path}`)
    await page.getByRole('heading', { name: 'Billing', level: 1 }).waitFor()
    await expect.poll(() => page.title()).toBe(`${name} · Billing · Weir`)
    expect(await main.locator('[aria-current="page"]').allTextContents()).toEqual(['Billing'])
    expect(await tabs.and(page.locator('[aria-current="page"]')).allTextContents()).toEqual([name])
    await look(`billing-tab-${path}`)
  }
})

consoleTest('an organization has a spend breaker of its own, among its budgets', async (test) => {
  const { world, page, open, look } = test
  const { id, slug } = await enter(test, 'Dam Mill')
  await open(`/o/${slug}/breaker`)
  await page.waitForURL(`**/console/o/${slug}/budgets`)
  await page.getByRole('combobox', { name: 'Spend breaker' }).selectOption('on')
  await page.getByLabel('Limit per hour (USD)').fill('0.000000007')
  await page.getByRole('button', { name: 'Save breaker' }).click()
  await page.getByText('Spend breaker is on.').waitFor()
  await look('organization-breaker')
  const text = 'SELECT breaker_hour_nano FROM organizations WHERE id = $1'
  const { rows } = await world.gateway.pool.query<{ breaker_hour_nano: string }>(text, [id])
  expect(rows[0]?.breaker_hour_nano).toBe('7')
  await open('/breaker')
  await page.getByText('all your API keys', { exact: false }).waitFor()
  await page.locator('data[data-nano="20000000000"]').waitFor()
  expect(await page.getByLabel('Turn on the spend breaker').isChecked()).toBe(false)
})

consoleTest('settings belong to the person, whatever the organization of the link', async (test) => {
  const { page, open } = test
  const { slug } = await enter(test, 'Broad Mill')
  await open(`/o/${slug}/settings`)
  await page.waitForURL('**/console/settings')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await open(`/o/${slug}/keys`)
  expect(await page.getByRole('link', { name: 'Settings', exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'User menu' }).click()
  await page.getByRole('menuitem', { name: 'Settings' }).click()
  await page.waitForURL('**/console/settings')
  await page.getByRole('button', { name: 'Workspace: Personal' }).waitFor()
})

consoleTest('a person creates an organization and is in it', async ({ world, page, open, look, signInAs }) => {
  await signInAs((await world.gateway.createClient()).userId)
  await open('/')
  await page.getByRole('button', { name: /^Workspace:/ }).click()
  await page.getByRole('menuitem', { name: 'New organization' }).click()
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('Enter a name.').waitFor()
  await page.getByLabel('Name').fill('Tide Mill')
  await look('new-organization')
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.waitForURL(/\/console\/o\/tide-mill-[0-9a-f]{10}\/?$/)
  await page.getByRole('button', { name: 'Workspace: Tide Mill' }).waitFor()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
})
