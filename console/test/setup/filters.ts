import type { Locator, Page } from 'playwright-core'

/** Adds a filter chip by its field and the label of a choice. */
export async function addFilter(page: Page, field: string, choice: string): Promise<void> {
  await openFilter(page, field)
  await page.getByRole('option', { name: choice, exact: true }).click()
}

/** Opens the editor of a filter. A table with one field opens it at once. */
export async function openFilter(page: Page, field: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a filter' })
  await dialog.waitFor()
  const choice = dialog.getByRole('option', { name: field, exact: true })
  if ((await dialog.getByRole('combobox', { name: 'Filter by' }).count()) > 0) await choice.click()
}

/** Adds a filter chip whose value is typed. */
export async function typeFilter(page: Page, field: string, text: string): Promise<void> {
  await openFilter(page, field)
  const dialog = page.getByRole('dialog', { name: 'Add a filter' })
  await dialog.getByLabel(field, { exact: true }).fill(text)
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
}

export function chips(page: Page): Locator {
  return page.locator('[data-chip]')
}
