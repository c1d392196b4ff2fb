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
const caseTimeoutMs = 60_000
const options = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox']

await mkdir(join(home, '.codex'))
await writeFile(
  join(home, '.codex', 'config.toml'),
  `model_provider = "weir"
[model_providers.weir]
name = "Weir"
base_url = "${baseURL}"
env_key = "WEIR_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[mcp_servers.mill]
command = ${JSON.stringify(process.execPath)}
args = [${JSON.stringify(join(import.meta.dirname, 'mcp-server.mjs'))}]
`,
)

await reportCases(
  {
    'works with the lines of docs/tools.md': async () => {
      const shown = { HOME: await homeWithShownLines('codex.toml', '.codex/config.toml'), WEIR_KEY: key }
      const { code, stdout } = await runCommand('.bin/codex', ['exec', ...options, text], shown)
      assert.equal(code, 0)
      assert.deepEqual(textsOf(jsonLines(stdout), 'agent_message'), [text])
    },

    'says what the model says': async () => {
      const { code, events } = await exec('test/echo', [text])
      assert.equal(code, 0)
      assert.deepEqual(textsOf(events, 'agent_message'), [text])
      assert.equal(events.at(-1).type, 'turn.completed')
      assert.equal(events.at(-1).usage.output_tokens, 4)
    },

    'says what a model at a price says': async () => {
      const { events } = await exec(pricedModel, [text])
      assert.deepEqual(textsOf(events, 'agent_message'), [text])
    },

    'says what Gemini says': async () => {
      const { events } = await exec(geminiModel, [text])
      assert.deepEqual(textsOf(events, 'agent_message'), ['Hello'])
    },

    'shows reasoning': async () => {
      const { events } = await exec('test/reasoning', [text])
      assert.equal(textsOf(events, 'reasoning').length, 1)
      assert.ok(events.at(-1).usage.reasoning_output_tokens > 0)
    },

    'runs a command and goes on': async () => {
      const { events } = await exec('test/echo', ['Hello #tool=exec_command there'])
      const commands = events.filter(({ type, item }) => type === 'item.completed' && item.type === 'command_execution')
      assert.equal(commands.length, 1)
      assert.deepEqual(textsOf(events, 'agent_message'), ['Hello there'])
    },

    "calls a tool of an MCP server, and sends its result": async () => {
      const { events } = await exec('test/echo', ['Hello #tool=mcp__mill__read_gauge there'])
      const calls = events.filter(({ type, item }) => type === 'item.completed' && item.type === 'mcp_tool_call')
      assert.deepEqual(
        calls.map(({ item }) => item.result.content[0].text),
        ['4.2 m at gauge'],
      )
      assert.deepEqual(textsOf(events, 'agent_message'), ['Hello there'])
    },

    'returns the signed thought of Claude in its second turn': async () => {
      await exec(talkingClaude.model, [text])
      const { events } = await exec(talkingClaude.model, ['resume', '--last', 'And then?'])
      assert.deepEqual(textsOf(events, 'agent_message'), ['Hello'])
      const [thinking] = claudeTurn(await lastSentToClaude(talkingClaude))
      const { thought, signature } = talkingClaude
      assert.deepEqual(thinking, { type: 'thinking', thinking: thought, signature })
    },

    'tells of no credits': async () => {
      const { code, events } = await exec(pricedModel, [text], emptyKey)
      assert.equal(code, 1)
      assert.equal(events.at(-1).type, 'turn.failed')
      assert.match(events.at(-1).error.message, /402.*credits/i)
    },

    'tells of an error in the middle of a stream': async () => {
      const { code, events } = await exec('test/stream-error', [text])
      assert.equal(code, 1)
      assert.match(events.at(-1).error.message, /at capacity/)
    },
  },
  caseTimeoutMs,
)

async function exec(model, words, apiKey = key) {
  const args = ['exec', ...options, '--model', model, ...words]
  const { code, stdout } = await runCommand('.bin/codex', args, { WEIR_KEY: apiKey })
  return { code, events: jsonLines(stdout) }
}

function textsOf(events, type) {
  return events.flatMap((event) => (event.type === 'item.completed' && event.item.type === type ? event.item.text : []))
}
