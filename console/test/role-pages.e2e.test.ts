import { expect } from 'vitest'
import { readAccess, type Role, roles } from '../../server/test/oracle/read-access.ts'
import { type ConsoleTest, consoleTest } from './setup/console-test.ts'
import { type RolePage, rolePages } from './setup/role-pages.ts'

const access = readAccess()

function mayCall(role: Role, operation: string): boolean {
  const found = access.get(operation)
  if (found === undefined) throw new Error(`the table of access lacks ${operation}`)
  return found.reach[role] !== 'no'
}

const isSeenBy = (role: Role, { needs }: RolePage): boolean => needs?.some((one) => mayCall(role, one)) ?? true

/** An organization with a team, whose administrator or member has the role. */
async function enter({ world: { gateway }, signInAs }: ConsoleTest, role: Role) {
  const { id, slug } = await gateway.createOrganization({ usd: '5', name: `Matrix ${role}` })
  const { teamId } = await gateway.addTeam(id, { name: 'Sluice' })
  const { userId } = await gateway.addMember(id, { role, teamId })
  await signInAs(userId)
  const session = gateway.as({ cookie: await gateway.signIn(userId) })
  const stranger = gateway.as({ cookie: await gateway.signIn((await gateway.createClient()).userId) })
  const place = (operation: string) => {
    const [method = '', path = ''] = operation.split(' ')
    return [method, path.replace('{orgId}', id).replace('{teamId}', teamId)] as const
  }
  return { slug, session, stranger, place }
}

/** The paths below the organization that the sidebar and the tabs of the page lead to. */
async function offeredOn({ page }: ConsoleTest, slug: string): Promise<string[]> {
  const links = page.getByRole('navigation').getByRole('link')
  const addresses = await links.evaluateAll((found) => found.map((link) => String(Reflect.get(link, 'pathname'))))
  const home = `/console/o/${slug}`
  return addresses.filter((path) => path.startsWith(home)).map((path) => path.slice(home.length).replace(/^\/?/, '/'))
}

for (const role of roles) {
  consoleTest(`a ${role} is offered what the table of access allows, and calls nothing else`, async (test) => {
    const { world, page, open } = test
    const { slug, session, stranger, place } = await enter(test, role)
    const seen = rolePages.filter((one) => isSeenBy(role, one))
    const offered = new Set<string>()
    for (const { path, heading, buttons } of seen) {
      await open(`/o/${slug}${path}`)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await page.waitForLoadState('networkidle')
      for (const link of await offeredOn(test, slug)) offered.add(link)
      for (const [name, operation] of Object.entries(buttons)) {
        const named = { name, exact: true }
        const content = page.locator('#content')
        const count = await content.getByRole('button', named).or(content.getByRole('link', named)).count()
        expect(count > 0, `${name} on ${path}`).toBe(mayCall(role, operation))
      }
      expect(await page.locator('#content').getByRole('alert').filter({ hasText: 'role' }).count(), path).toBe(0)
    }
    expect([...offered].toSorted()).toEqual(seen.map(({ path: one }) => one).toSorted())
    const operations = new Set(rolePages.flatMap(({ needs, buttons }) => [...(needs ?? []), ...Object.values(buttons)]))
    for (const operation of operations) {
      const [method, path] = place(operation)
      const body = method === 'GET' ? undefined : {}
      const options = { headers: { origin: world.origin } }
      if (!mayCall(role, operation))
        expect((await session.send(method, path, body, options)).status, operation).toBe(403)
      expect((await stranger.send(method, path, body, options)).status, `${operation} by a stranger`).toBe(404)
    }
  })
}

consoleTest('a page that the role may not see says so, and offers nothing', async (test) => {
  const { page, open } = test
  const { slug } = await enter(test, 'member')
  for (const { path, buttons } of rolePages.filter((one) => !isSeenBy('member', one))) {
    await open(`/o/${slug}${path}`)
    await page.getByText("Your role can't view this page.", { exact: false }).waitFor()
    for (const name of Object.keys(buttons)) {
      expect(await page.getByRole('button', { name, exact: true }).count(), `${name} on ${path}`).toBe(0)
    }
  }
})
