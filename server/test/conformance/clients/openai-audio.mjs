import assert from 'node:assert/strict'
import OpenAI, { BadRequestError, toFile } from 'openai'
import { reportCases } from './report-cases.mjs'
import { baseURL, failureOf, hearingModel, key, pricedModel, readGeneration, speechModel } from './surroundings.mjs'

const weir = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })
const text = 'Hello there. How are you?'
const spoken = { model: speechModel, input: 'Hello', voice: 'alloy' }
const recording = () => toFile(Buffer.from('RIFF....WAVE'), 'hello.wav')

await reportCases({
  'speech.create': async () => {
    const response = await weir.audio.speech.create({ ...spoken, response_format: 'mp3', speed: 1.25 })
    const bytes = Buffer.from(await response.arrayBuffer())
    assert.equal(response.headers.get('content-type'), 'audio/mpeg')
    assert.equal(bytes.length, 5_000)
    assert.equal(bytes.toString('latin1', 0, 3), 'ID3')
    assert.equal((await readGeneration(response.headers.get('x-generation-id'))).total_cost, 0.00008)
  },

  'speech.create, read as a stream': async () => {
    const response = await weir.audio.speech.create(spoken)
    let length = 0
    for await (const bytes of response.body) length += bytes.length
    assert.equal(length, 5_000)
  },

  'speech.create with a chat model: 400': async () => {
    const error = await failureOf(() => weir.audio.speech.create({ ...spoken, model: pricedModel }))
    assert.ok(error instanceof BadRequestError, `${error}`)
    assert.equal(error.code, 'model_endpoint_mismatch')
  },

  'transcriptions.create': async () => {
    const answer = await weir.audio.transcriptions.create({ model: hearingModel, file: await recording() })
    assert.equal(answer.text, text)
    assert.deepEqual(answer.usage, { type: 'duration', seconds: 9, cost: 0.00027 })
  },

  'transcriptions.create, verbose with words': async () => {
    const answer = await weir.audio.transcriptions.create({
      model: hearingModel,
      file: await recording(),
      response_format: 'verbose_json',
      timestamp_granularities: ['word', 'segment'],
      language: 'en',
      temperature: 0.2,
    })
    assert.equal(answer.language, 'english')
    assert.equal(answer.segments.length, 2)
    assert.deepEqual(answer.words[0], { word: 'Hello', start: 0, end: 0.5 })
  },

  'transcriptions.create, subtitles': async () => {
    const ask = { model: hearingModel, response_format: 'srt' }
    const answer = await weir.audio.transcriptions.create({ ...ask, file: await recording() })
    assert.match(answer, /^1\n00:00:00,000 --> 00:00:02,500\nHello there\.\n\n2\n/)
  },
})
