import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { goodKey } from './form-server.ts'

export const boundary = 'b0undary'

/** A raw part of a form. */
export function part(disposition: string, content: string | Buffer, headers: readonly string[] = []): Buffer {
  const head = [`content-disposition: form-data; ${disposition}`, ...headers].join('\r\n')
  return Buffer.concat([Buffer.from(`--${boundary}\r\n${head}\r\n\r\n`), Buffer.from(content), Buffer.from('\r\n')])
}

export function formOf(...parts: readonly Buffer[]): Buffer {
  return Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)])
}

export interface RawHead {
  contentType?: string
  /** Additional header lines. */
  lines?: readonly string[]
  authorization?: string
  /** False closes the connection after the response. */
  keepsAlive?: boolean
  /** Null omits the header. */
  length: number | null
}

export function headOf({
  contentType = `multipart/form-data; boundary=${boundary}`,
  lines = [],
  authorization = goodKey,
  keepsAlive = false,
  length,
}: RawHead): string {
  return [
    'POST /v1/forms HTTP/1.1',
    'host: x',
    `content-type: ${contentType}`,
    `authorization: ${authorization}`,
    ...(length === null ? [] : [`content-length: ${length}`]),
    ...(keepsAlive ? [] : ['connection: close']),
    ...lines,
    '',
    '',
  ].join('\r\n')
}

/** A whole request with this body. */
export function requestOf(body: Buffer, head: Partial<RawHead> = {}): Buffer {
  return Buffer.concat([Buffer.from(headOf({ length: body.length, ...head })), body])
}

export async function connectTo(url: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket
}

interface Lingering {
  /** The bytes received so far. */
  readonly text: string
  readonly isReset: boolean
  readonly closed: Promise<void>
}

/** Records everything received on a connection, and how it ends. */
export function listenTo(socket: Socket): Lingering {
  let text = ''
  let isReset = false
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
  })
  socket.on('error', () => {
    isReset = true
  })
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
  })
  return {
    get text() {
      return text
    },
    get isReset() {
      return isReset
    },
    closed,
  }
}

/** Sends until it is stopped, the peer closes, or everything is sent, with back-pressure. */
export async function pour(socket: Socket, piece: Buffer, times: number): Promise<number> {
  let sent = 0
  for (; sent < times && !socket.destroyed && socket.writable; sent += 1) {
    if (!socket.write(piece)) {
      await Promise.race([once(socket, 'drain'), once(socket, 'close')]).catch(() => {})
    }
  }
  return sent
}
