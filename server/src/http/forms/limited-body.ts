import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'

/** The buffer of each stage of an upload: there are nine stages, and many concurrent uploads. */
export const bufferBytes = 16_384

/**
 * A client's body, with limits on its size and idle time. Giving up leaves the connection open, so that the error can
 * still be sent: destroying the request would destroy its socket.
 */
export class LimitedBody extends Transform {
  byteCount = 0
  readonly #request: IncomingMessage
  readonly #bytesMax: number
  readonly #idleTimer: NodeJS.Timeout
  readonly #onLost = (): void => {
    if (!this.#request.complete) this.destroy(malformed('The connection closed before the body was complete.'))
  }

  constructor(request: IncomingMessage, { bytesMax, idleTimeoutMs }: { bytesMax: number; idleTimeoutMs: number }) {
    super({ highWaterMark: bufferBytes })
    this.#request = request
    this.#bytesMax = bytesMax
    this.#idleTimer = setTimeout(() => this.destroy(malformed('The request body arrived too slowly.')), idleTimeoutMs)
    request.once('close', this.#onLost)
    request.pipe(this)
    if (request.destroyed) this.#onLost()
  }

  override _transform(bytes: Buffer, _encoding: string, done: (error?: Error | null, bytes?: Buffer) => void): void {
    this.#idleTimer.refresh()
    this.byteCount += bytes.length
    if (this.byteCount <= this.#bytesMax) return done(null, bytes)
    done(tooLarge())
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#idleTimer)
    this.#request.unpipe(this)
    this.#request.off('close', this.#onLost)
    done(error)
  }
}

export function tooLarge(): GatewayError {
  return new GatewayError('bodyTooLarge', { message: 'The request body is too large.' })
}
