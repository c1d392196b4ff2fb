import { describe, expect, it } from 'vitest'
import type { FormFile } from '#domain/media/media-file.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { refusal } from '#test/setup/refusal.ts'
import type { DialectCall } from '../dialect.ts'
import { parseImageEdit, parseImages } from './parse-images.ts'

const plain: JsonObject = { model: 'maker/model', prompt: 'A fox in the snow' }
const address = 'https://a.example/a.png'
const base64 = 'iVBORw0KGgo='
const dataUri = `data:image/png;base64,${base64}`
const byAddress = { kind: 'url', url: address }
const inFull = { kind: 'data', mediaType: 'image/png', base64 }

function taskOf({ media }: DialectCall) {
  if (media?.task.kind !== 'image') throw new Error('not an order for images')
  return media.task
}

function fileOf(changes: Partial<FormFile> = {}): FormFile {
  const bytes = Buffer.from(base64, 'base64')
  return {
    field: 'image',
    name: 'fox.png',
    mediaType: 'image/png',
    byteCount: bytes.length,
    content: { kind: 'memory', bytes },
    head: bytes,
    ...changes,
  }
}

describe('an order for images', () => {
  it('names its model and starts from no image', () => {
    const call = parseImages(plain)
    expect(call).toMatchObject({ modelName: 'maker/model', stream: false, body: plain })
    expect(taskOf(call)).toMatchObject({ prompt: 'A fox in the snow', count: 1, inputs: [] })
  })

  it.each<[string, JsonObject, unknown[]]>([
    ['`image` as an address', { image: address }, [byAddress]],
    ['`images` as a list', { images: [address, dataUri] }, [byAddress, inFull]],
    ['`image_url` as a data URI', { image_url: dataUri }, [inFull]],
    ['`image_url` as an object', { image_url: { url: address } }, [byAddress]],
    [
      '`input_references` as content parts',
      { input_references: [{ type: 'image_url', image_url: { url: dataUri } }] },
      [inFull],
    ],
    ['`input_references` with plain addresses in parts', { input_references: [{ image_url: address }] }, [byAddress]],
    ['several fields', { input_references: [address], image: dataUri }, [inFull, byAddress]],
    ['null in place of an image', { image: null, images: [null, address] }, [byAddress]],
  ])('may start from %s', (_what, fields, inputs) => {
    expect(taskOf(parseImages({ ...plain, ...fields })).inputs).toEqual(inputs)
  })

  it.each<[string, JsonObject, string | number, string]>([
    ['no model', { model: undefined }, 'missing_required_field', '`model` is required. GET /v1/images/models'],
    ['null for a model', { model: null }, 'missing_required_field', '`model` is required'],
    ['a model that is no name', { model: 7 }, 400, '`model` must be a string.'],
    ['no prompt', { prompt: undefined }, 'missing_prompt', '`prompt`'],
    ['an image that is a number', { image: 5 }, 'invalid_image_url', '`image` must be an https:// URL'],
    ['an image that is true', { images: [address, true] }, 'invalid_image_url', '`images[1]` must be'],
    ['an object without an address', { image: {} }, 'invalid_image_url', '`image` must be'],
    ['an object with null for an address', { image: { url: null } }, 'invalid_image_url', '`image` must be'],
    [
      'an object with null for both addresses',
      { image: { url: null, image_url: null } },
      'invalid_image_url',
      '`image` must be',
    ],
    ['an object with a list of addresses', { image: { url: [address] } }, 'invalid_image_url', '`image` must be'],
    ['an address that is a number', { image: { url: 5 } }, 'invalid_image_url', '`image.url` must be'],
    [
      'a part with an http address',
      { input_references: [{ image_url: { url: 'http://a.example/a.png' } }] },
      'invalid_image_url',
      '`input_references[0].url.url` is an http:// URL',
    ],
    ['a data URI of no image', { image: 'data:image/png;base64,AAAA' }, 'invalid_image_type', '`image` is not a PNG'],
    ['nine images', { images: Array<JsonValue>(9).fill(address) }, 'too_many_images', 'at most 8 input images'],
  ])('is refused with %s', (_what, change, code, text) => {
    expect(() => parseImages({ ...plain, ...change })).toThrow(refusal(code, text))
  })
})

