import { expect } from 'vitest'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
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
  await page.getByLabel('Type').selectOption('charge')
  await page.waitForURL(/kind=charge/)
  expect(new URL(page.url()).pathname).toBe(`/console/o/${slug}/ledger`)
  expect(new URL(page.url()).searchParams.has('scope')).toBe(false)
  await page.goBack()
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

consoleTest('settings belong to the person, whatever the organization of the link', async (test) => {
  const { page, open } = test
  const { slug } = await enter(test, 'Broad Mill')
  await open(`/o/${slug}/settings`)
  await page.waitForURL('**/console/settings')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
})
