import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/** Writes pieces one after another, with back-pressure. */
export async function writeFrames(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) {
    if (response.destroyed) return
    const isTaken = response.write(piece)
    // Yields to the event loop, so that holds can grow as with a slow upstream.
    if (isTaken) await new Promise((resolve) => setImmediate(resolve))
    else await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
}
