import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPage, type WatchedPage } from './browser.ts'
import { takeFailure, takePictures } from './pictures.ts'
import { openWorld, type World } from './world.ts'

export interface ConsoleTest extends Omit<WatchedPage, 'problems'> {
  readonly world: World
  /** Opens a path below `/console`. */
  open(path: string): Promise<void>
  /** Signs a person in by a cookie, without the form. */
  signInAs(userId: string): Promise<void>
  /** Judges the page as it is now, and takes its pictures where they were asked for. */
  look(name: string): Promise<void>
}

/**
 * A flow of a person, in a browser context of its own. It fails where the page logged an error, broke its policy, asked another host, or has a
 * finding of axe at its end or wherever the test looks.
 */
export function consoleTest(name: string, flow: (parts: ConsoleTest) => Promise<void>): void {
  test(name, async () => {
    const world = await openWorld()
    const watched = await openPage(world.origin)
    const { page, context } = watched
    watched.tolerate(/\/api\/console\/state/)
    try {
      await flow({
        page,
        context,
        world,
        tolerate: watched.tolerate,
        open: async (path) => {
          await page.goto(`/console${path}`)
        },
        signInAs: async (userId) => {
          const [pair = ''] = (await world.gateway.signIn(userId)).split(';')
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
    } catch (error) {
      const path = await takeFailure(page, name)
      const seen = [`at ${page.url()}, shown in ${path}`, ...watched.problems].join('\n  ')
      throw new Error(`${error instanceof Error ? error.message : String(error)}\n  ${seen}`, { cause: error })
    } finally {
      await context.close()
    }
  })
}

/** Every rule in light, and in dark the only one that colours can break. */
async function judgePage(page: Page, label: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  const light = await new AxeBuilder({ page }).analyze()
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await new AxeBuilder({ page }).withRules(['color-contrast']).analyze()
  for (const [scheme, { violations }] of Object.entries({ light, dark })) {
    const found = violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`)
    expect(found, `${label}, ${scheme}`).toEqual([])
  }
}
