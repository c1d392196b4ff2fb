import type { ServerResponse } from 'node:http'
import type { GatewayError } from '#errors/gateway-error.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FileHost, startFileHost } from './start-file-host.ts'
import { type RemoteWorld, startRemoteWorld } from './remote-world.ts'
import { pngOf } from './sample-images.ts'

const png = pngOf({ width: 30, height: 20 })

describe('[B4] files that accounts have fetched', () => {
  let host: FileHost
  let world: RemoteWorld
  const held: ServerResponse[] = []
  beforeAll(async () => {
    host = await startFileHost('127.0.0.1', ({ url }, response) => {
      if (url === '/held') held.push(response)
      else response.end(png)
    })
    world = await startRemoteWorld({
      WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1',
      WEIR_OUTBOUND_PER_ACCOUNT: '1',
      WEIR_OUTBOUND_WAITING_PER_ACCOUNT: '2',
    })
  })
  afterAll(async () => {
    await world.close()
    await host.close()
  })

  const fetchFor = async (account: string, path: string, until = new AbortController()): Promise<string> => {
    const { file, discard } = await world.source.fetch(`${host.url}${path}`, { account, signal: until.signal })
    await discard()
    return file.mediaType
  }

  it('wait for one another and not for those of other accounts; what finds the line full is refused with 429', async () => {
    const first = fetchFor('flood', '/held')
    await expect.poll(() => host.asked).toEqual(['/held'])
    const outcomes: unknown[] = []
    const others = Array.from({ length: 5 }, async (_, index) => {
      outcomes.push(await fetchFor('flood', `/${index}`).catch(({ errorName }: GatewayError) => errorName))
    })
    await expect.poll(() => outcomes).toEqual(['rateLimited', 'rateLimited', 'rateLimited'])
    expect(await fetchFor('acme', '/other')).toBe('image/png')
    expect(host.asked).toEqual(['/held', '/other'])
    for (const response of held) response.end(png)
    expect(await first).toBe('image/png')
    await Promise.all(others)
    expect(outcomes.slice(3)).toEqual(['image/png', 'image/png'])
    expect(host.asked).toHaveLength(4)
  })

  it('stay where they wait no longer than they are wanted', async () => {
    const first = fetchFor('flood', '/held')
    await expect.poll(() => host.asked.at(-1)).toBe('/held')
    const leaving = new AbortController()
    const left = fetchFor('flood', '/left', leaving)
    leaving.abort()
    await expect(left).rejects.toMatchObject({ errorName: 'invalidImageUrl' })
    for (const response of held) response.end(png)
    expect(await first).toBe('image/png')
    expect(host.asked).not.toContain('/left')
  })
})
