import type { AnswerListener } from '../../types.ts'

/**
 * What a reader has for its client. It is kept back until the outlet is opened, by the first thing of substance; from
 * then on all that one read of the upstream's socket gave, which may be many small pieces, goes out in one write.
 */
export class ClientOutlet {
  isOpen = false
  readonly #listener: AnswerListener
  readonly #encoding: 'utf8' | 'latin1'
  #waiting = ''
  #flushIsDue = false

  /** `encoding` is that of the frames: Latin-1 where they are bytes written as text. */
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

  // The tick is not over before the socket's read is, so this coalesces what came together and delays nothing.
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

  /** What has not gone out yet, to be sent together with something else. */
  takeUnsent(): string {
    const unsent = this.#waiting
    this.#waiting = ''
    return unsent
  }
}
