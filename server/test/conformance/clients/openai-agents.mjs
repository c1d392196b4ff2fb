import assert from 'node:assert/strict'
import { Agent, OpenAIResponsesModel, run, setDefaultOpenAIClient, tool } from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'
import { reportCases } from './report-cases.mjs'
import {
  baseURL,
  claude,
  claudeTurn,
  emptyKey,
  key,
  lastSentToClaude,
  pricedModel,
  talkingClaude,
} from './surroundings.mjs'

// Everything else is the SDK's default: Responses, its retries, its tracing.
setDefaultOpenAIClient(new OpenAI({ baseURL, apiKey: key }))

const text = 'Hello there my friend'
const user = (content) => ({ role: 'user', content })
const weather = tool({
  name: 'get_weather',
  description: 'The weather in a city',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
})

await reportCases({
  'two turns of an agent': async () => {
    for (const model of ['test/echo', pricedModel]) {
      const agent = agentFor(model)
      const first = await run(agent, text)
      assert.equal(first.finalOutput, text)
      const second = await run(agent, [...first.history, user('Once more')])
      assert.equal(second.finalOutput, 'Once more')
      assert.ok(second.state.usage.totalTokens > 0)
    }
  },

  'two turns, streamed': async () => {
    const agent = agentFor('test/reasoning')
    const first = await run(agent, text, { stream: true })
    const said = []
    for await (const event of first) if (event.type === 'raw_model_stream_event') said.push(event.data.type)
    await first.completed
    assert.ok(said.includes('output_text_delta'))
    const second = await run(agent, [...first.history, user('Once more')], { stream: true })
    await second.completed
    assert.ok(second.finalOutput.length > 0)
  },

  'a tool is called, and its result returns': async () => {
    const agent = new Agent({ name: 'weather', model: claude.model, tools: [weather] })
    // This model always calls the tool, so the loop ends at its limit.
    await assert.rejects(run(agent, text, { maxTurns: 2 }), { name: 'MaxTurnsExceededError' })
    const [thinking, call] = claudeTurn(await lastSentToClaude(claude))
    assert.deepEqual(thinking, { type: 'thinking', thinking: claude.thought, signature: claude.signature })
    assert.equal(call.id, claude.callId)
  },

  'two turns with Claude, who gets the signed thought back': async () => {
    const agent = agentFor(talkingClaude.model)
    const first = await run(agent, text)
    await run(agent, [...first.history, user('And then?')])
    const [thinking] = claudeTurn(await lastSentToClaude(talkingClaude))
    const { thought, signature } = talkingClaude
    assert.deepEqual(thinking, { type: 'thinking', thinking: thought, signature })
  },

  'no credit': async () => {
    const client = new OpenAI({ baseURL, apiKey: emptyKey })
    const agent = new Agent({ name: 'poor', model: new OpenAIResponsesModel(client, pricedModel) })
    await assert.rejects(run(agent, text), { status: 402, code: 'insufficient_credits' })
  },
})

function agentFor(model) {
  return new Agent({ name: 'helper', instructions: 'Be brief.', model })
}
