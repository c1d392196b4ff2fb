import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import { replyWithError, toGatewayError } from './error-reply.ts'
import { noteDrain } from './forms/refuse-unread.ts'
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
    addressUnreadMax: 10,
    isProxy: () => false,
    clientIp: ({ headers }) => String(headers['x-real-ip']),
    onRefused: () => {},
    elapsedMs: () => 0,
    ...limits,
  })
  server.addContentTypeParser('*', (_request, _payload, done) => done(null))
  server.setErrorHandler((error, _request, reply) => replyWithError(reply, toGatewayError(error)))
  server.get('/', async () => 'served')
  server.post('/refuse', async () => {
    throw new GatewayError('unauthenticated', { message: 'no' })
  })
  server.post('/refuse-known', (request) => {
    noteDrain(request.raw, 10_000_000)
    throw new GatewayError('unauthenticated', { message: 'no' })
  })
  // Never answers, so the request stays open.
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

const unfinished = 'POST /refuse HTTP/1.1\r\nhost: weir\r\ncontent-type: a/b\r\ncontent-length: 1000\r\n\r\nx'

/** Sends a rejected request without its body. */
async function leaveUnsent(socket: Socket): Promise<string> {
  socket.write(unfinished)
  const [answer] = await once(socket, 'data')
  socket.destroy()
  return String(answer)
}

it('[B5] an address that left too many bodies unsent gets no new connection for ten seconds, and keeps those it has', async () => {
  let [nowMs, refused] = [50_000, 0]
  const { join } = await startServer({
    addressUnreadMax: 2,
    elapsedMs: () => nowMs,
    onRefused: () => (refused += 1),
  })
  const kept = await join()
  for (let at = 0; at < 2; at += 1) expect(await leaveUnsent(await join())).toMatch(/^HTTP\/1\.1 401 /)
  nowMs += 9_999
  const late = await join()
  const [answer] = await once(late, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 503 .*retry-after: 1/is)
  expect(refused).toBe(1)
  expect(await ask(kept)).toContain('served')
  nowMs += 1
  expect(await ask(await join())).toContain('served')
})

it('[B5] a refusal of a request whose body has come does not count against its address', async () => {
  const { join } = await startServer({ addressUnreadMax: 1 })
  const complete = await join()
  complete.write(unfinished.replace('1000', '1'))
  const [answer] = await once(complete, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1\.1 401 /)
  expect(await ask(await join())).toContain('served')
})

it('[B5] connections of a proxy are not refused for bodies that one of its clients left unsent', async () => {
  const { join } = await startServer({ addressUnreadMax: 1, isProxy: () => true })
  expect(await leaveUnsent(await join())).toMatch(/^HTTP\/1\.1 401 /)
  expect(await ask(await join())).toContain('served')
})

it('[B5] of an address that made the gateway read 32 MB for nothing, refused bodies are read no further than 64 KB', async () => {
  let nowMs = 50_000
  const { join } = await startServer({ addressUnreadMax: 1_000, elapsedMs: () => nowMs })
  /** Whether the gateway has read all 10 MB when it closes the connection. */
  const pour = async (): Promise<{ answer: string; isWhole: boolean }> => {
    const socket = await join()
    const body = Buffer.alloc(9_999_999, 0x20)
    socket.write(unfinished.replace('1000', '10000000').replace('/refuse', '/refuse-known'))
    const [answer] = await once(socket, 'data')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    let isWhole = false
    socket.write(body, (error) => (isWhole = error === null || error === undefined))
    await closed
    return { answer: String(answer), isWhole }
  }
  for (let at = 0; at < 3; at += 1) expect(await pour()).toMatchObject({ isWhole: true })
  await pour()
  const refused = await pour()
  expect(refused.answer).toMatch(/^HTTP\/1\.1 401 /)
  expect(refused.isWhole).toBe(false)
  nowMs += 10_000
  expect(await pour()).toMatchObject({ isWhole: true })
})
