import { Socket } from 'node:net'

/** One end of a connection that exists only in memory, without system calls. */
export class MemorySocket extends Socket {
  override readonly remoteAddress = '127.0.0.1'
  override readonly remotePort = 1
  override readonly remoteFamily = 'IPv4'
  readonly #onBytes: (bytes: Buffer) => void

  /** `onBytes` receives the bytes that are written to this end. `push` delivers bytes to its reader. */
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

  // Those of a socket wait for its connection, which this one never opens.
  override setTimeout(): this {
    return this
  }

  override ref(): this {
    return this
  }

  override unref(): this {
    return this
  }

  #take(bytes: Buffer | string, encoding: BufferEncoding): void {
    this.#onBytes(typeof bytes === 'string' ? Buffer.from(bytes, encoding) : bytes)
  }
}
