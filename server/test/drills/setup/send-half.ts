import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { isContent } from './call.ts'
import type { MediaCall } from './media-calls.ts'

/** Sends a request up to the middle of its body, and leaves the connection open. */
export async function sendHalf(url: string, key: string, { path, body }: MediaCall): Promise<Socket> {
  const bytes = isContent(body) ? await buffer(body.open()) : Buffer.from(JSON.stringify(body))
  const type = isContent(body) ? body.contentType : 'application/json'
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${key}`,
    `content-type: ${type}`,
    `content-length: ${bytes.length}`,
  ]
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => {})
  await new Promise<void>((resolve) => {
    const half = bytes.subarray(0, Math.floor(bytes.length / 2))
    socket.write(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), half]), () => resolve())
  })
  return socket
}
