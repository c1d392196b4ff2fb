import { expect, it } from 'vitest'
import { FileText } from '#domain/media/media-json.ts'
import { formRequest, jsonRequest } from './media-request.ts'
import type { MediaTarget } from './target.ts'

const file = {
  name: 'fox.png',
  mediaType: 'image/png',
  byteCount: 3,
  content: { kind: 'memory', bytes: Buffer.from('png') },
} as const
const target: MediaTarget = {
  baseUrl: 'https://media.test/v1',
  authentication: { kind: 'bearer' },
  credential: 'secret',
  upstreamModel: 'draw-1',
  model: 'acme/draw-1',
  details: {},
  leaveOut: ['seed', 'input.size', 'guidance'],
}

it('a JSON request is without the fields that its operator leaves out, and its files stay files', () => {
  const body = { prompt: 'a fox', seed: 7, input: { size: '1:1', picture: new FileText(file) } }
  expect(jsonRequest(target, '/draw', body).body).toEqual([
    '{"prompt":"a fox","input":{"picture":"',
    { file, as: 'base64' },
    '"}}',
  ])
  const { leaveOut: _, ...plain } = target
  expect(jsonRequest(plain, '/draw', { seed: 7 }).body).toEqual(['{"seed":7}'])
})

it('a form is without them, too', () => {
  const parts = [
    { name: 'prompt', value: 'a fox' },
    { name: 'seed', value: '7' },
  ]
  const text = String(formRequest(target, '/draw', parts).body)
  expect(text).toContain('name="prompt"')
  expect(text).not.toContain('seed')
})
