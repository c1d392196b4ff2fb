import type { AnswerListener } from '../../types.ts'

/**
 * A reader's output for its client. It is held back until the outlet is opened by the first content. From then on
 * everything from one read of the upstream's socket, which may be many small pieces, is sent in one write.
 */
export class ClientOutlet {
  isOpen = false
  readonly #listener: AnswerListener
  readonly #encoding: 'utf8' | 'latin1'
  #waiting = ''
  #flushIsDue = false

  /** `encoding` is that of the frames: Latin-1 if they are bytes written as text. */
  constructor(listener: AnswerListener, encoding: 'utf8' | 'latin1') {
    this.#listener = listener
    this.#encoding = encoding
  }

  open(): void {
    if (this.isOpen) return
    this.isOpen = true
    this.#listener.opened()
  }

  add(frames: string): void {
    this.#waiting += frames
  }

  // The tick ends after the socket's read, so this combines what arrived together and delays nothing.
  flushSoon(): void {
    if (this.#flushIsDue || this.#waiting === '' || !this.isOpen) return
    this.#flushIsDue = true
    process.nextTick(() => {
      this.#flushIsDue = false
      this.flush()
    })
  }

  flush(): void {
    if (this.#waiting === '' || !this.isOpen) return
    const frames = this.takeUnsent()
    this.#listener.bytes(this.#encoding === 'utf8' ? frames : Buffer.from(frames, this.#encoding))
  }

  /** The unsent output, to be sent together with something else. */
  takeUnsent(): string {
    const unsent = this.#waiting
    this.#waiting = ''
    return unsent
  }
}
