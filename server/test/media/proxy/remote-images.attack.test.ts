import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import { type Canary, startCanary } from '#test/egress/canary.ts'
import { createHostileResolver, hostileUrls, publicAddress } from '#test/egress/corpus.ts'
import { type RemoteWorld, startRemoteWorld } from './remote-world.ts'
import { type FileHost, startFileHost } from './start-file-host.ts'
import { pngOf } from './sample-images.ts'

const forever = { account: 'acme', signal: new AbortController().signal }
const png = pngOf({ width: 30, height: 20 })

/** The two sources of a URL: an upstream's response, and a client's request. */
const ways = [
  {
    way: 'an image that an upstream names',
    refusal: 'pipelineError',
    fetch: (world: RemoteWorld, url: string): Promise<unknown> => world.host.host({ kind: 'url', url }, forever),
  },
  {
    way: 'an image that a caller names',
    refusal: 'invalidImageUrl',
    fetch: async (world: RemoteWorld, url: string): Promise<unknown> => {
      const { file, discard } = await world.source.fetch(url, forever)
      await discard()
      return file
    },
  },
] as const

describe.each(ways)('$way', ({ fetch, refusal }) => {
  let canary: Canary
  beforeAll(async () => {
    canary = await startCanary()
  })
  afterAll(() => canary.close())

  async function refusalFor(world: RemoteWorld, url: string): Promise<GatewayError> {
    const outcome = await fetch(world, url).catch((error: unknown) => error)
    if (outcome instanceof GatewayError) return outcome
    throw new Error(`${url} was not refused: ${String(outcome)}`)
  }

  it('[ERR-42] is not fetched from any private address, however it is written or resolved', async () => {
    const world = await startRemoteWorld({}, { resolveHost: createHostileResolver() })
    const corpus = hostileUrls(canary.port)
    expect(corpus.length).toBeGreaterThanOrEqual(800)
    const waiting = corpus.values()
    const lane = async (): Promise<void> => {
      for (const { url, rebinds } of waiting) {
        const refused = await refusalFor(world, url)
        expect([url, refused.errorName]).toEqual([url, refusal])
        // The client learns nothing about the network.
        expect(refused.message).not.toMatch(/loopback|private|EGRESS|ECONN|public \(/)
        if (rebinds) expect((await refusalFor(world, url)).errorName).toBe(refusal)
      }
    }
    await Promise.all(Array.from({ length: 8 }, lane))
    expect(canary.connections).toBe(0)
    expect(await world.files()).toEqual({ temporary: [], kept: [] })
    console.log(`${corpus.length} URLs: ${canary.connections} connections to the canary`)
    await world.close()
  })

  it('[ERR-42] is not fetched from a name whose second answer is private', async () => {
    const answers = [[publicAddress], ['127.0.0.1'], ['::1'], [publicAddress, '127.0.0.1']]
    let asked = 0
    const resolveHost = async (): Promise<string[]> => answers[asked++ % answers.length] ?? []
    const world = await startRemoteWorld({}, { resolveHost })
    for (let times = 0; times < 8; times += 1) {
      await refusalFor(world, `https://images.example.com:${canary.port}/a.png`)
    }
    expect(asked).toBeGreaterThanOrEqual(8)
    expect(canary.connections).toBe(0)
    await world.close()
  })

  it('would be seen by the canary, were it let through', async () => {
    const world = await startRemoteWorld({ WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1' })
    const before = canary.connections
    await refusalFor(world, `http://127.0.0.1:${canary.port}/a.png`)
    expect(canary.connections).toBe(before + 1)
    await world.close()
  })

  describe('at a host that redirects', () => {
    let world: RemoteWorld
    let host: FileHost
    beforeAll(async () => {
      world = await startRemoteWorld({ WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.9' })
      host = await startFileHost('127.0.0.9', () => {})
    })
    afterAll(async () => {
      await world.close()
      await host.close()
    })

    it('[ERR-42] is not fetched where the redirect leads to a private address', async () => {
      const before = canary.connections
      for (const location of [
        `http://127.0.0.1:${canary.port}/`,
        `https://127.0.0.1:${canary.port}/`,
        `https://[::1]:${canary.port}/a.png`,
        `https://localhost:${canary.port}/`,
        `//127.0.0.1:${canary.port}/`,
        `https://user@127.0.0.1:${canary.port}/`,
        'file:///etc/passwd',
        'data:image/png;base64,AAAA',
        'https://169.254.169.254/latest/meta-data/',
        '',
        'https://',
      ]) {
        for (const status of [301, 302, 303, 307, 308]) {
          host.play((_request, response) => response.writeHead(status, { location }).end(png))
          // An empty location redirects to the same URL until there were too many.
          expect([location, (await refusalFor(world, `${host.url}/a.png`)).errorName]).toEqual([location, refusal])
        }
      }
      expect(canary.connections).toBe(before)
    })

    it('[ERR-42] is not fetched with credentials in its address, though the host may be asked', async () => {
      const named = host.url.replace('http://', 'http://user:password@')
      host.play((request, response) => {
        if (request.url === '/moved') response.writeHead(302, { location: `${named}/a.png` }).end()
        else response.end(png)
      })
      expect((await refusalFor(world, `${named}/a.png`)).errorName).toBe(refusal)
      expect((await refusalFor(world, `${host.url}/moved`)).errorName).toBe(refusal)
    })

    it('is fetched behind three redirects, and not behind four', async () => {
      const hops = (count: number): void =>
        host.play((request, response) => {
          const at = Number(request.url?.slice(1))
          if (at === count) response.writeHead(200, { 'content-type': 'text/html' }).end(png)
          else response.writeHead(302, { location: `/${at + 1}` }).end('moved')
        })
      hops(3)
      expect(await fetch(world, `${host.url}/0`)).toBeDefined()
      hops(4)
      expect((await refusalFor(world, `${host.url}/0`)).errorName).toBe(refusal)
    })

    it.each([
      ['an answer that is none', 404, {}, png],
      ['an error', 500, {}, png],
      ['a part', 206, {}, png],
      ['a redirect to nowhere', 302, {}, png],
      ['an encoding', 200, { 'content-encoding': 'gzip' }, png],
    ] as const)('[ERR-42] is not taken from %s', async (_what, status, headers, body) => {
      host.play((_request, response) => response.writeHead(status, headers).end(body))
      expect((await refusalFor(world, `${host.url}/a.png`)).errorName).toBe(refusal)
    })

    it('[ERR-42] is not taken from a connection that breaks, or says more than it sends', async () => {
      host.play((_request, response) => {
        response.writeHead(200, { 'content-length': String(png.length * 2) })
        response.write(png, () => response.socket?.destroy())
      })
      expect((await refusalFor(world, `${host.url}/a.png`)).errorName).toBe(refusal)
    })

    it('sends nothing of ours along, and uses no connection twice', async () => {
      const seen: { headers: object; socket: unknown }[] = []
      host.play((request, response) => {
        seen.push({ headers: request.headers, socket: request.socket })
        response.end(png)
      })
      await fetch(world, `${host.url}/a.png`)
      await fetch(world, `${host.url}/a.png`)
      const [first, second] = seen
      expect(Object.keys(first?.headers ?? {}).toSorted()).toEqual([
        'accept',
        'accept-encoding',
        'connection',
        'host',
        'user-agent',
      ])
      expect(first?.socket).not.toBe(second?.socket)
    })
  })
})
