import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createS3Blobs } from '#store/blobs/s3-blobs.ts'
import { startS3 } from '#test/media/blobs/start-s3.ts'
import { codeOf, imageModel, urlsOf } from '#test/media/images/images-world.ts'
import { type MediaWorld, startMediaWorld } from '#test/media/media-world.ts'
import { playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import type { S3BlobsOptions } from '#store/blobs/s3-blobs.ts'

const model = 'maker/paint'

function s3Settings(options: S3BlobsOptions): Record<string, string> {
  return {
    WEIR_BLOBS_KIND: 's3',
    WEIR_BLOBS_S3_BUCKET: options.bucket,
    WEIR_BLOBS_S3_REGION: options.region,
    WEIR_BLOBS_S3_ENDPOINT: options.endpoint ?? '',
    WEIR_BLOBS_S3_ACCESS_KEY_ID: options.credentials?.accessKeyId ?? '',
    WEIR_BLOBS_S3_SECRET_ACCESS_KEY: options.credentials?.secretAccessKey ?? '',
    WEIR_BLOBS_S3_PATH_STYLE: 'true',
  }
}

async function startWorld(environment: Record<string, string>): Promise<MediaWorld> {
  const world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, playOpenAiImages(), environment)
  await world.addModels([imageModel(model, 'openai', { pricing: { per_image_output: '0.04' } })])
  return world
}

/**
 * Requests an image while nothing can be stored: the client gets an error and all its money, and the log has the
 * reason.
 */
async function expectNothingCharged(world: MediaWorld, why: RegExp): Promise<void> {
  const caller = await world.createClient({ usd: '5' })
  for (const stream of [false, true]) {
    const reply = await world.post(caller, '/v1/images/generations', { model, prompt: 'A fox', stream })
    if (!stream) expect([reply.status, codeOf(reply)], reply.text).toEqual([502, 'pipeline_error'])
    expect(reply.text).toContain('pipeline_error')
    expect(reply.text).not.toMatch(why)
    expect(await world.walletOf(caller.walletId)).toEqual({ balance: '5', held: '0', charged: '0' })
  }
  expect(world.logLines.some((line) => why.test(line))).toBe(true)
}

describe('where images are kept', () => {
  it('[IMG-16] an image of ours can be sent back to be changed, and no copy of it stays', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'weir-again-'))
    const world = await startWorld({ WEIR_DATA_DIR: dataDir })
    const caller = await world.createClient({ usd: '5' })
    const order = { model, prompt: 'A fox' }
    const [url = ''] = urlsOf(await world.post(caller, '/v1/images/generations', order))
    const { bytes: made } = await world.fetchOwn(url)
    const changed = await world.post(caller, '/v1/images/generations', { ...order, image: url })
    expect(changed.status, changed.text).toBe(200)
    expect(world.upstream.calls.at(-1)?.bytes.includes(made)).toBe(true)
    // The file is removed concurrently with the response, not before it.
    await expect.poll(() => readdir(join(dataDir, 'uploads'))).toEqual([])
    await world.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  it('[ERR-42] a folder that can not be written costs callers nothing', async () => {
    const place = await mkdtemp(join(tmpdir(), 'weir-full-'))
    const folder = join(place, 'blobs')
    const world = await startWorld({ WEIR_BLOBS_FOLDER: folder })
    // A gateway does not start with such a folder, so the test changes it later.
    await rm(folder, { recursive: true, force: true })
    await writeFile(folder, '')
    await expectNothingCharged(world, /ENOTDIR/)
    await world.close()
    await rm(place, { recursive: true })
  })

  it('[ERR-42] a store that is away costs callers nothing, and its images are gone for as long', async () => {
    const server = await startS3()
    const world = await startWorld(s3Settings(server.options))
    const caller = await world.createClient({ usd: '5' })
    const reply = await world.post(caller, '/v1/images/generations', { model, prompt: 'A fox' })
    const [url = ''] = urlsOf(reply)
    const image = await world.fetchOwn(url)
    expect([image.status, image.headers.get('content-type')]).toEqual([200, 'image/png'])
    const { bytes } = image
    const part = await world.fetchOwn(url, { headers: { range: 'bytes=1-7' } })
    expect([part.status, part.bytes.equals(bytes.subarray(1, 8))]).toEqual([206, true])
    const blobs = createS3Blobs(server.options)
    expect(await blobs.list('images/', 10)).toEqual([expect.stringMatching(/^images\/[\d-]{13}\/[0-9a-f-]{36}$/)])
    await blobs.close()
    await server.close()
    await expectNothingCharged(world, /ECONNREFUSED/)
    expect((await world.fetchOwn(url)).status).toBe(500)
    await world.close()
  })
})
