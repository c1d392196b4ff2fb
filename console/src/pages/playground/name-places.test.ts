import { expect, test } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { namePlaces } from './name-places.ts'

const terms = { status: 400, code: 'unknown_model', requestId: 'req_1', retryAfter: 30 }

test.each([
  ['"a/b" is a video model. Use POST /v1/videos.', '"a/b" is a video model. Use it under Video.'],
  [
    '"a/b" is not an embedding model. Use it with POST /v1/chat/completions. GET /v1/models?output_modalities=embeddings lists embedding models.',
    '"a/b" is not an embedding model. Use it under Chat. The Models page lists embedding models.',
  ],
  [
    '"a/b" is not an image model. GET /v1/images/models lists image models.',
    '"a/b" is not an image model. The Models page lists image models.',
  ],
  ['Did you mean "a/c"? GET /v1/models lists all models.', 'Did you mean "a/c"? The Models page lists all models.'],
  [
    'Remove them, or choose a model with image input from GET /v1/models.',
    'Remove them, or choose a model with image input from the Models page.',
  ],
  [
    'You were charged 0.1 USD; see the receipt at GET /v1/generation?id=gen-0199.',
    'You were charged 0.1 USD; see the receipt under Requests.',
  ],
  ['The prompt is too long.', 'The prompt is too long.'],
])('%s', (message, expected) => {
  const named = namePlaces(new ApiError({ ...terms, message }))
  expect(named).toBeInstanceOf(ApiError)
  expect(named).toMatchObject({ ...terms, message: expected })
})

test('an error of something else stays as it is', () => {
  const error = new Error('GET /v1/models failed')
  expect(namePlaces(error)).toBe(error)
})
