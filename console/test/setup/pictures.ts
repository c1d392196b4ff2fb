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

/** The page in light and dark, wide and narrow, where `npm run console -- --all` asked for it. */
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

/** The picture that the README opens with. */
export async function takeCover(page: Page): Promise<void> {
  if (!wantsAll) return
  await page.setViewportSize({ width: 1440, height: 730 })
  await page.screenshot({ path: coverPath, animations: 'disabled' })
}

/** The page as it was when a test failed; gives the path of the picture. */
export async function takeFailure(page: Page, name: string): Promise<string> {
  const path = join(folder, '../failures', `${name.replaceAll(/\W+/g, '-')}.png`)
  await page.screenshot({ path })
  return path
}
