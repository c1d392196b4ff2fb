import { expect } from 'vitest'
import { crowd, gatherCrowd } from '../../server/test/lists/crowd.ts'
import { consoleTest } from './setup/console-test.ts'
import { startWorld, type World } from './setup/world.ts'

// The crowd's videos have too little for a page.
const size = { keys: 100_000, members: 10_000, teams: 100, generations: 20_000, videos: 1_000 }

/** Each page, the list that it calls, and a text of its first row. */
const pages = [
  ['members', '/members', 'crowd10000@example.com'],
  ['members?idle=true', '/members', 'crowd10000@example.com'],
  ['invitations', '/invitations', 'guest1@example.com'],
  ['teams', '/teams', 'team 1'],
  ['keys', '/keys', 'key 1'],
  [`keys?member=${crowd.memberId}`, '/keys', 'key 1'],
  ['requests', '/generations', 'acme/model-1'],
] as const

async function openCrowdedWorld(): Promise<World> {
  const world = await startWorld()
  await gatherCrowd(world.gateway.pool, size)
  return world
}

consoleTest(
  'an organization of 10,000 people and 100,000 keys shows the first rows of each list with one call',
  async (test) => {
    const { world, page, open, signInAs } = test
    const { userId } = await world.gateway.addMember(crowd.organizationId, { role: 'org_admin' })
    await signInAs(userId)
    const lists: string[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (searchParams.has('limit')) lists.push(pathname)
    })
    for (const [path, list, text] of pages) {
      lists.length = 0
      const startedAtMs = performance.now()
      await open(`/o/crowd/${path}`)
      await page.locator('#content').getByText(text, { exact: true }).first().waitFor()
      console.log(`first rows of ${path.split('=')[0]}: ${Math.round(performance.now() - startedAtMs)} ms`)
      await page.waitForLoadState('networkidle')
      expect(
        lists.filter((pathname) => pathname.endsWith(list)),
        path,
      ).toHaveLength(1)
    }
  },
  openCrowdedWorld,
)
