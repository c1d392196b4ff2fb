import { expect, test } from 'vitest'
import { openPage, type WatchedPage } from './browser.ts'
import { judgePage } from './judge-page.ts'
import { takeFailure, takePictures } from './pictures.ts'
import { openWorld, type World } from './world.ts'

export interface ConsoleTest extends Omit<WatchedPage, 'problems' | 'end'> {
  readonly world: World
  open(path: string): Promise<void>
  /** Signs a person in by cookie, without the form. */
  signInAs(userId: string, session?: { secondFactor?: boolean }): Promise<void>
  /** Checks the current page with axe, and takes its screenshots with `--all`. */
  look(name: string): Promise<void>
}

/**
 * Tests a user flow in a tab without cookies, storage and page. The test fails if the page logs an error, violates its
 * policy or requests another host, or if axe reports a finding at the end or at any `look`.
 */
export function consoleTest(
  name: string,
  flow: (parts: ConsoleTest) => Promise<void>,
  findWorld: () => Promise<World> = openWorld,
  /** Instead of the timeout of all tests, which only ends a hung one. */
  timeoutMs?: number,
): void {
  test(name, timeoutMs === undefined ? {} : { timeout: timeoutMs }, async () => {
    const world = await findWorld()
    const watched = await openPage(world.origin)
    const { page, context } = watched
    let hasFailed = true
    try {
      await flow({
        page,
        context,
        world,
        tolerate: watched.tolerate,
        open: async (path) => {
          await page.goto(`/console${path}`)
        },
        signInAs: async (userId, session) => {
          const [pair = ''] = (await world.gateway.signIn(userId, session)).split(';')
          const [cookieName = '', ...value] = pair.split('=')
          await context.addCookies([
            {
              name: cookieName,
              value: value.join('='),
              url: world.origin,
              secure: true,
              httpOnly: true,
              sameSite: 'Lax',
            },
          ])
        },
        look: async (label) => {
          await judgePage(page, label)
          await takePictures(page, label)
        },
      })
      await judgePage(page, 'at the end')
      expect(watched.problems).toEqual([])
      hasFailed = false
    } catch (error) {
      const path = await takeFailure(page, name)
      const seen = [`at ${page.url()}, shown in ${path}`, ...watched.problems, `The page says: ${await wordsOf(page)}`]
      const message = error instanceof Error ? error.message : String(error)
      throw new Error([message, ...seen].join('\n  '), { cause: error })
    } finally {
      await watched.end(hasFailed)
    }
  })
}

const wordsMax = 600

/** The visible text, for reports that are read without the screenshot. */
async function wordsOf(page: WatchedPage['page']): Promise<string> {
  const words = await page
    .locator('body')
    .innerText()
    .catch((error: unknown) => String(error))
  return words.replaceAll(/\s+/g, ' ').slice(0, wordsMax)
}
