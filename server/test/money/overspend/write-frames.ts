import { once } from 'node:events'
import type { ServerResponse } from 'node:http'

/** Writes pieces one after the other, as fast as they are taken. */
export async function writeFrames(response: ServerResponse, pieces: Iterable<string>): Promise<void> {
  for (const piece of pieces) {
    if (response.destroyed) return
    const isTaken = response.write(piece)
    // A turn for everybody else, so that holds can grow as they would with a slow upstream.
    if (isTaken) await new Promise((resolve) => setImmediate(resolve))
    else await Promise.race([once(response, 'drain'), once(response, 'close')])
  }
}
