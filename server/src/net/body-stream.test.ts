import { once } from 'node:events'
import { mkdtemp, readdir, readFile, readlink, rm, truncate, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { BodyPiece } from '#domain/media/body-piece.ts'
import type { MediaContent, MediaFile } from '#domain/media/media-file.ts'
import type { UpstreamExchange, UpstreamFailure } from '#ports/upstream.ts'
import { openBody } from './body-stream.ts'
import { createUpstreamClient } from './upstream-client.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-body-'))
})
afterAll(() => rm(folder, { recursive: true }))

let files = 0

async function onDisk(bytes: Uint8Array): Promise<MediaFile> {
  files += 1
  const path = join(folder, String(files))
  await writeFile(path, bytes)
  return fileOf(bytes.length, { kind: 'disk', path })
}

function inMemory(bytes: Uint8Array): MediaFile {
  return fileOf(bytes.length, { kind: 'memory', bytes: Buffer.from(bytes) })
}

function fileOf(byteCount: number, content: MediaContent): MediaFile {
  return { name: 'a', mediaType: 'image/png', byteCount, content }
}

function pathOf({ content }: MediaFile): string {
  return content.kind === 'disk' ? content.path : ''
}

describe('a body that is read while it is sent', () => {
  it.each([0, 1, 2, 3, 4, 49_151, 49_152, 49_153, 49_154, 98_304, 150_000])(
    'has the base64 of a file of %i bytes as if it were written in one piece',
    async (length) => {
      const bytes = Buffer.from(Array.from({ length }, (_, at) => (at * 7) % 251))
      for (const file of [await onDisk(bytes), inMemory(bytes)]) {
        const { stream, byteCount } = openBody(['"', { file, as: 'base64' }, '"'])
        const sent = await buffer(stream)
        expect(sent.toString('latin1')).toBe(`"${bytes.toString('base64')}"`)
        expect(sent.length).toBe(byteCount)
      }
    },
  )

  it('has the length it says, whatever it is made of', async () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      fc.record({
        bytes: fc.uint8Array({ maxLength: 500 }),
        // Some parts span several reads.
        times: fc.constantFrom(1, 1, 1, 300),
        as: fc.constantFrom('bytes' as const, 'base64' as const),
        onDisk: fc.boolean(),
      }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 8 }), async (made) => {
        const pieces: BodyPiece[] = []
        const expected: Buffer[] = []
        for (const each of made) {
          if (typeof each === 'string' || Buffer.isBuffer(each)) {
            pieces.push(each)
            expected.push(Buffer.from(each))
            continue
          }
          const bytes = Buffer.concat(Array.from({ length: each.times }, () => each.bytes))
          pieces.push({ file: each.onDisk ? await onDisk(bytes) : inMemory(bytes), as: each.as })
          expected.push(each.as === 'bytes' ? bytes : Buffer.from(bytes.toString('base64')))
        }
        const { stream, byteCount } = openBody(pieces)
        const sent = await buffer(stream)
        expect(byteCount).toBe(sent.length)
        expect(sent.equals(Buffer.concat(expected))).toBe(true)
      }),
      { numRuns: 150 },
    )
  })
})

describe('a body on its way to an upstream', () => {
  const large = Buffer.alloc(40_000_000, 0x61)
  let server: Server
  let arrived: Promise<IncomingMessage>
  const client = createUpstreamClient({ connectTimeoutMs: 1_000, connectionsMax: 10 })
  afterAll(() => client.close())
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  /** An upstream that handles a request as the test specifies. */
  async function listen(take: (request: IncomingMessage) => void): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<IncomingMessage>()
    arrived = promise
    server = createServer((request, response) => {
      request.on('error', () => {})
      request.on('end', () => response.end('whole'))
      resolve(request)
      take(request)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`
  }

  function send(
    origin: string,
    body: readonly BodyPiece[],
  ): { exchange: UpstreamExchange; end: Promise<string | UpstreamFailure> } {
    const { promise, resolve } = Promise.withResolvers<string | UpstreamFailure>()
    const pieces: Buffer[] = []
    const exchange = client.open(
      { origin, path: '/', headers: {}, body, headersTimeoutMs: 5_000, bodyTimeoutMs: 5_000, connectTimeoutMs: 1_000 },
      {
        headers: () => {},
        data: (bytes) => pieces.push(Buffer.from(bytes)),
        end: () => resolve(Buffer.concat(pieces).toString()),
        failed: resolve,
      },
    )
    return { exchange, end: promise }
  }

  it('arrives whole, with a length and not in chunks', async () => {
    const origin = await listen((request) => request.resume())
    const { end } = send(origin, [
      '{"image":"',
      { file: await onDisk(large.subarray(0, 1_000_000)), as: 'base64' },
      '"}',
    ])
    expect(await end).toBe('whole')
    const { headers } = await arrived
    expect(headers['content-length']).toBe(String(1_333_336 + 12))
    expect(headers['transfer-encoding']).toBeUndefined()
  })

  it.each(['vanishes', 'shrinks', 'grows'] as const)('fails when a file of it %s', async (how) => {
    const file = await onDisk(large.subarray(0, 1_000_000))
    if (how === 'vanishes') await rm(pathOf(file))
    else if (how === 'shrinks') await truncate(pathOf(file), 500_000)
    else await writeFile(pathOf(file), large.subarray(0, 1_500_000))
    const origin = await listen((request) => request.resume())
    expect(await send(origin, ['a', { file, as: 'bytes' }]).end).toHaveProperty('kind')
  })

  it('is read no faster than it is taken', async () => {
    const origin = await listen((request) => request.pause())
    const file = await onDisk(large)
    const { exchange } = send(origin, [{ file, as: 'base64' }])
    await arrived
    await expect.poll(async () => (await positionIn(file)) > 0).toBe(true)
    // The socket buffers are full once the position stands still.
    let before = -1
    await expect
      .poll(
        async () => {
          const now = await positionIn(file)
          const stands = now === before
          before = now
          return stands
        },
        { interval: 100 },
      )
      .toBe(true)
    expect(before).toBeLessThan(20_000_000)
    exchange.abort()
  })

  it('leaves no file open when it is given up', async () => {
    const origin = await listen((request) => request.pause())
    const file = await onDisk(large)
    const { exchange } = send(origin, [{ file, as: 'bytes' }])
    await expect.poll(() => isOpen(file)).toBe(true)
    exchange.abort()
    await expect.poll(() => isOpen(file)).toBe(false)
  })

  it('opens no file when it is given up before there is a connection', async () => {
    const origin = await listen((request) => request.resume())
    const file = await onDisk(large)
    const { exchange } = send(origin, [{ file, as: 'bytes' }])
    exchange.abort()
    await expect.poll(() => isOpen(file)).toBe(false)
  })

  it('leaves no file open when the upstream answers before it has read all', async () => {
    const origin = await listen((request) => {
      request.socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
    })
    const file = await onDisk(large)
    await send(origin, [{ file, as: 'bytes' }]).end
    await expect.poll(() => isOpen(file)).toBe(false)
  })
})

async function descriptorOf(file: MediaFile): Promise<string | undefined> {
  const names = await readdir('/proc/self/fd')
  const targets = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')))
  return names[targets.indexOf(pathOf(file))]
}

async function isOpen(file: MediaFile): Promise<boolean> {
  return (await descriptorOf(file)) !== undefined
}

async function positionIn(file: MediaFile): Promise<number> {
  const info = await readFile(`/proc/self/fdinfo/${await descriptorOf(file)}`, 'utf8').catch(() => '')
  return Number(/^pos:\s*(\d+)/.exec(info)?.[1] ?? 0)
}