describe('an order for changed images', () => {
  it('starts from its files, in their order', () => {
    const files = [fileOf(), fileOf({ field: 'image[]', name: 'snow.png' })]
    const call = parseImageEdit(plain, files)
    expect(call.modelName).toBe('maker/model')
    expect(taskOf(call).inputs).toEqual([
      { kind: 'file', file: files[0] },
      { kind: 'file', file: files[1] },
    ])
  })

  it.each<JsonObject>([{}, { model: null }])('leaves the model to the operator with %j', (model) => {
    expect(parseImageEdit({ prompt: 'Make it night', ...model }, [fileOf()]).modelName).toBe('')
  })

  it.each(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])('takes a file of type %s', (mediaType) => {
    expect(taskOf(parseImageEdit(plain, [fileOf({ mediaType })])).inputs).toHaveLength(1)
  })

  it.each<[string, JsonObject, FormFile[], string | number, string]>([
    ['no file', {}, [], 'missing_image', '`image`'],
    ['a mask among the files', {}, [fileOf(), fileOf({ field: 'mask' })], 'mask_not_supported', '`mask`'],
    ['a mask among the fields', { mask: 'x' }, [fileOf()], 'mask_not_supported', '`mask`'],
    ['a model that is no name', { model: 7 }, [fileOf()], 400, '`model` must be a string.'],
    ['no prompt', { prompt: '' }, [fileOf()], 'missing_prompt', '`prompt`'],
    ['a file of another type', {}, [fileOf({ mediaType: 'image/bmp' })], 'invalid_image_type', '"fox.png" is not'],
    ['nine files', {}, Array<FormFile>(9).fill(fileOf()), 'too_many_images', 'at most 8 input images'],
  ])('is refused with %s', (_what, change, files, code, text) => {
    expect(() => parseImageEdit({ ...plain, ...change }, files)).toThrow(refusal(code, text))
  })

  it('shows at most 100 characters of the name of a file that is no image', () => {
    const file = fileOf({ name: `${'n'.repeat(100)}-`, mediaType: 'text/plain' })
    expect(() => parseImageEdit(plain, [file])).toThrow(refusal('invalid_image_type', `"${'n'.repeat(100)}" is not`))
  })

  it.each<[string, JsonValue, JsonValue]>([
    ['seed', '12', 12],
    ['seed', '-12', -12],
    ['strength', '0.75', 0.75],
    ['steps', '123456789012345', 123_456_789_012_345],
    ['steps', '1234567890123456', '1234567890123456'],
    ['strength', '0.123456789012345', 0.123456789012345],
    ['strength', '0.1234567890123456', '0.1234567890123456'],
    ['strength', '1.', '1.'],
    ['strength', '.5', '.5'],
    ['strength', '1,5', '1,5'],
    ['seed', 'x12', 'x12'],
    ['seed', '12x', '12x'],
    ['seed', '', ''],
    ['raw', 'true', true],
    ['raw', 'false', false],
    ['raw', 'True', 'True'],
    ['raw', 7, 7],
    ['raw', ['7'], ['7']],
    ['negative_prompt', '12', '12'],
    ['user', '12', '12'],
  ])('has `%s` of %j passed on as %j', (name, value, passedOn) => {
    expect(taskOf(parseImageEdit({ ...plain, [name]: value }, [fileOf()])).extras).toEqual({ [name]: passedOn })
  })

  it('keeps numbers in a model name, a prompt, a size and a quality as texts', () => {
    const call = parseImageEdit({ model: '12', prompt: '34', size: '56', quality: '78', n: '2' }, [fileOf()])
    expect(call).toMatchObject({
      modelName: '12',
      body: { model: '12', prompt: '34', size: '56', quality: '78', n: 2 },
    })
    expect(taskOf(call)).toMatchObject({ prompt: '34', count: 2, quality: '78' })
  })
})
