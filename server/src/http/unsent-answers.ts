import type { ServerResponse } from 'node:http'

export interface UnsentLimits {
  /** How long a client may stop reading a response. */
  readonly idleMs: number
  /**
   * The maximum memory for all unread responses of this process. Beyond it the gateway drops the oldest response of the
   * client with the most unread bytes.
   */
  readonly bytesMax: number
}

// The same timeout as for streams, and the size of about fifteen of the largest responses.
const usualLimits: UnsentLimits = { idleMs: 120_000, bytesMax: 256 * 1_048_576 }

interface Unread {
  readonly client: string
  readonly bytes: number
}

/**
 * Complete responses that clients have not read yet. Only these limits end such a response: it is settled, so it has no
 * hold and no upstream, and the socket would keep its bytes as long as the client stays connected. A client with many
 * unread responses loses its own, never the single response of a slow reader.
 */
export class UnsentAnswers {
  readonly #limits: UnsentLimits
  /** Oldest first. */
  readonly #unread = new Map<ServerResponse, Unread>()
  #total = 0

  constructor(limits: UnsentLimits = usualLimits) {
    this.#limits = limits
  }

  /** Watches a complete response that the socket could not send at once. */
  watch(response: ServerResponse): void {
    const bytes = response.writableLength
    if (bytes === 0) return
    this.#unread.set(response, { client: clientOf(response), bytes })
    this.#total += bytes
    response.once('close', () => this.#forget(response))
    response.setTimeout(this.#limits.idleMs, () => response.destroy())
    while (this.#total > this.#limits.bytesMax) this.#dropOne()
  }

  #dropOne(): void {
    const client = this.#largestClient()
    for (const [response, unread] of this.#unread) {
      if (unread.client !== client) continue
      this.#forget(response)
      response.destroy()
      return
    }
  }

  #largestClient(): string | undefined {
    const bytesBy = new Map<string, number>()
    for (const { client, bytes } of this.#unread.values()) bytesBy.set(client, (bytesBy.get(client) ?? 0) + bytes)
    const [largest] = [...bytesBy].toSorted(([, one], [, other]) => other - one)
    return largest?.[0]
  }

  #forget(response: ServerResponse): void {
    this.#total -= this.#unread.get(response)?.bytes ?? 0
    this.#unread.delete(response)
  }
}

/** The client, by its credential, or by its address if it has none. */
function clientOf({ req: { headers, socket } }: ServerResponse): string {
  const { authorization, 'x-api-key': apiKey, cookie } = headers
  return authorization ?? (typeof apiKey === 'string' ? apiKey : undefined) ?? cookie ?? socket.remoteAddress ?? ''
}
