import type { Locator } from 'playwright-core'

/** Works a page as a person does, and counts what the person had to do. */
export interface Hands {
  readonly clicks: number
  /** Typed texts and chosen files. */
  readonly entries: number
  click(target: Locator): Promise<void>
  type(field: Locator, text: string): Promise<void>
  /** Chooses an option of a list, which takes two clicks. */
  choose(field: Locator, label: string): Promise<void>
  /** Chooses a CSV file of the computer. */
  attach(field: Locator, text: string): Promise<void>
}

export function countHands(): Hands {
  let clicks = 0
  let entries = 0
  return {
    get clicks() {
      return clicks
    },
    get entries() {
      return entries
    },
    async click(target) {
      clicks += 1
      await target.click()
    },
    async type(field, text) {
      entries += 1
      await field.fill(text)
    },
    async choose(field, label) {
      clicks += 2
      await field.selectOption({ label })
    },
    async attach(field, text) {
      clicks += 1
      entries += 1
      await field.setInputFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
    },
  }
}
