import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { replyWithError, toGatewayError } from './error-reply.ts'
import { type ConnectionLimits, limitConnections } from './connection-limits.ts'

const open: (FastifyInstance | Socket)[] = []
afterEach(async () => {
  for (const each of open.splice(0).toReversed()) {
    if ('inject' in each) await each.close()
    else each.destroy()
  }
})

async function startServer(limits: Partial<ConnectionLimits>): Promise<{ join: () => Promise<Socket> }> {
  const server = Fastify({ forceCloseConnections: true })
  open.push(server)
  limitConnections(server, {
    connectionsMax: 10,
    addressConnectionsMax: 10,
    isProxy: () => false,
    clientIp: ({ headers }) => String(headers['x-real-ip']),
    onRefused: () => {},
    ...limits,
  })
  server.setErrorHandler((error, _request, reply) => replyWithError(reply, toGatewayError(error)))
  server.get('/', async () => 'served')
  // Never answered, so that the request stays under way.
  server.get('/wait', () => new Promise(() => {}))
  await server.listen({ host: '127.0.0.1', port: 0 })
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  const join = async (): Promise<Socket> => {
    const accepted = once(server.server, 'connection')
    const client = connect(address.port, '127.0.0.1')
    open.push(client)
    client.on('error', () => {})
    await accepted
    return client
  }
  return { join }
}

async function ask(socket: Socket, path = '/', client = '192.0.2.1'): Promise<string> {
  socket.write(`GET ${path} HTTP/1.1\r\nhost: weir\r\nx-real-ip: ${client}\r\n\r\n`)
  const [answer] = await once(socket, 'data')
  return String(answer)
}

it.each([{ connectionsMax: 2 }, { addressConnectionsMax: 2 }])(
  '[B5] a connection too many is closed with 503 and counted, and one that closes makes room: %o',
  async (limits) => {
    let refused = 0
    const { join } = await startServer({ ...limits, onRefused: () => (refused += 1) })
    const [first, second] = [await join(), await join()]
    const third = await join()
    const [answer] = await once(third, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1/is)
    await expect.poll(() => third.destroyed).toBe(true)
    expect(refused).toBe(1)
    expect(await ask(first)).toContain('served')
    second.destroy()
    await expect.poll(async () => await ask(await join())).toContain('served')
  },
)

it('[B5] connections of a proxy are not bounded by the limit of one address', async () => {
  const { join } = await startServer({ addressConnectionsMax: 1, isProxy: () => true })
  const sockets = [await join(), await join(), await join()]
  for (const [index, socket] of sockets.entries())
    expect(await ask(socket, '/', `192.0.2.${index}`)).toContain('served')
})

it('[B5] behind a proxy the requests of one client that are under way are bounded', async () => {
  const { join } = await startServer({ addressConnectionsMax: 1, isProxy: () => true })
  const waiting = await join()
  waiting.write('GET /wait HTTP/1.1\r\nhost: weir\r\nx-real-ip: 192.0.2.1\r\n\r\n')
  const other = await join()
  await expect.poll(() => ask(other)).toMatch(/^HTTP\/1\.1 503 /)
  expect(await ask(other, '/', '192.0.2.2')).toContain('served')
  waiting.destroy()
  await expect.poll(() => ask(other)).toContain('served')
})
