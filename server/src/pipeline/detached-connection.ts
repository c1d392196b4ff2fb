import type { ClientConnection } from './types.ts'

/** The connection of a request in the background: no client waits, and none can disconnect until it cancels. */
export class DetachedConnection implements ClientConnection {
  readonly streaming = false
  readonly quietSinceMs = Number.POSITIVE_INFINITY
  readonly blockedSinceMs = null
  #gone = false
  #onGone: (() => void) | null = null

  get gone(): boolean {
    return this.#gone
  }

  onGone(listener: () => void): void {
    this.#onGone = listener
  }

  /** Ends the request as if its client had disconnected. */
  drop(): void {
    if (this.#gone) return
    this.#gone = true
    this.#onGone?.()
  }

  startStream(): void {}

  write(): boolean {
    return true
  }

  onDrain(listener: () => void): void {
    listener()
  }

  end(): void {}

  onSent(listener: () => void): void {
    listener()
  }
}
