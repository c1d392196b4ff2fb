import { describe, expect, it } from 'vitest'
import { googleAiStudio, googleVertex } from '#providers/vendors/google/index.ts'
import { geminiImageUsage, playGeminiImages } from '#test/simulators/media/images/gemini-images.ts'
import { madePng } from '#test/simulators/media/images/made.ts'
import {
  base64Of,
  dataInput,
  fileInput,
  hostileAnswers,
  memoryFile,
  type Order,
  urlInput,
  useHost,
} from '../image-hosts/host-world.ts'

const flash = { model: 'gemini-2.5-flash-image' }
const made = { kind: 'base64', base64: madePng.toString('base64') }

const inline = (text: string) => ({ inlineData: { mimeType: 'image/png', data: base64Of(text) } })

describe('Gemini that draws', () => {
  const host = useHost(googleAiStudio, '/v1')

  it('is shown images as bytes, and its tokens are counted by kind', async () => {
    const order = { ...flash, inputs: [fileInput, dataInput, urlInput], imageAt: () => memoryFile('fetched bytes') }
    const { result } = await host.make(playGeminiImages(), order)
    expect(host.calls()[0]).toMatchObject({
      path: '/v1/models/gemini-2.5-flash-image:generateContent',
      headers: { 'x-goog-api-key': 'secret' },
    })
    expect(host.calls()[0]?.json).toEqual({
      contents: [
        {
          role: 'user',
          parts: [inline('file bytes'), inline('data bytes'), inline('fetched bytes'), { text: 'a fox' }],
        },
      ],
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'] },
    })
    expect(result).toMatchObject({ images: [made], text: 'Here it is.' })
    expect(result.usage).toMatchObject({
      uncachedInput: 12,
      imageOutput: 1_290,
      textOutput: 10,
      media: { outputImages: 1, inputImageTokens: 258 },
    })
  })

  it.each<[string, Partial<Order>, object | undefined]>([
    ['gemini-2.5-flash-image', { size: { width: 1_024, height: 1_024 } }, { aspectRatio: '1:1' }],
    ['gemini-2.5-flash-image', { size: { width: 1_792, height: 1_024 } }, { aspectRatio: '16:9' }],
    ['gemini-2.5-flash-image', { extras: { resolution: '4K' } }, undefined],
    ['gemini-3-pro-image', { size: { width: 2_048, height: 2_048 } }, { aspectRatio: '1:1', imageSize: '2K' }],
    [
      'gemini-3-pro-image',
      { extras: { resolution: '4K' }, aspectRatio: '9:16' },
      { aspectRatio: '9:16', imageSize: '4K' },
    ],
    ['gemini-3-pro-image', {}, undefined],
  ])('[IMG-08] %s is told a ratio, and a resolution where it knows several', async (model, order, imageConfig) => {
    await host.make(playGeminiImages(), { model, ...order })
    expect(host.calls()[0]?.json['generationConfig']).toEqual({
      responseModalities: ['TEXT', 'IMAGE'],
      ...(imageConfig === undefined ? {} : { imageConfig }),
    })
  })

  it('[IMG-09] is asked once for each image, and all of it is counted', async () => {
    const { result } = await host.make(playGeminiImages(), { ...flash, count: 3 })
    expect(host.calls()).toHaveLength(3)
    expect(result.images).toEqual([made, made, made])
    expect(result.usage).toMatchObject({ imageOutput: 3_870, media: { outputImages: 3, inputImageTokens: 774 } })
  })

  it('gives no image of its thoughts away', async () => {
    const thought = { inlineData: { mimeType: 'image/png', data: base64Of('a sketch') }, thought: true }
    const drawn = { inlineData: { mimeType: 'image/png', data: madePng.toString('base64') }, thoughtSignature: 'sig' }
    const { result } = await host.make(playGeminiImages({ parts: [thought, drawn] }), flash)
    expect(result.images).toEqual([made])
  })

  it('[ERR-43] may say something and draw nothing', async () => {
    const { result } = await host.make(playGeminiImages({ parts: [{ text: 'No.' }] }), flash)
    expect(result).toMatchObject({ images: [], text: 'No.' })
  })

  it('refuses content in several ways', async () => {
    const safety = playGeminiImages({ parts: [], finishReason: 'IMAGE_SAFETY' })
    expect(await host.refusalOf(safety, flash)).toMatchObject({ errorName: 'contentModeration' })
    const blocked = playGeminiImages({
      refuse: () => ({
        body: { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: geminiImageUsage },
      }),
    })
    expect(await host.refusalOf(blocked, flash)).toMatchObject({ errorName: 'contentModeration', action: 'give-up' })
    const quota = { status: 429, body: { error: { status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded' } } }
    expect(await host.refusalOf(() => quota, flash)).toMatchObject({ errorName: 'upstreamRateLimited' })
  })

  it.each(hostileAnswers)('can not be used where it answers with %s', async (_, answer) => {
    expect(await host.isUnusable(() => answer, flash)).toBe(true)
  })
})

describe('Imagen', () => {
  const host = useHost(googleVertex, '/v1/projects/p/locations/us/publishers/google')
  const imagen = { model: 'imagen-4.0-generate-001' }

  it('[IMG-08] [IMG-09] makes up to four at once, by ratio and resolution, and is paid by the image', async () => {
    const { result } = await host.make(playGeminiImages(), {
      ...imagen,
      count: 6,
      size: { width: 2_048, height: 1_152 },
    })
    const path = '/v1/projects/p/locations/us/publishers/google/models/imagen-4.0-generate-001:predict'
    expect(host.calls().map((call) => [call.path, call.json])).toEqual(
      [4, 2].map((sampleCount) => [
        path,
        { instances: [{ prompt: 'a fox' }], parameters: { sampleCount, aspectRatio: '16:9', sampleImageSize: '2K' } },
      ]),
    )
    expect(result.images).toHaveLength(6)
    expect(result.usage).toMatchObject({ imageOutput: 0, media: { outputImages: 6, inputImages: 0 } })
  })

  it('says why it held its images back', async () => {
    const held = { body: { predictions: [{ raiFilteredReason: 'Unable to show generated images.' }] } }
    expect(await host.refusalOf(() => held, imagen)).toMatchObject({ errorName: 'contentModeration' })
  })

  it('takes no images', async () => {
    await expect(host.make(playGeminiImages(), { ...imagen, inputs: [fileInput] })).rejects.toMatchObject({
      errorName: 'inputImagesNotSupported',
    })
  })
})
