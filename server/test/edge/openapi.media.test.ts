import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { gptTranscribe, whisper } from '#test/media/audio/audio-models.ts'
import { recordingForm } from '#test/media/audio/recording-form.ts'
import { formOf } from '#test/media/images/images-world.ts'
import { type MediaWorld, startMediaWorld } from '#test/media/media-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { openAiAudioUpstream } from '#test/simulators/media/audio/openai-audio.ts'
import { DocumentedAnswers } from './documented-answers.ts'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('an answer of a media endpoint has only fields that the document declares', () => {
  let world: MediaWorld
  let caller: TestClient
  let documented: DocumentedAnswers
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, openAiAudioUpstream)
    await world.addModels([whisper, gptTranscribe])
    caller = await world.createClient()
    documented = new DocumentedAnswers((await world.as().get('/openapi.json')).json)
  })
  afterAll(() => world.close())

  async function expectDeclared(path: string, body: JsonObject | FormData, status = 200): Promise<void> {
    const answer = await world.post(caller, path, body)
    expect(answer.status, answer.text).toBe(status)
    documented.expectDeclared('POST', path, answer)
  }

  it.each([false, true])('images (streamed: %s)', async (stream) => {
    await expectDeclared('/v1/images/generations', { model: 'test/image', prompt: 'a weir', n: 2, stream })
  })

  it('images made of others', async () => {
    await expectDeclared('/v1/images/edits', formOf({ model: 'test/image', prompt: 'a weir' }, [png]))
  })

  it.each(['float', 'base64'])('embeddings as %s', async (encoding_format) => {
    await expectDeclared('/v1/embeddings', { model: 'test/embedding', input: ['a', 'b'], encoding_format })
  })

  it.each([true, false])('rankings (with documents: %s)', async (return_documents) => {
    const documents = ['a weir', { text: 'a mill' }]
    await expectDeclared('/v1/rerank', { model: 'test/rerank', query: 'a mill', documents, return_documents })
  })

  it('moderations and translations', async () => {
    await expectDeclared('/v1/moderations', { model: 'test/moderation', input: ['a weir', 'violence'] })
    const fields = { model: 'test/transcription', response_format: 'verbose_json', prompt: 'said' }
    await expectDeclared('/v1/audio/translations', recordingForm(fields))
  })

  it.each([
    ['openai/whisper-1', 'json'],
    ['openai/whisper-1', 'verbose_json'],
    ['openai/gpt-4o-transcribe', 'json'],
    ['test/transcription', 'json'],
  ])('transcriptions of %s as %s', async (model, response_format) => {
    const granularities = response_format === 'json' ? [] : ['word', 'segment']
    const fields = { model, response_format, prompt: 'said', 'timestamp_granularities[]': granularities }
    await expectDeclared('/v1/audio/transcriptions', recordingForm(fields))
  })

  it('videos, as they are taken in and as they are shown', async () => {
    const submitted = await world.post(caller, '/v1/videos', { model: 'test/video', prompt: 'a weir' })
    expect(submitted.status, submitted.text).toBe(202)
    documented.expectDeclared('POST', '/v1/videos', submitted)
    const shown = await world.as(caller).get(`/v1/videos/${String(submitted.json.id)}`)
    expect(shown.status).toBe(200)
    documented.expectDeclared('GET', '/v1/videos/{jobId}', shown)
  })

  it('estimates of tokens', async () => {
    await expectDeclared('/v1/messages/count_tokens', {
      model: 'test/echo',
      messages: [{ role: 'user', content: 'Hello' }],
    })
  })

  it.each([
    ['/v1/audio/speech', { model: 'test/speech' }],
    ['/v1/images/generations', { model: 'test/image' }],
    ['/v1/embeddings', { model: 'test/embedding' }],
    ['/v1/rerank', { model: 'test/rerank' }],
    ['/v1/moderations', { model: 'test/moderation' }],
    ['/v1/videos', { model: 'test/video' }],
    ['/v1/messages/count_tokens', { model: 'test/echo' }],
  ])('refusals of %s', async (path, body) => {
    await expectDeclared(path, body, 400)
  })
})
