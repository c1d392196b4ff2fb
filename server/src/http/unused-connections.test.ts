import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { watchUnusedConnections } from './unused-connections.ts'

const open: (Server | Socket)[] = []
afterEach(() => {
  for (const each of open.splice(0)) {
    if ('closeAllConnections' in each) each.close().closeAllConnections()
    else each.destroy()
  }
})

/** Starts a server that never closes a connection. */
async function startServer(answer: RequestListener) {
  const server = createServer({ headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 }, answer)
  open.push(server)
  const clock = { nowMs: 0 }
  const unused = watchUnusedConnections(server, () => clock.nowMs)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  /** Opens a connection and returns both of its ends. */
  const join = async (): Promise<{ client: Socket; served: Socket }> => {
    const accepted = once(server, 'connection')
    const client = connect(address.port, '127.0.0.1')
    open.push(client)
    const [served] = await accepted
    return { client, served }
  }
  return { server, unused, clock, join }
}

const request = 'GET / HTTP/1.1\r\nhost: weir\r\n\r\n'

describe('connections that were opened ahead of need', () => {
  it('are closed, so that the server can close', async () => {
    const { server, unused, clock, join } = await startServer((_request, response) => response.end())
    const clients = [(await join()).client, (await join()).client]
    const closed = Promise.all([...clients, server].map((each) => once(each, 'close')))
    server.close()
    clock.nowMs = 3_000
    unused.close()
    await closed
  })

  it('stay open for three seconds, in which their first request may come', async () => {
    const { unused, clock, join } = await startServer((_request, response) => response.end())
    const { client } = await join()
    clock.nowMs = 2_999
    unused.close()
    client.write(request)
    expect(String((await once(client, 'data'))[0])).toContain('200 OK')
  })

  it('stay open once they are used: a request is answered, and one that has begun may be finished', async () => {
    const waiting = Promise.withResolvers<void>()
    const { server, unused, clock, join } = await startServer((_request, response) => {
      void waiting.promise.then(() => response.end('done'))
    })
    const [asking, beginning] = [await join(), await join()]
    const asked = once(server, 'request')
    asking.client.write(request)
    await asked
    beginning.client.write(request.slice(0, 5))
    await expect.poll(() => beginning.served.bytesRead).toBe(5)
    clock.nowMs = 3_000
    unused.close()
    const answers = [asking, beginning].map(async ({ client }) => String((await once(client, 'data'))[0]))
    waiting.resolve()
    beginning.client.write(request.slice(5))
    for (const answer of await Promise.all(answers)) expect(answer).toContain('200 OK')
  })
})
