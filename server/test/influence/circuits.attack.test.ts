import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { bedrockRefusal } from '#test/simulators/protocols/bedrock/bedrock-refusal.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { jsonAnswer } from '#test/simulators/scenarios/json-answer.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

let gateway: TestGateway
let upstream: Simulator
beforeAll(async () => {
  gateway = await startTestGateway({ WEIR_BREAKER_FAILURES: '3', WEIR_BREAKER_OPEN_MS: '600000' })
  upstream = await startSimulator()
})
afterAll(async () => {
  await gateway.close()
  await upstream.close()
})

let accounts = 0
const model = 'openai/gpt-5.2'
beforeEach(async () => {
  await gateway.pool.query('UPDATE provider_accounts SET enabled = false')
  accounts += 1
  upstream.play({ kind: 'echo' })
  upstream.forget()
})

const says = (message: string, rest: object = {}): object => ({ error: { message, ...rest } })
const tooBig = says('Request too large for model', { type: 'tokens', code: 'rate_limit_exceeded' })
const openAi = (status: number, body: object, headers: Record<string, string> = {}): [string, Scenario] => [
  'openai',
  jsonAnswer(status, body as Parameters<typeof jsonAnswer>[1], headers),
]

/** Upstream faults that one client's request can cause. */
const faults: [string, string, Scenario][] = [
  ['repeats words about a key', ...openAi(400, says("Invalid value: 'invalid api key'. Supported: 'low'."))],
  ['says of a key and nothing else', ...openAi(400, says('Invalid API key'))],
  ['repeats words about money', ...openAi(429, says("Rejected: 'you have insufficient credits'"))],
  ['finds it too big for a minute', ...openAi(413, tooBig, { 'retry-after': '60' })],
  ['fails', ...openAi(500, says('The server had an error while processing your request.'))],
  ['is overloaded by it', ...openAi(503, says('Overloaded.'))],
  ['does not find a file', ...openAi(404, says('No such file: file-1'))],
  ['may not read a file', ...openAi(403, says('You have no permission to read it.', { code: 'permission_denied' }))],
  ['breaks off', 'openai', { kind: 'steps', steps: [{ do: 'reset' }] }],
  ['answers nonsense', 'openai', { kind: 'steps', steps: [...nonsense()] }],
  [
    'repeats words about a model',
    'amazon-bedrock',
    bedrockRefusal({ status: 400, type: 'ValidationException', message: "Value 'access to the model' is not valid" }),
  ],
  [
    'repeats words about credit',
    'anthropic',
    jsonAnswer(400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: "metadata: 'credit balance is too low' is not an id" },
    }),
  ],
  [
    'repeats words about its key',
    'google-ai-studio',
    jsonAnswer(400, { error: { code: 400, message: "'API key not valid' is no schema", status: 'INVALID_ARGUMENT' } }),
  ],
]

function nonsense() {
  return [
    { do: 'head', status: 200, headers: { 'content-type': 'application/json' } },
    { do: 'write', text: '{"choices":' },
    { do: 'end' },
  ] as const
}

it.each(faults)('C13: an upstream that %s for one tenant is asked for another', async (_what, vendor, scenario) => {
  const name = `account-${accounts}`
  await gateway.addProvider({ vendor, name, url: `${upstream.url}/v1`, pattern: model })
  const [attacker, victim] = [await gateway.createClient(), await gateway.createClient()]
  upstream.play({ kind: 'by-mark', marks: { 'hostile-text': scenario } })
  const ask = (caller: typeof attacker, content: string) =>
    gateway.as(caller.key).post('/v1/chat/completions', {
      model,
      messages: [{ role: 'user', content }],
      max_tokens: 5,
    })
  for (let count = 0; count < 6; count++) {
    expect((await ask(attacker, `hostile-text ${count}`)).status).toBeGreaterThanOrEqual(400)
  }
  upstream.forget()
  await ask(victim, 'Hi')
  expect(upstream.requests.some(({ rawBody }) => rawBody.includes('"Hi"'))).toBe(true)
})

it('C13: words of a client in a rejected request are no refused key', async () => {
  await gateway.addProvider({
    vendor: 'openai',
    name: `account-${accounts}`,
    url: `${upstream.url}/v1`,
    pattern: model,
  })
  upstream.play(jsonAnswer(400, { error: { message: "Invalid value: 'invalid api key'." } }))
  const reply = await gateway
    .as((await gateway.createClient()).key)
    .post('/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Hi' }], max_tokens: 5 })
  expect(reply.status).toBe(400)
  expect(reply.text).toContain('invalid api key')
})
