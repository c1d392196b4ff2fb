import { connect } from 'node:net'
import type { JsonValue } from './json-value.ts'

/** A plain socket's view of one response. */
interface RawAnswer {
  /** All bytes up to the end or the error. */
  bytes: Buffer
  head: string
  /** The HTTP chunks of a chunked body, or the whole body as one. */
  chunks: Buffer[]
  body: string
  /** The error code of a broken connection, for example `ECONNRESET`. */
  errorCode: string | null
  /** Whether the body was complete. */
  isComplete: boolean
}

/** Posts a body over a bare socket and reads until the peer closes. */
export function rawPost(url: string, body: JsonValue, path = '/v1/chat/completions'): Promise<RawAnswer> {
  const { port, hostname } = new URL(url)
  const text = JSON.stringify(body)
  const { promise, resolve } = Promise.withResolvers<RawAnswer>()
  const socket = connect(Number(port), hostname)
  const parts: Buffer[] = []
  let errorCode: string | null = null
  socket.on('data', (part) => parts.push(Buffer.from(part)))
  socket.on('error', (error: NodeJS.ErrnoException) => {
    errorCode = error.code ?? error.message
  })
  socket.on('close', () => resolve(parseAnswer(Buffer.concat(parts), errorCode)))
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: ${hostname}\r\ncontent-type: application/json\r\nconnection: close\r\n` +
      `content-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
  return promise
}

function parseAnswer(bytes: Buffer, errorCode: string | null): RawAnswer {
  const headEnd = bytes.indexOf('\r\n\r\n')
  const head = bytes.subarray(0, Math.max(headEnd, 0)).toString('latin1')
  const rest = headEnd === -1 ? Buffer.alloc(0) : bytes.subarray(headEnd + 4)
  const { chunks, isComplete } = /transfer-encoding: chunked/i.test(head) ? dechunk(rest) : wholeBody(head, rest)
  return { bytes, head, chunks, body: Buffer.concat(chunks).toString('utf8'), errorCode, isComplete }
}

function wholeBody(head: string, rest: Buffer): { chunks: Buffer[]; isComplete: boolean } {
  const length = /content-length: (\d+)/i.exec(head)?.[1]
  return { chunks: [rest], isComplete: length !== undefined && Number(length) === rest.length }
}

function dechunk(rest: Buffer): { chunks: Buffer[]; isComplete: boolean } {
  const chunks: Buffer[] = []
  let at = 0
  while (at < rest.length) {
    const lineEnd = rest.indexOf('\r\n', at)
    if (lineEnd === -1) break
    const size = Number.parseInt(rest.subarray(at, lineEnd).toString('latin1'), 16)
    if (size === 0) return { chunks, isComplete: true }
    chunks.push(rest.subarray(lineEnd + 2, lineEnd + 2 + size))
    at = lineEnd + 2 + size + 2
  }
  return { chunks, isComplete: false }
}
