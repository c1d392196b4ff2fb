import { Duplex } from 'node:stream'

/** One end of a connection that exists only in memory, without system calls. */
export class MemorySocket extends Duplex {
  readonly remoteAddress = '127.0.0.1'
  readonly remotePort = 1
  readonly remoteFamily = 'IPv4'
  readonly #onBytes: (bytes: Buffer) => void

  /** `onBytes` receives the bytes that the code under test writes. `push` sends bytes to it. */
  constructor(onBytes: (bytes: Buffer) => void) {
    super({ allowHalfOpen: true })
    this.#onBytes = onBytes
  }

  override _read(): void {}

  override _write(bytes: Buffer | string, encoding: BufferEncoding, done: () => void): void {
    this.#take(bytes, encoding)
    done()
  }

  override _writev(chunks: { chunk: Buffer | string; encoding: BufferEncoding }[], done: () => void): void {
    for (const { chunk, encoding } of chunks) this.#take(chunk, encoding)
    done()
  }

  setTimeout(): this {
    return this
  }

  setNoDelay(): this {
    return this
  }

  setKeepAlive(): this {
    return this
  }

  ref(): this {
    return this
  }

  unref(): this {
    return this
  }

  destroySoon(): void {
    this.destroy()
  }

  #take(bytes: Buffer | string, encoding: BufferEncoding): void {
    this.#onBytes(typeof bytes === 'string' ? Buffer.from(bytes, encoding) : bytes)
  }
}
