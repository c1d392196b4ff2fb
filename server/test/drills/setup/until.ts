import { setTimeout as wait } from 'node:timers/promises'

const everyMs = 20
// Three minutes, because it only ends what would never end by itself: nothing is judged by how long it took.
const hangMs = 180_000

/** Looks again and again until nothing is missing. `look` gives what still is, in words, or null. */
export async function until(look: () => Promise<string | null>): Promise<void> {
  for (const deadlineMs = Date.now() + hangMs; ; await wait(everyMs)) {
    const missing = await look()
    if (missing === null) return
    if (Date.now() > deadlineMs) throw new Error(`after ${hangMs} ms: ${missing}`)
  }
}
