import { setTimeout as wait } from 'node:timers/promises'

// A failed start is reported at once, without waiting for an unavailable Postgres or Redis.
const closeMsMax = 3_000

/** Starts a process. If the start fails, it closes everything that was opened, within a few seconds. */
export async function closeAfterFailure<Result>(
  wired: { close(): Promise<void> },
  start: () => Promise<Result>,
): Promise<Result> {
  try {
    return await start()
  } catch (error) {
    await Promise.race([wired.close().catch(() => {}), wait(closeMsMax)])
    throw error
  }
}
