import assert from 'node:assert/strict'
import { HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { claude, claudeTurn, geminiModel, lastSentToClaude, pricedModel, weatherSchema } from './surroundings.mjs'

const text = 'Hello there my friend'
const weather = {
  type: 'function',
  function: { name: 'get_weather', description: 'The weather in a city', parameters: weatherSchema },
}

/** Whether Claude gets its signed thought back in the second turn. */
export function thoughtReturnsCase(chat) {
  return async () => {
    await claudeTurns((messages) => streamed(tooled(chat, claude.model), messages))
    const [thinking] = claudeTurn(await lastSentToClaude())
    assert.equal(thinking.thinking, claude.thought)
    assert.equal(thinking.signature, claude.signature)
  }
}

/** The cases for every LangChain interface. `chat` creates a model from an id. */
export function langchainCases(chat) {
  return {
    invoke: async () => {
      const answer = await chat('test/echo').invoke([new SystemMessage('Be brief.'), new HumanMessage(text)])
      assert.equal(answer.text, text)
      assert.equal(answer.usage_metadata.output_tokens, 4)
    },

    'invoke at a price': async () => {
      const answer = await chat(pricedModel).invoke(text)
      assert.equal(answer.text, text)
      assert.ok(answer.usage_metadata.input_tokens > 0)
    },

    stream: async () => {
      const answer = await streamed(chat('test/echo'), text)
      assert.equal(answer.text, text)
      assert.equal(answer.usage_metadata.output_tokens, 4)
    },

    'a stream from Gemini': async () => {
      assert.equal((await streamed(chat(geminiModel), text)).text, 'Hello')
    },

    'a round trip with a tool': () => roundTrip((messages) => tooled(chat).invoke(messages)),
    'a round trip with a tool, streamed': () => roundTrip((messages) => streamed(tooled(chat), messages)),

    'two turns with Claude': () => claudeTurns((messages) => tooled(chat, claude.model).invoke(messages)),
    'two turns with Claude, streamed': () =>
      claudeTurns((messages) => streamed(tooled(chat, claude.model), messages)),

    'an upstream that limits: 429': async () => {
      const error = await chat('test/error-429')
        .invoke(text)
        .catch((reason) => reason)
      assert.equal(error.status, 429)
    },

    'an error in the middle of a stream': async () => {
      const error = await streamed(chat('test/stream-error'), text).catch((reason) => reason)
      assert.ok(error instanceof Error, 'it went well')
    },
  }
}

function tooled(chat, model = 'test/tools') {
  return chat(model).bindTools([weather])
}

async function streamed(model, input) {
  let whole
  for await (const chunk of await model.stream(input)) whole = whole === undefined ? chunk : whole.concat(chunk)
  return whole
}

async function roundTrip(call) {
  const question = new HumanMessage(text)
  const first = await call([question])
  assert.deepEqual(
    first.tool_calls.map(({ name, args }) => [name, args]),
    [['get_weather', { city: 'city' }]],
  )
  const second = await call([question, first, resultOf(first)])
  assert.ok(second.text.length > 0)
}

async function claudeTurns(call) {
  const question = new HumanMessage(text)
  const first = await call([question])
  assert.deepEqual(first.tool_calls[0].args, { city: 'Oslo' })
  await call([question, first, resultOf(first)])
  assert.equal(claudeTurn(await lastSentToClaude()).at(-1).id, claude.callId)
}

function resultOf(message) {
  return new ToolMessage({ content: 'sunny', tool_call_id: message.tool_calls[0].id })
}
