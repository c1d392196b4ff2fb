import { connect, type Socket } from 'node:net'
import { type Answer, AnswerReader } from './answer-reader.ts'

/** The outcome of one request: a response, or the reason why there is none. */
export type Outcome = { answer: Answer; excerpt: string } | { failure: string }

// Shared by all connections: the bytes are read before the callback returns, and nothing is allocated for them.
const sharedBuffer = Buffer.allocUnsafe(256 * 1_024)

/** A keep-alive connection that carries one request at a time and reconnects after the peer has closed it. */
export class LoadConnection {
  readonly #port: number
  readonly #onBody: ((part: Buffer) => void) | undefined
  #socket: Socket | null = null
  #done: ((outcome: Outcome) => void) | null = null
  /** The first bytes of a response other than 200, for the report. */
  #excerpt = ''

  constructor(port: number, onBody?: (part: Buffer) => void) {
    this.#port = port
    this.#onBody = onBody
  }

  send(request: Buffer, done: (outcome: Outcome) => void): void {
    this.#done = done
    this.#socket ??= this.#open()
    this.#socket.write(request)
  }

  close(): void {
    this.#socket?.destroy()
    this.#socket = null
  }

  #open(): Socket {
    const reader = new AnswerReader({
      ...(this.#onBody === undefined ? {} : { onBody: this.#onBody }),
      onAnswer: (answer) => this.#finish(answer),
    })
    const socket = connect({
      port: this.#port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        buffer: sharedBuffer,
        callback: (count, buffer) => {
          this.#read(reader, Buffer.from(buffer.buffer, buffer.byteOffset, count))
          return true
        },
      },
    })
    socket.on('error', (error) => this.#fail(socket, error.message))
    socket.on('close', () => this.#fail(socket, 'the connection closed'))
    return socket
  }

  #read(reader: AnswerReader, part: Buffer): void {
    // A response starts with "HTTP/1.1 " and its status; bytes are compared because this runs for every read.
    if (part[0] === 0x48 && part[9] !== 0x32 && this.#excerpt === '') this.#excerpt = part.toString('latin1', 0, 1_000)
    try {
      reader.feed(part)
    } catch (error) {
      if (this.#socket !== null) this.#fail(this.#socket, String(error))
    }
  }

  #finish(answer: Answer): void {
    if (answer.isLast) this.close()
    const excerpt = this.#excerpt
    this.#excerpt = ''
    this.#settle({ answer, excerpt })
  }

  #fail(socket: Socket, failure: string): void {
    if (this.#socket !== socket) return
    this.close()
    this.#settle({ failure })
  }

  #settle(outcome: Outcome): void {
    const done = this.#done
    this.#done = null
    done?.(outcome)
  }
}
