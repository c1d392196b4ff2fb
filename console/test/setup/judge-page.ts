import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { wantsAll } from './wants-all.ts'

/** Half as long as the readable one, which the browser would parse on every page. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What a judgement depends on: the elements, and the width that they are laid out for. */
const state = 'JSON.stringify([innerWidth, location.href, document.documentElement.outerHTML])'

/** The last state of each tab without a finding. */
const judged = new WeakMap<Page, string>()

/**
 * Fails on any axe finding in the light theme. With `--all` it also fails on colour findings in the dark theme. axe
 * runs in the page itself: its Playwright builder opens another page each time and takes four times as long. A page
 * that has not changed since it was judged is not judged again.
 */
export async function judgePage(page: Page, label: string): Promise<void> {
  const before = await page.evaluate<string>(state)
  if (judged.get(page) === before) return
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe)
  expect(await findingsOf(page, {}), `${label}, light`).toEqual([])
  if (wantsAll) {
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await findingsOf(page, { runOnly: ['color-contrast'] }), `${label}, dark`).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
  }
  judged.set(page, before)
}

async function findingsOf(page: Page, options: RunOptions): Promise<string[]> {
  // Preloading fetches every style sheet again, for a rule about rotated screens that these styles cannot break.
  const asked = JSON.stringify({ resultTypes: ['violations'], preload: false, ...options })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${asked})`)
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`)
}
