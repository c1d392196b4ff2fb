import { expect, it } from 'vitest'
import { formBoundary } from './form-boundary.ts'
import { type FormPart, formRequest } from './media-request.ts'
import type { MediaTarget } from './target.ts'

const target: MediaTarget = {
  baseUrl: 'https://api.example/v1',
  authentication: { kind: 'bearer' },
  credential: 'secret',
  upstreamModel: 'm',
  model: 'ours/m',
  details: {},
}
const prompt = (value: string): FormPart => ({ name: 'prompt', value })
const file = (bytes: Buffer): FormPart => ({
  name: 'image',
  filename: 'image',
  file: { name: 'x', mediaType: 'image/png', byteCount: bytes.length, content: { kind: 'memory', bytes } },
})

it('changes with every text, every file and every credential', () => {
  const boundaries = [
    formBoundary(target, [prompt('a')]),
    formBoundary(target, [prompt('b')]),
    formBoundary({ ...target, credential: 'other' }, [prompt('a')]),
    formBoundary(target, [prompt('a'), file(Buffer.from('1'))]),
    formBoundary(target, [prompt('a'), file(Buffer.from('2'))]),
  ]
  expect(new Set(boundaries).size).toBe(boundaries.length)
  expect(boundaries.every((boundary) => /^weir-[0-9a-f]{48}$/.test(boundary))).toBe(true)
})

it('can not be put into a prompt to add a part, also by who has seen it before', async () => {
  const seen = formBoundary(target, [prompt('a'), { name: 'model', value: 'cheap' }])
  const injected = `a\r\n--${seen}\r\ncontent-disposition: form-data; name="model"\r\n\r\ndear`
  const { headers, body } = formRequest(target, '/x', [prompt(injected), { name: 'model', value: 'cheap' }])
  const pieces = typeof body === 'string' ? [body] : body.filter((piece) => typeof piece === 'string')
  const form = await new Response(pieces.join(''), { headers: { ...headers } }).formData()
  expect(form.getAll('model')).toEqual(['cheap'])
  expect(form.getAll('prompt')).toEqual([injected])
})
