import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { objectAt } from '#lib/json.ts'
import type { Reply } from '#test/setup/reply.ts'
import { type MediaWorld, startMediaWorld } from '#test/media/media-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { silence } from '#test/simulators/media/audio/audio-bytes.ts'
import { openAiAudioUpstream, refusal } from '#test/simulators/media/audio/openai-audio.ts'
import { whisper } from './audio-models.ts'
import { recordingForm } from './recording-form.ts'

const path = '/v1/audio/transcriptions'
const model = 'openai/whisper-1'
const data = silence(0.1).toString('base64')

describe('POST /v1/audio/transcriptions refuses', () => {
  let world: MediaWorld
  let caller: TestClient
  beforeAll(async () => {
    world = await startMediaWorld({ vendor: 'openai', path: '/v1' }, openAiAudioUpstream)
    await world.addModels([whisper])
    caller = await world.createClient()
  })
  afterAll(() => world.close())
  beforeEach(() => {
    world.upstream.play(openAiAudioUpstream)
    world.upstream.calls.length = 0
  })

  it('[AUDIO-02] a form without a model', async () => {
    const reply = await world.post(caller, path, recordingForm({}))
    expect([reply.status, codeOf(reply)]).toEqual([400, 'missing_required_field'])
  })

  it('[AUDIO-02] a form without a file', async () => {
    const form = new FormData()
    form.append('model', model)
    const reply = await world.post(caller, path, form)
    expect([reply.status, codeOf(reply)]).toEqual([400, 'missing_required_field'])
  })

  it.each([
    ['no model', { input_audio: { data, format: 'wav' } }, 'missing_required_field'],
    ['no audio', { model }, 'missing_required_field'],
    ['audio that is a text', { model, input_audio: data }, 400],
    ['audio without a format', { model, input_audio: { data } }, 400],
    ['audio with a hostile format', { model, input_audio: { data, format: '../../a' } }, 400],
    ['audio that is empty', { model, input_audio: { data: '', format: 'wav' } }, 400],
    ['audio that is no base64', { model, input_audio: { data: 'a b', format: 'wav' } }, 400],
    ['a data URI', { model, input_audio: { data: `data:audio/wav;base64,${data}`, format: 'wav' } }, 400],
  ])('[AUDIO-02] JSON with %s', async (_, body, code) => {
    const reply = await world.post(caller, path, body)
    expect([reply.status, codeOf(reply)]).toEqual([400, code])
    expect(world.upstream.calls).toEqual([])
  })

  it.each([
    [{ response_format: 'diarized_json' }, 'unsupported_response_format'],
    [{ response_format: '' }, 'unsupported_response_format'],
    [{ stream: 'true' }, 'unsupported_param'],
    [{ temperature: 'warm' }, 400],
    [{ temperature: '-1' }, 400],
    [{ 'timestamp_granularities[]': 'letter' }, 400],
    [{ model: 'test/echo' }, 'model_endpoint_mismatch'],
    [{ model: 'openai/nothing' }, 'unknown_model'],
  ])('%j', async (fields, code) => {
    const reply = await world.post(caller, path, recordingForm({ model, ...fields }))
    expect([reply.status, codeOf(reply)]).toEqual([400, code])
    expect(world.upstream.calls).toEqual([])
  })

  it('two files, an empty one, and one in another field', async () => {
    const two = recordingForm({ model })
    two.append('file', new Blob(['RIFF']), 'b.wav')
    const elsewhere = new FormData()
    elsewhere.append('model', model)
    elsewhere.append('audio', new Blob(['RIFF']), 'b.wav')
    const replies = [
      await world.post(caller, path, two),
      await world.post(caller, path, recordingForm({ model }, { bytes: Buffer.alloc(0) })),
      await world.post(caller, path, elsewhere),
    ]
    expect(replies.map(({ status }) => status)).toEqual([400, 400, 400])
  })

  it('more than 10 MB', async () => {
    const bytes = Buffer.alloc(10 * 1_024 * 1_024 + 1)
    expect((await world.post(caller, path, recordingForm({ model }, { bytes }))).status).toBe(413)
    expect(world.upstream.calls).toEqual([])
  })

  it('what its upstream refuses, in the words about the request, and charges nothing', async () => {
    world.upstream.play(() => refusal(400, 'invalid_value', 'The audio file could not be decoded.'))
    const reply = await world.post(caller, path, recordingForm({ model }))
    expect(reply.status).toBe(400)
    expect(objectAt(reply.json, 'error')['message']).toBe('The audio file could not be decoded.')
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0', held: '0' })
  })

  it.each([
    ['words in place of JSON', { body: 'Hello there.' }],
    ['JSON without a text', { body: { words: [] } }],
    ['a failure inside an answer with status 200', { body: { error: { message: 'no', code: 500 } } }],
  ])('an upstream that sends %s with 502, and charges nothing', async (_, answer) => {
    world.upstream.play(() => answer)
    const reply = await world.post(caller, path, recordingForm({ model }))
    expect([reply.status, codeOf(reply)]).toEqual([502, 'upstream_unavailable'])
    expect(await world.walletOf(caller.walletId)).toMatchObject({ charged: '0', held: '0' })
  })
})

function codeOf({ json }: Reply): unknown {
  return objectAt(json, 'error')['code']
}
