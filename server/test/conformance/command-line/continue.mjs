import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { reportCases } from '../clients/report-cases.mjs'
import { baseURL, emptyKey, geminiModel, key, pricedModel } from '../clients/surroundings.mjs'
import { home, runCommand } from './run-command.mjs'
import { homeWithShownLines } from './shown-lines.mjs'

const text = 'Hello there my friend'
const caseTimeoutMs = 60_000
const quiet = { CONTINUE_TELEMETRY_ENABLED: '0' }

await reportCases(
  {
    'works with the lines of docs/tools.md': async () => {
      const shown = { HOME: await homeWithShownLines('continue.yaml', '.continue/config.yaml') }
      const { code, stdout, stderr } = await runCommand('.bin/cn', ['-p', '--format', 'json', text], { ...quiet, ...shown })
      assert.equal(code, 0, stderr)
      assert.equal(JSON.parse(stdout).response, text)
    },

    'says what the model says': async () => {
      const { code, answer } = await ask('test/echo', text)
      assert.equal(code, 0)
      assert.equal(answer.response, text)
    },

    'says what a model at a price says': async () => {
      const { answer } = await ask(pricedModel, text)
      assert.equal(answer.response, text)
    },

    'says what Gemini says': async () => {
      const { answer } = await ask(geminiModel, text)
      assert.equal(answer.response, 'Hello')
    },

    'reads past reasoning': async () => {
      const { answer } = await ask('test/reasoning', text)
      assert.match(answer.response, /^Water finds its own level/)
    },

    'uses a tool and goes on': async () => {
      const { answer } = await ask('test/echo', 'Hello #tool=Read there')
      assert.equal(answer.response, 'Hello there')
    },

    'tells of no credits': async () => {
      const { code, problem } = await ask(pricedModel, text, emptyKey)
      assert.equal(code, 1)
      assert.match(problem, /402 Insufficient credits/)
    },

    'tells of an error in the middle of a stream': async () => {
      const { code, problem } = await ask('test/stream-error', text)
      assert.equal(code, 1)
      assert.match(problem, /Nothing was charged/)
    },
  },
  caseTimeoutMs,
)

async function ask(model, prompt, apiKey = key) {
  const file = join(home, 'config.yaml')
  await writeFile(
    file,
    `name: Weir
version: 1.0.0
schema: v1
models:
  - name: weir
    provider: openrouter
    model: ${model}
    apiBase: ${baseURL}
    apiKey: ${apiKey}
    roles: [chat]
`,
  )
  const args = ['-p', '--format', 'json', '--config', file, prompt]
  const { code, stdout, stderr } = await runCommand('.bin/cn', args, quiet)
  return { code, answer: stdout === '' ? null : JSON.parse(stdout), problem: stderr }
}
