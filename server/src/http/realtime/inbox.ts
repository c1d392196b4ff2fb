import type { TextSocket } from '#lib/text-socket.ts'

/**
 * Handles the texts of a socket one after the other. The socket is paused while a text is being handled and while the
 * receiving side is full, so a session keeps at most what one read of the socket has brought.
 */
export class Inbox {
  readonly #socket: TextSocket
  readonly #handle: (text: string) => void | Promise<void>
  readonly #onFault: (error: unknown) => void
  readonly #waiting: string[] = []
  #isBusy = false
  #isBlocked = false
  #isClosed = false

  /** `onFault` gets what the handler throws: nothing else waits for it. */
  constructor(socket: TextSocket, handle: (text: string) => void | Promise<void>, onFault: (error: unknown) => void) {
    this.#socket = socket
    this.#handle = handle
    this.#onFault = onFault
  }

  start(): void {
    this.#socket.onText((text) => {
      if (this.#isClosed) return
      this.#waiting.push(text)
      this.#next()
    })
  }

  /** Reads no more until `unblock`. */
  block(): void {
    this.#isBlocked = true
    this.#socket.pause()
  }

  unblock(): void {
    this.#isBlocked = false
    if (!this.#isBusy) this.#socket.resume()
    this.#next()
  }

  /** Ignores all further texts. */
  close(): void {
    this.#isClosed = true
    this.#waiting.length = 0
  }

  #next(): void {
    while (!this.#isBusy && !this.#isBlocked) {
      const text = this.#waiting.shift()
      if (text === undefined) return
      const handling = this.#begin(text)
      if (handling instanceof Promise) this.#await(handling)
    }
  }

  #begin(text: string): void | Promise<void> {
    try {
      return this.#handle(text)
    } catch (error) {
      this.#onFault(error)
    }
  }

  #await(handling: Promise<void>): void {
    this.#isBusy = true
    this.#socket.pause()
    void handling.catch(this.#onFault).finally(() => {
      this.#isBusy = false
      if (!this.#isBlocked) this.#socket.resume()
      this.#next()
    })
  }
}
