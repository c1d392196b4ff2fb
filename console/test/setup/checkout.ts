import type { Page } from 'playwright-core'
import type { ConsoleTest } from './console-test.ts'

/** The redirect to the provider's page is the only request to another host, and a click causes it. */
export function expectCheckout({ world, tolerate }: ConsoleTest): void {
  const page = `${world.payments.url}/pay/`.replaceAll(/[.?/]/g, String.raw`\$&`)
  tolerate(new RegExp(`^foreign request: ${page}`))
}

/** Presses a button of the provider's page, which then redirects back. */
export async function answerCheckout(page: Page, button: RegExp): Promise<void> {
  await page.getByRole('heading', { name: 'Test checkout' }).waitFor()
  await page.getByRole('button', { name: button }).click()
}

/** The spendable balance in the header, in nano-USD. */
export async function headerBalance(page: Page): Promise<string | null> {
  return page.getByRole('banner').locator('[data-nano]').getAttribute('data-nano')
}
