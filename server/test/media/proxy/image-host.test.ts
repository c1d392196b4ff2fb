import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RemoteWorld, startRemoteWorld } from './remote-world.ts'
import { pngOf } from './sample-images.ts'
import { type FileHost, startFileHost } from './start-file-host.ts'

const forever = { account: 'acme', signal: new AbortController().signal }
const folder = new URL('../../samples/images/', import.meta.url)
const samples = readdirSync(folder).map((name) => ({ name, bytes: readFileSync(new URL(name, folder)) }))
const png = pngOf()

/** Files that start like an image, or pretend to be one. */
const impostors = [
  ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')],
  ['a page', Buffer.from('<!DOCTYPE html><html><script>alert(1)</script></html>')],
  ['a page behind an image', Buffer.concat([png, Buffer.from('<script>alert(1)</script>')])],
  ['a script that begins as a GIF', Buffer.from('GIF89a/*alert(1)*/=1;')],
  ['an image that was cut off', png.subarray(0, -4)],
  ['nothing', Buffer.alloc(0)],
] as const

describe('images that upstreams made', () => {
  let world: RemoteWorld
  let host: FileHost
  beforeAll(async () => {
    world = await startRemoteWorld({ WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1' })
    host = await startFileHost('127.0.0.1', () => {})
  })
  afterAll(async () => {
    await world.close()
    await host.close()
  })

  it.each(samples)('[IMG-16] are kept with their size, as bytes, base64 and URL: $name', async ({ name, bytes }) => {
    const [, width, height] = /-(\d+)x(\d+)\./.exec(name) ?? []
    host.play((_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end(bytes))
    for (const image of [
      { kind: 'bytes', bytes },
      { kind: 'base64', base64: bytes.toString('base64') },
      { kind: 'url', url: `${host.url}/${name}?signature=a%2Fb` },
    ] as const) {
      expect(await world.host.host(image, forever)).toEqual({
        token: expect.stringMatching(/^[\w-]{80}$/),
        width: Number(width),
        height: Number(height),
      })
    }
    expect(host.asked.at(-1)).toBe(`/${name}?signature=a%2Fb`)
    expect((await world.files()).temporary).toEqual([])
  })

  it.each(impostors)('[ERR-42] are refused when they are %s, and only the log says why', async (_what, bytes) => {
    host.play((_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(bytes))
    for (const image of [
      { kind: 'bytes', bytes },
      { kind: 'base64', base64: bytes.toString('base64') },
      { kind: 'url', url: `${host.url}/a.png` },
    ] as const) {
      await expect(world.host.host(image, forever)).rejects.toMatchObject({
        errorName: 'pipelineError',
        message: 'The image was generated but could not be stored. Nothing was charged. Retry.',
        inside: expect.stringMatching(/^the upstream returned /),
      })
    }
    expect((await world.files()).temporary).toEqual([])
  })

  it('[ERR-42] are refused above 50 MB, and not read to their end', async () => {
    const piece = Buffer.alloc(1_000_000)
    let sent = 0
    host.play((_request, response) => {
      const more = (): void => {
        sent += 1
        if (!response.destroyed && sent < 500) response.write(piece, more)
      }
      response.write(pngOf(), more)
    })
    await expect(world.host.host({ kind: 'url', url: host.url }, forever)).rejects.toMatchObject({
      errorName: 'pipelineError',
      inside: expect.stringContaining('too large'),
    })
    expect(sent).toBeLessThan(80)
    expect((await world.files()).temporary).toEqual([])
  })

  it('are no longer fetched when their request is given up', async () => {
    const giveUp = new AbortController()
    host.play((_request, response) => response.write(png, () => giveUp.abort()))
    await expect(
      world.host.host({ kind: 'url', url: host.url }, { account: 'acme', signal: giveUp.signal }),
    ).rejects.toMatchObject({
      errorName: 'pipelineError',
    })
    expect((await world.files()).temporary).toEqual([])
  })
})

describe('images that callers name', () => {
  let world: RemoteWorld
  let host: FileHost
  beforeAll(async () => {
    world = await startRemoteWorld({ WEIR_EGRESS_ALLOWED_NETWORKS: '127.0.0.1' })
    host = await startFileHost('127.0.0.1', () => {})
  })
  afterAll(async () => {
    await world.close()
    await host.close()
  })

  it.each(samples)('are fetched to a file that lives until it is discarded: $name', async ({ name, bytes }) => {
    host.play((_request, response) => response.end(bytes))
    const { file, discard } = await world.source.fetch(`${host.url}/${name}`, forever)
    const type = `image/${name.endsWith('.jpg') ? 'jpeg' : name.split('.').at(-1)}`
    expect(file).toMatchObject({ mediaType: type, byteCount: bytes.length, name: type.replace('/', '.') })
    const path = file.content.kind === 'disk' ? file.content.path : ''
    expect(readFileSync(path).equals(bytes)).toBe(true)
    await discard()
    expect((await world.files()).temporary).toEqual([])
  })

  it('are refused when they are no image, and when they are too large', async () => {
    host.play((_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<svg/>'))
    await expect(world.source.fetch(host.url, forever)).rejects.toMatchObject({ errorName: 'invalidImageType' })
    host.play((_request, response) => response.end(Buffer.concat([png, Buffer.alloc(10_485_760)])))
    await expect(world.source.fetch(host.url, forever)).rejects.toMatchObject({ errorName: 'imageTooLarge' })
    host.play((_request, response) => response.writeHead(200, { 'content-length': '10485761' }).flushHeaders())
    await expect(world.source.fetch(host.url, forever)).rejects.toMatchObject({ errorName: 'imageTooLarge' })
    expect((await world.files()).temporary).toEqual([])
  })

  it('[IMG-17] may be our own, for as long as their tokens hold, without asking anybody', async () => {
    const { token } = await world.host.host({ kind: 'bytes', bytes: png }, forever)
    for (const mount of ['/v1', '/api/v1']) {
      const { file, discard } = await world.source.fetch(`https://weir.test${mount}/images/proxy/${token}`, forever)
      expect(file).toMatchObject({ mediaType: 'image/png', byteCount: png.length })
      await discard()
    }
    const altered = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    for (const bad of [altered, '', '../models', `${token}/../x`]) {
      await expect(world.source.fetch(`https://weir.test/v1/images/proxy/${bad}`, forever)).rejects.toMatchObject({
        errorName: 'invalidImageUrl',
      })
    }
  })
})
