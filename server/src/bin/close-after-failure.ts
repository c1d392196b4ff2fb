import { setTimeout as wait } from 'node:timers/promises'

// A failed start is reported at once, without waiting for an engine that is away.
const closeMsMax = 3_000

/**
 * Starts a process. Should that fail, all that was opened on the way is closed, as far as it can be in a few seconds.
 */
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
