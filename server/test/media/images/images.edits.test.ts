import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Reply } from '#test/setup/reply.ts'
import { pngOf } from '#test/media/proxy/sample-images.ts'
import { fieldsOf, filesOf, playOpenAiImages } from '#test/simulators/media/images/openai-images.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { type MediaWorld, startMediaWorld } from '../media-world.ts'
import { codeOf, formOf, imageModel, proxyUrl, urlsOf } from './images-world.ts'

const model = 'openai/gpt-image-1-mini'
const fallback = 'maker/the-operators-choice'
const megabyte = 1_048_576
const png = pngOf()
const jpeg = Buffer.from('ffd8ffe000104a46494600010100', 'hex')
const webp = Buffer.from('RIFF\u0010\u0000\u0000\u0000WEBPVP8 ', 'latin1')
const gif = Buffer.from('GIF89a\u0001\u0000\u0001\u0000', 'latin1')

/** An image by its first bytes, of the requested size. */
const imageOf = (byteCount: number): Buffer => Buffer.concat([png, Buffer.alloc(byteCount - png.length)])

describe('POST /v1/images/edits', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, playOpenAiImages(), {
      WEIR_MEDIA_EDIT_MODEL: fallback,
    })
    await world.addModels([
      imageModel(model, 'openai'),
      imageModel(fallback, 'openai'),
      imageModel('maker/words-only', 'openai', { inputs: ['text'] }),
    ])
  })
  beforeEach(async () => {
    caller = await world.createClient({ usd: '5' })
    world.upstream.play(playOpenAiImages())
    world.upstream.calls.length = 0
  })
  afterAll(() => world.close())

  const send = (form: FormData): Promise<Reply> => world.post(caller, '/v1/images/edits', form)
  const edit = (fields: Record<string, string>, files: Buffer[], field?: string) =>
    send(formOf({ model, prompt: 'Make it blue', ...fields }, files, field))

  it('[EDIT-01] [IMG-10] changes one image and answers with an address under the proxy', async () => {
    const reply = await edit({}, [png])
    expect(reply.status, reply.text).toBe(200)
    expect(Number.isInteger(reply.json.created)).toBe(true)
    expect(urlsOf(reply)).toEqual([expect.stringMatching(proxyUrl)])
    expect(reply.text).not.toContain('b64_json')
    const [call] = world.upstream.calls
    if (call === undefined) throw new Error('nobody was asked')
    expect(call.path).toBe('/v1/images/edits')
    expect(Object.fromEntries(fieldsOf(call))).toEqual({ model: 'gpt-image-1-mini', prompt: 'Make it blue' })
    expect(filesOf(call)).toEqual([{ name: 'image[]', filename: 'image-1.png', type: 'image/png', bytes: png }])
  })

  it('[EDIT-01] takes several images in either spelling, with size, quality and number', async () => {
    const fields = { n: '2', size: '1536x1024', quality: 'low', user: '42' }
    const reply = await edit(fields, [png, jpeg, webp, gif], 'image[]')
    expect(urlsOf(reply)).toHaveLength(2)
    const [call] = world.upstream.calls
    if (call === undefined) throw new Error('nobody was asked')
    expect(Object.fromEntries(fieldsOf(call))).toMatchObject(fields)
    expect(filesOf(call).map(({ filename, type }) => [filename, type])).toEqual([
      ['image-1.png', 'image/png'],
      ['image-2.jpeg', 'image/jpeg'],
      ['image-3.webp', 'image/webp'],
      ['image-4.gif', 'image/gif'],
    ])
  })

  it('[EDIT-03] is served by the operator’s choice where no model is named', async () => {
    const reply = await send(formOf({ prompt: 'Make it blue' }, [png]))
    expect(reply.status, reply.text).toBe(200)
    const [call] = world.upstream.calls
    expect(call === undefined ? '' : fieldsOf(call).get('model')).toBe('the-operators-choice')
  })

  it('D9: [EDIT-03] is served by a model of the catalogue where the operator’s choice is not in it', async () => {
    const other = await startMediaWorld({ vendor: 'openai', path: '/v1' }, playOpenAiImages(), {
      WEIR_MEDIA_EDIT_MODEL: 'maker/gone',
    })
    const form = formOf({ prompt: 'Make it blue' }, [png])
    try {
      const client = await other.createClient({ usd: '5' })
      await other.addModels([imageModel(model, 'openai')])
      const served = await other.post(client, '/v1/images/edits', form)
      expect(served.status, served.text).toBe(200)
      const [call] = other.upstream.calls
      expect(call === undefined ? '' : fieldsOf(call).get('model')).toBe('gpt-image-1-mini')
    } finally {
      await other.close()
    }
  })

  it('[EDIT-02] takes eight files of nearly ten megabytes', async () => {
    const file = imageOf(10 * megabyte - 1)
    const reply = await edit(
      {},
      Array.from({ length: 8 }, () => file),
    )
    expect(reply.status, reply.text.slice(0, 300)).toBe(200)
    const [call] = world.upstream.calls
    expect(call?.bytes.length).toBeGreaterThan(8 * file.length)
  })

  it('[EDIT-02] answers a body over eight files and their fields with 413', async () => {
    const file = imageOf(10 * megabyte - 1)
    const form = formOf(
      { model, prompt: 'Make it blue' },
      Array.from({ length: 9 }, () => file),
    )
    expect(await statusBeforeEnd(`${world.url}/v1/images/edits`, caller.key, form)).toBe(413)
    expect(world.upstream.calls).toEqual([])
  })

  it('[IMG-11] [IMG-15] streams events where it is asked to', async () => {
    const reply = await edit({ stream: 'true' }, [png])
    expect(reply.headers.get('content-type')).toContain('text/event-stream')
    expect(reply.events.map(({ event }) => event)).toEqual(['image', 'image-cached', 'usage', 'done'])
  })

  it.each<[string, Record<string, string>, Buffer[], string]>([
    ['[ERR-36] no prompt', { prompt: '' }, [png], 'missing_prompt'],
    ['[ERR-35] base64', { response_format: 'b64_json' }, [png], 'unsupported_response_format'],
    ['[ERR-37] no image', {}, [], 'missing_image'],
    ['[ERR-38] nine images', {}, Array.from({ length: 9 }, () => png), 'too_many_images'],
    [
      '[ERR-39] a file that only claims to be an image',
      {},
      [Buffer.from('%PDF-1.7 not an image')],
      'invalid_image_type',
    ],
    ['[ERR-40] one file over ten megabytes', {}, [imageOf(10 * megabyte + 1)], 'image_too_large'],
    ['[ERR-41] no number of images', { n: '0' }, [png], 'invalid_n'],
    ['[ERR-34] a mask in words', { mask: 'all of it' }, [png], 'mask_not_supported'],
    ['[ERR-32] a model that takes no images', { model: 'maker/words-only' }, [png], 'input_images_not_supported'],
    ['[ERR-28] a model that talks', { model: 'openai/gpt-5.2' }, [png], 'model_endpoint_mismatch'],
  ])('refuses %s and charges nothing', async (_, fields, files, code) => {
    const reply = await edit(fields, files)
    expect([reply.status, codeOf(reply)], reply.text).toEqual([400, code])
    expect(world.upstream.calls).toEqual([])
    expect(await world.walletOf(caller.walletId)).toMatchObject({ balance: '5', held: '0' })
  })

  it('[ERR-34] refuses a mask that is a file', async () => {
    const form = formOf({ model, prompt: 'Make it blue' }, [png])
    form.append('mask', new Blob([new Uint8Array(png)]), 'mask.png')
    expect(codeOf(await send(form))).toBe('mask_not_supported')
  })

  it('[ERR-33] refuses what is no form', async () => {
    const reply = await world.post(caller, '/v1/images/edits', { model, prompt: 'Make it blue' })
    expect([reply.status, codeOf(reply)]).toEqual([400, 'invalid_content_type'])
  })
})

/**
 * Sends a form until it is answered, like a client that reads while it sends: fetch would only notice that the
 * connection was closed.
 */
async function statusBeforeEnd(url: string, key: string, form: FormData): Promise<number> {
  const { headers, body } = new Response(form)
  const type = headers.get('content-type') ?? ''
  const sending = request(url, { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': type } })
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  sending.on('error', reject)
  sending.on('response', ({ statusCode }) => {
    resolve(statusCode ?? 0)
    sending.destroy()
  })
  const answered = promise.then(() => true)
  for await (const piece of body ?? []) {
    const isTaken = sending.write(piece) || (await Promise.race([answered, once(sending, 'drain')])) !== true
    if (!isTaken || sending.destroyed) break
  }
  sending.end()
  return promise
}
