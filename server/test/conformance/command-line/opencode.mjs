import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reportCases } from '../clients/report-cases.mjs'
import {
  baseURL,
  claudeTurn,
  emptyKey,
  geminiModel,
  key,
  lastSentToClaude,
  pricedModel,
  talkingClaude,
} from '../clients/surroundings.mjs'
import { home, jsonLines, runCommand } from './run-command.mjs'
import { homeWithShownLines } from './shown-lines.mjs'

const text = 'Hello there my friend'
const caseTimeoutMs = 90_000
const folder = join(home, '.config', 'opencode')

await mkdir(folder, { recursive: true })
await writeFile(
  join(folder, 'opencode.json'),
  JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    provider: {
      chat: providerOf('@ai-sdk/openai-compatible', key),
      messages: providerOf('@ai-sdk/anthropic', key),
      'chat-empty': providerOf('@ai-sdk/openai-compatible', emptyKey),
    },
  }),
)

await reportCases(
  {
    'works with the lines of docs/tools.md': async () => {
      const shown = { HOME: await homeWithShownLines('opencode.json', '.config/opencode/opencode.json'), WEIR_KEY: key }
      const { code, said } = await run('weir', 'test/echo', text, [], shown)
      assert.equal(code, 0)
      assert.deepEqual(said, [`"${text}"`])
    },

    ...casesOf('chat'),
    ...casesOf('messages'),

    'messages: returns the signed thought of Claude in its second turn': async () => {
      await run('messages', talkingClaude.model, text)
      const { said } = await run('messages', talkingClaude.model, 'And then?', ['--continue'])
      assert.deepEqual(said, ['Hello'])
      const [thinking] = claudeTurn(await lastSentToClaude(talkingClaude))
      assert.equal(thinking.thinking, talkingClaude.thought)
      assert.equal(thinking.signature, talkingClaude.signature)
    },

    'chat: tells of no credits': async () => {
      const { code, events } = await run('chat-empty', pricedModel, text)
      assert.equal(code, 1)
      const { error } = events.at(-1)
      assert.equal(error.data.statusCode, 402)
      assert.equal(error.data.isRetryable, false)
    },
  },
  caseTimeoutMs,
)

function casesOf(provider) {
  return {
    // opencode puts the prompt in quotes.
    [`${provider}: says what a model at a price says`]: async () => {
      const { code, said, events } = await run(provider, pricedModel, text)
      assert.equal(code, 0)
      assert.deepEqual(said, [`"${text}"`])
      assert.equal(events.at(-1).part.reason, 'stop')
      assert.ok(events.at(-1).part.tokens.output > 0)
    },

    [`${provider}: says what Gemini says`]: async () => {
      const { said } = await run(provider, geminiModel, text)
      assert.deepEqual(said, ['Hello'])
    },

    [`${provider}: uses a tool and goes on`]: async () => {
      const { said, events } = await run(provider, 'test/echo', 'Hello #tool=read there')
      assert.equal(events.filter(({ type }) => type === 'tool_use').length, 1)
      assert.deepEqual(said, ['"Hello there"'])
    },
  }
}

async function run(provider, model, prompt, options = [], more = {}) {
  const args = ['run', '--format', 'json', '--model', `${provider}/${model}`, ...options, prompt]
  const environment = { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_AUTOUPDATE: '1', ...more }
  const { code, stdout } = await runCommand('opencode-linux-x64/bin/opencode', args, environment)
  const events = jsonLines(stdout)
  return { code, events, said: events.flatMap(({ type, part }) => (type === 'text' ? part.text : [])) }
}

function providerOf(npm, apiKey) {
  const names = ['test/echo', pricedModel, geminiModel, talkingClaude.model]
  const terms = { tool_call: true, reasoning: true, limit: { context: 200_000, output: 4_000 } }
  const models = Object.fromEntries(names.map((name) => [name, { name, ...terms }]))
  return { npm, name: 'Weir', options: { baseURL, apiKey }, models }
}
