import { once } from 'node:events'
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { readRecordedBody } from './recorded-body.ts'
import type { RecordedCall } from './twin.ts'

interface RecordingProxy {
  readonly url: string
  readonly calls: readonly RecordedCall[]
  close(): Promise<void>
}

/** The header in which `sendThrough` names the intended host of a request. */
export const originHeader = 'x-twin-origin'

/** A proxy before a simulator that forwards everything and records each request. */
export async function startRecordingProxy(upstreamUrl: string): Promise<RecordingProxy> {
  const calls: RecordedCall[] = []
  const server = createServer(async (request, response) => {
    const bytes = await bytesOf(request)
    calls.push(await recordedCall(request, bytes))
    passOn({ upstreamUrl, request, bytes, response })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of request) pieces.push(piece)
  return Buffer.concat(pieces)
}

async function recordedCall({ method = '', url = '', headers }: IncomingMessage, bytes: Buffer): Promise<RecordedCall> {
  const { pathname, searchParams } = new URL(url, 'http://proxy')
  const { [originHeader]: origin, ...sent } = headers
  const texts = Object.entries(sent).map(([name, value]) => [name, String(value)] as const)
  return {
    method,
    origin: typeof origin === 'string' ? origin : null,
    path: pathname,
    query: Object.fromEntries(searchParams),
    headers: Object.fromEntries(texts),
    body: await readRecordedBody(headers['content-type'] ?? '', bytes),
  }
}

interface PassedOn {
  readonly upstreamUrl: string
  readonly request: IncomingMessage
  readonly bytes: Buffer
  readonly response: ServerResponse
}

function passOn({ upstreamUrl, request, bytes, response }: PassedOn): void {
  const { method, url = '', headers } = request
  // The simulator sees its own address in `host`, because it uses it in its links.
  const { host: _, 'transfer-encoding': __, ...others } = headers
  const length = { 'content-length': String(bytes.length) }
  const outgoing = httpRequest(upstreamUrl + url, { method, headers: { ...others, ...length } }, (incoming) => {
    response.writeHead(incoming.statusCode ?? 502, incoming.headers)
    incoming.pipe(response)
  })
  outgoing.on('error', () => response.destroy())
  outgoing.end(bytes)
}
