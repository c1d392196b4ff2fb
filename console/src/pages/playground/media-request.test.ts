import { expect, test } from 'vitest'
import { mediaCall, noWish } from './media-request.ts'

test('nothing is sent before its inputs are there', () => {
  for (const kind of ['image', 'speech', 'embeddings', 'rerank', 'video', 'transcription'] as const) {
    expect(mediaCall(kind, 'a/b', noWish)).toBeUndefined()
  }
})

test('a file is sent as its base64 and its format', () => {
  const wish = { ...noWish, file: { uri: 'data:audio/wav;base64,UklGRg==', format: 'wav' } }
  expect(JSON.parse(mediaCall('transcription', 'a/b', wish)?.body ?? '')).toEqual({
    model: 'a/b',
    input_audio: { data: 'UklGRg==', format: 'wav' },
  })
})

test('each line of a text becomes a vector of its own', () => {
  expect(mediaCall('embeddings', 'a/b', { ...noWish, text: 'one\n\ntwo\n' })).toMatchObject({
    path: '/v1/embeddings',
    body: '{"model":"a/b","input":["one","two"]}',
  })
})

test('each line of a text is a document, and a ranking needs a query too', () => {
  const documents = { ...noWish, text: 'one\n\ntwo\n' }
  expect(mediaCall('rerank', 'a/b', documents)).toBeUndefined()
  expect(mediaCall('rerank', 'a/b', { ...noWish, query: 'one' })).toBeUndefined()
  expect(mediaCall('rerank', 'a/b', { ...documents, query: ' one ' })).toMatchObject({
    path: '/v1/rerank',
    body: '{"model":"a/b","query":"one","documents":["one","two"],"return_documents":true}',
  })
})
