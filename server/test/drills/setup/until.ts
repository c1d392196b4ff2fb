import { setTimeout as wait } from 'node:timers/promises'

const everyMs = 20
// Three minutes, because it only ends a hung drill: nothing is judged by its duration.
const hangMs = 180_000

/** Polls until nothing is missing. `look` returns a description of the missing state, or null. */
export async function until(look: () => Promise<string | null>): Promise<void> {
  for (const deadlineMs = Date.now() + hangMs; ; await wait(everyMs)) {
    const missing = await look()
    if (missing === null) return
    if (Date.now() > deadlineMs) throw new Error(`after ${hangMs} ms: ${missing}`)
  }
}
