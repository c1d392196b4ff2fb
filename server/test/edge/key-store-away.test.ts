import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { startSecondGateway } from './second-gateway.ts'

describe('a key store that can not be reached', () => {
  let first: TestGateway
  let road: Road
  let gateway: Awaited<ReturnType<typeof startSecondGateway>>
  beforeAll(async () => {
    first = await startTestGateway()
    road = await openRoad(new URL(first.databaseUrl))
    const url = new URL(first.databaseUrl)
    url.port = String(road.port)
    gateway = await startSecondGateway({ databaseUrl: url.href })
  })
  afterAll(async () => {
    await gateway.close()
    await road.close()
    await first.close()
  })

  it('[AUTH-20] answers a valid key with 5xx, never 401, and serves it again when the store is back', async () => {
    const caller = await first.createCaller()
    const known = await first.createCaller()
    const status = async (key: string): Promise<number> => {
      const headers = { authorization: `Bearer ${key}` }
      return (await fetch(`${gateway.url}/v1/key`, { headers })).status
    }
    expect(await status(known.key)).toBe(200)
    road.cut()
    // Neither the one who was never seen here nor the one who was hears that the key is wrong.
    for (const key of [caller.key, known.key]) expect(await status(key)).toBe(503)
    const chat = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${caller.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'openai/gpt-5.2', messages: [{ role: 'user', content: 'Hi' }] }),
    })
    expect(chat.status).toBe(503)
    expect(await chat.json()).toMatchObject({ error: { code: 503, message: expect.any(String) } })
    road.mend()
    await expect.poll(() => status(caller.key), { timeout: 10_000 }).toBe(200)
  })
})

interface Road {
  readonly port: number
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** A way to Postgres that can be cut. */
async function openRoad(target: URL): Promise<Road> {
  const sockets = new Set<Socket>()
  let isCut = false
  const server: Server = createServer((socket) => {
    if (isCut) return socket.destroy()
    const onward = connect(Number(target.port || 5432), target.hostname)
    for (const end of [socket, onward]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        onward.destroy()
      })
    }
    socket.pipe(onward).pipe(socket)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the road has no port')
  const drop = (): void => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    port: address.port,
    cut: () => {
      isCut = true
      drop()
    },
    mend: () => {
      isCut = false
    },
    close: async () => {
      drop()
      server.close()
      await once(server, 'close')
    },
  }
}
