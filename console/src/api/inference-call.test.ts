import { expect, test } from 'vitest'
import { exampleCall, modelKindOf } from './inference-call.ts'

test('a model that also makes text is asked on chat', () => {
  expect(modelKindOf(['text', 'image'])).toBe('chat')
  expect(modelKindOf(['image'])).toBe('image')
  expect(modelKindOf(['rerank'])).toBe('rerank')
  expect(modelKindOf(['audio'])).toBeUndefined()
})

test('an example goes to the endpoint of its kind, with the id of the model', () => {
  expect(exampleCall('speech', 'test/speech', 'tone')).toEqual({
    method: 'POST',
    path: '/v1/audio/speech',
    body: '{"model":"test/speech","input":"Hello there","voice":"tone","response_format":"wav"}',
  })
})
