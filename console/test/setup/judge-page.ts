import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { wantsAll } from './wants-all.ts'

/**
 * Fails on any axe finding in the light theme. With `--all` it also fails on colour findings in the dark theme. axe
 * runs in the page itself: its Playwright builder opens another page each time and takes four times as long.
 */
export async function judgePage(page: Page, label: string): Promise<void> {
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(axe.source)
  expect(await findingsOf(page, {}), `${label}, light`).toEqual([])
  if (!wantsAll) return
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await findingsOf(page, { runOnly: ['color-contrast'] }), `${label}, dark`).toEqual([])
  await page.emulateMedia({ colorScheme: 'light' })
}

async function findingsOf(page: Page, options: RunOptions): Promise<string[]> {
  const asked = JSON.stringify({ resultTypes: ['violations'], ...options })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${asked})`)
  return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`)
}
