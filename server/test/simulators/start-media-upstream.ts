import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'

/** A complete request as a media upstream received it. */
export interface MediaCall {
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  /** The JSON body; empty for any other. */
  readonly json: JsonObject
}

export interface MediaAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. */
  readonly body?: Buffer | string | object
}

/** Returns the response, or handles the response itself and returns nothing. */
export type MediaHandler = (
  call: MediaCall,
  response: ServerResponse,
) => MediaAnswer | undefined | Promise<MediaAnswer | undefined>

export interface MediaUpstream {
  readonly url: string
  readonly calls: MediaCall[]
  /** Uses this handler from now on. */
  play(handler: MediaHandler): void
  close(): Promise<void>
}

/** An upstream of images, audio or vectors on a real socket; a handler implements a vendor's wire format. */
export async function startMediaUpstream(first: MediaHandler): Promise<MediaUpstream> {
  let handler = first
  const calls: MediaCall[] = []
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece)
    const bytes = Buffer.concat(pieces)
    const isJson = request.headers['content-type']?.startsWith('application/json') === true
    const json = isJson ? (parseJsonObject(bytes.toString('utf8')) ?? {}) : {}
    const { method = '', url: path = '', headers } = request
    const call = { method, path, headers, bytes, json }
    calls.push(call)
    const answer = await handler(call, response)
    if (answer === undefined) return
    const body = contentOf(answer)
    response.writeHead(answer.status ?? 200, { ...body.headers, ...answer.headers }).end(body.bytes)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    calls,
    play: (next) => {
      handler = next
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function contentOf({ body = '' }: MediaAnswer): { bytes: Buffer | string; headers: Record<string, string> } {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return { bytes: body, headers: {} }
  return { bytes: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}
