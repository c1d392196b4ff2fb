import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ByokHome, byokPath, type ByokWorld, newKeyBody, startByokWorld } from '#test/routing/byok-world.ts'
import { type Canary, startCanary } from './canary.ts'
import { createHostileResolver, hostileUrls, type HostileUrl } from './corpus.ts'

const lanes = 8

describe('addresses of own keys that lead into private networks', () => {
  let world: ByokWorld
  let home: ByokHome
  let canary: Canary
  let corpus: HostileUrl[]
  beforeAll(async () => {
    canary = await startCanary()
    corpus = hostileUrls(canary.port)
    expect(corpus.length).toBeGreaterThanOrEqual(300)
    world = await startByokWorld(
      { WEIR_EGRESS_ALLOWED_NETWORKS: '', WEIR_BREAKER_FAILURES: '1000000' },
      { resolveHost: createHostileResolver() },
    )
    home = await world.newByokHome()
  })
  afterAll(async () => {
    await world.close()
    await canary.close()
  })

  /** Creates a strict key at a nonexistent host, to be turned against others. */
  async function plantKey(owner: ByokHome): Promise<string> {
    const made = await owner.manager.post(byokPath, {
      ...newKeyBody(world.own),
      baseUrl: 'https://nowhere.dns.example/v1',
      fallbackMode: 'strict',
    })
    expect(made.status, JSON.stringify(made.json)).toBe(201)
    return String(made.data['id'])
  }

  /** Processes the corpus in parallel; returns the URLs that got through. */
  async function throughCorpus(
    makeLane: () => Promise<(hostile: HostileUrl, index: number) => Promise<boolean>>,
  ): Promise<string[]> {
    const waiting = corpus.entries()
    const cameThrough: string[] = []
    const lane = async (): Promise<void> => {
      const work = await makeLane()
      for (const [index, hostile] of waiting) if (await work(hostile, index)) cameThrough.push(hostile.url)
    }
    await Promise.all(Array.from({ length: lanes }, lane))
    return cameThrough
  }

  it('[BYOK-05] are refused by POST, and nothing is connected to', async () => {
    const accepted = await throughCorpus(async () => async ({ url, rebinds }) => {
      const { status, data } = await home.manager.post(byokPath, { ...newKeyBody(world.own), baseUrl: url })
      if (status === 201) await home.manager.delete(`${byokPath}/${data['id']}`)
      else expect(status).toBe(400)
      return status === 201 && !rebinds
    })
    expect(accepted).toEqual([])
    expect(canary.connections).toBe(0)
  })

  it('[BYOK-05] are refused by PATCH, and nothing is connected to', async () => {
    const id = await plantKey(home)
    const accepted = await throughCorpus(async () => async ({ url, rebinds }) => {
      const { status } = await home.manager.patch(`${byokPath}/${id}`, { baseUrl: url })
      return status !== 400 && !rebinds
    })
    expect(accepted).toEqual([])
    expect(canary.connections).toBe(0)
    await home.manager.delete(`${byokPath}/${id}`)
  })

  it('[BYOK-05] are not connected to by calls, even where they are in the store already', async () => {
    const answered = await throughCorpus(async () => {
      const owner = await world.newByokHome()
      const id = await plantKey(owner)
      return async ({ url }, index) => {
        await world.pool.query('UPDATE own_keys SET base_url = $2 WHERE id = $1', [id, url.replaceAll('\0', '')])
        await world.pool.query(`UPDATE revisions SET revision = revision + 1 WHERE topic = 'own_keys'`)
        await world.gateway.refresh()
        const { status } = await owner.chat({ stream: index % 2 === 0 })
        // A URL that cannot be parsed counts as deleted.
        return status === 200 && URL.canParse(url)
      }
    })
    expect(answered).toEqual([])
    expect(canary.connections).toBe(0)
    expect(world.own.requests).toEqual([])
    console.log(
      `${corpus.length} URLs at 3 places (POST, PATCH, call): ${canary.connections} connections to the canary`,
    )
  })
})

describe('a host that redirects into a private network', () => {
  let world: ByokWorld
  let canary: Canary
  let host: Server
  let location = ''
  let status = 302
  beforeAll(async () => {
    canary = await startCanary()
    world = await startByokWorld({ WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.9/32', WEIR_BREAKER_FAILURES: '1000000' })
    host = createServer((request, response) => {
      request.resume()
      response.writeHead(status, { location, refresh: `0; url=${location}`, 'content-length': '0' }).end()
    })
    host.listen(0, '127.0.0.9')
    await once(host, 'listening')
  })
  afterAll(async () => {
    await world.close()
    await canary.close()
    host.closeAllConnections()
    await once(host.close(), 'close')
  })

  it('[BYOK-05] is not followed, neither when it is added nor by calls', async () => {
    const address = host.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const home = await world.newByokHome()
    const targets = [
      `http://127.0.0.1:${canary.port}/`,
      `https://[::1]:${canary.port}/v1`,
      `//localhost:${canary.port}/`,
    ]
    for (const target of targets) {
      for (const code of [300, 301, 302, 303, 307, 308]) {
        location = target
        status = code
        const body = { ...newKeyBody(world.own), baseUrl: `http://127.0.0.9:${port}/v1`, fallbackMode: 'strict' }
        const made = await home.manager.post(byokPath, body)
        expect(made.status).toBe(201)
        expect(made.data['health']).toMatchObject({ status: 'failing' })
        expect((await home.chat()).status).toBe(502)
        await home.manager.delete(`${byokPath}/${made.data['id']}`)
      }
    }
    expect(canary.connections).toBe(0)
  })

  it('would be seen by the canary, were it let through', async () => {
    const open = await startByokWorld()
    const home = await open.newByokHome()
    await home.manager.post(byokPath, { ...newKeyBody(open.own), baseUrl: `http://127.0.0.1:${canary.port}/v1` })
    expect(canary.connections).toBe(1)
    await open.close()
  })
})
