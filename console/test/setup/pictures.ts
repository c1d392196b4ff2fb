import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { wantsAll } from './wants-all.ts'

const folder = join(import.meta.dirname, '../../../.weir/console/pictures')
const coverPath = join(import.meta.dirname, '../../../docs/pictures/console.png')
const sizes = [
  { name: '1440', width: 1440, height: 900 },
  { name: '390', width: 390, height: 844 },
]

/** Takes screenshots of the page in light and dark, wide and narrow, with `npm run console -- --all`. */
export async function takePictures(page: Page, name: string): Promise<void> {
  if (!wantsAll) return
  await mkdir(folder, { recursive: true })
  for (const { name: size, width, height } of sizes) {
    await page.setViewportSize({ width, height })
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), animations: 'disabled' })
    }
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
}

/** Takes the screenshot at the top of the README. */
export async function takeCover(page: Page): Promise<void> {
  if (!wantsAll) return
  await page.setViewportSize({ width: 1440, height: 730 })
  await page.screenshot({ path: coverPath, animations: 'disabled' })
}

/** Takes a screenshot of a failed test and returns its path. */
export async function takeFailure(page: Page, name: string): Promise<string> {
  const path = join(folder, '../failures', `${name.replaceAll(/\W+/g, '-')}.png`)
  await page.screenshot({ path })
  return path
}
