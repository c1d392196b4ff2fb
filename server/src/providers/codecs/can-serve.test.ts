import { expect, it } from 'vitest'
import { canServe } from './can-serve.ts'

it('asks a vendor for words through an interface that it has alone', () => {
  expect(canServe('openai', 'text', 'responses')).toBe(true)
  expect(canServe('azure', 'text', 'responses')).toBe(true)
  expect(canServe('xai', 'text', 'responses')).toBe(true)
  expect(canServe('amazon-bedrock', 'text', 'responses')).toBe(false)
  expect(canServe('amazon-bedrock', 'text')).toBe(true)
})

it('asks for media as ever', () => {
  expect(canServe('openai', 'image', 'responses')).toBe(true)
  expect(canServe('anthropic', 'image')).toBe(false)
  expect(canServe('luma', 'text')).toBe(false)
  expect(canServe('gone', 'text', 'responses')).toBe(true)
})
