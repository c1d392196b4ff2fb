import assert from 'node:assert/strict'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, isStepCount, jsonSchema, streamText, tool } from 'ai'
import { reportCases } from './report-cases.mjs'
import {
  baseURL,
  claude,
  claudeTurn,
  key,
  lastSentToClaude,
  pricedModel,
  talkingClaude,
  weatherSchema,
} from './surroundings.mjs'

/** The requests of the SDK, unchanged. */
const sent = []
const weir = createOpenAI({
  baseURL,
  apiKey: key,
  fetch: (address, init) => {
    sent.push(JSON.parse(init.body))
    return fetch(address, init)
  },
})
// By default the provider assumes that responses are stored, and references their items by id.
const user = (content) => ({ role: 'user', content })
const first = user('Hello there my friend')

async function generate(settings) {
  const { text, response } = await generateText({ maxRetries: 0, ...settings })
  return { text, messages: response.messages }
}

async function stream(settings) {
  const result = streamText({ maxRetries: 0, ...settings })
  let text = ''
  for await (const delta of result.textStream) text += delta
  return { text, messages: (await result.response).messages }
}

/** Runs two turns of one conversation; returns the second turn's text and its references. */
async function twoTurns(ask, id, settings = {}) {
  const { messages } = await ask({ ...settings, model: weir(id), messages: [first] })
  const { text } = await ask({ ...settings, model: weir(id), messages: [first, ...messages, user('Once more')] })
  const { input } = sent.at(-1)
  return { text, references: input.filter(({ type }) => type === 'item_reference').map((item) => item.id.split('_')[0]) }
}

const weather = tool({
  description: 'The weather in a city',
  inputSchema: jsonSchema(weatherSchema),
  execute: async () => 'sunny',
})
const loop = { tools: { get_weather: weather }, stopWhen: isStepCount(2) }

function casesOf(way, ask) {
  return {
    [`two turns with a model that does not think, ${way}`]: async () => {
      for (const id of ['test/echo', pricedModel]) {
        assert.deepEqual(await twoTurns(ask, id), { text: 'Once more', references: ['msg'] })
      }
    },
    [`two turns with a model that thinks, ${way}`]: async () => {
      const { text, references } = await twoTurns(ask, 'test/reasoning')
      assert.ok(text.length > 0)
      assert.deepEqual(references, ['rs', 'msg'])
    },
    [`two turns with Claude, who gets the signed thought back, ${way}`]: async () => {
      const { text, references } = await twoTurns(ask, talkingClaude.model)
      assert.equal(text, 'Hello')
      assert.deepEqual(references, ['rs', 'msg'])
      const [thinking, said] = claudeTurn(await lastSentToClaude(talkingClaude))
      const { thought, signature } = talkingClaude
      assert.deepEqual(thinking, { type: 'thinking', thinking: thought, signature })
      assert.equal(said.text, 'Hello')
    },
    [`a loop of two steps with Claude, ${way}`]: async () => {
      await ask({ ...loop, model: weir(claude.model), messages: [first] })
      const [thinking, call] = claudeTurn(await lastSentToClaude(claude))
      assert.deepEqual(thinking, { type: 'thinking', thinking: claude.thought, signature: claude.signature })
      assert.equal(call.id, claude.callId)
    },
  }
}

await reportCases({ ...casesOf('whole', generate), ...casesOf('streamed', stream) })
