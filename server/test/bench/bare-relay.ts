import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Dispatcher, Pool } from 'undici'

/**
 * The minimum work of a relay in Node: collect the body, dispatch it, and write the response as it arrives, with
 * back-pressure both ways. No authentication, no parsing, no money: it is a yardstick, not a gateway.
 *
 * Usage: node bare-relay.ts <port> <upstream-origin>
 */
const [port, upstream] = process.argv.slice(2)
if (port === undefined || upstream === undefined) throw new Error('usage: bare-relay.ts <port> <upstream-origin>')

const pool = new Pool(upstream, { pipelining: 1 })
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'te', 'trailer'])

const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => relay(request, parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts), response))
})
server.listen({ port: Number(port), host: '127.0.0.1', backlog: 4_096 })

function relay(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const options: Dispatcher.DispatchOptions = {
    path: request.url ?? '/',
    method: 'POST',
    headers: {
      'content-type': request.headers['content-type'] ?? 'application/json',
      authorization: request.headers.authorization ?? '',
    },
    body,
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
  }
  pool.dispatch(options, answerWith(response))
}

function answerWith(response: ServerResponse): Dispatcher.DispatchHandler {
  return {
    onRequestStart(controller) {
      response.on('close', () => {
        if (!response.writableFinished) controller.abort(new Error('the client left'))
      })
      response.on('drain', () => controller.resume())
    },
    onResponseStart(_controller, statusCode, headers) {
      for (const name of hopByHop) delete headers[name]
      response.writeHead(statusCode, headers)
    },
    onResponseData(controller, chunk) {
      if (!response.write(chunk)) controller.pause()
    },
    onResponseEnd() {
      response.end()
    },
    onResponseError(_controller, error) {
      if (response.headersSent) response.destroy(error)
      else response.writeHead(502).end()
    },
  }
}
