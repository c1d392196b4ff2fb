import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCommandLine } from '#bin/command-line/run-command-line.ts'
import { importModels } from '#test/money/import-models.ts'
import { createSampleDatabase } from '#test/setup/database.ts'
import { redisPrefixOf, testRedisUrl } from '#test/setup/redis.ts'
import { anthropicAnswers } from '#test/simulators/protocols/anthropic/anthropic-answers.ts'
import { anthropicDocument } from '#test/simulators/protocols/anthropic/anthropic-document.ts'
import {
  type MediaAnswer,
  type MediaCall,
  type MediaUpstream,
  startMediaUpstream,
} from '#test/simulators/start-media-upstream.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

const canary = 'sk-live-canary-7f3a9b2c4d5e'
/** A canary that looks like ordinary words. */
const plainCanary = 'correct-horse-battery'
const pricing = { prompt: '0.000001', completion: '0.000004' }
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe('weir provider check', () => {
  let database: Awaited<ReturnType<typeof createSampleDatabase>>
  let host: MediaUpstream
  let strict: Simulator
  let claude: Simulator

  beforeAll(async () => {
    database = await createSampleDatabase()
    host = await startMediaUpstream(answer)
    strict = await startSimulator({ strict: 'groq' })
    claude = await startSimulator({ strict: 'anthropic', scenario: anthropicDocument(anthropicAnswers.text) })
    Object.assign(process.env, {
      WEIR_SECRET: 'kR7vQ2mZx9LwT4bNc8HdPf3JsGy6UaEe',
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefixOf(database.url),
      VENDOR_KEY: canary,
      PLAIN_KEY: plainCanary,
    })
    await importModels(database.pool, [
      { id: 'acme/talker', provider: 'openai', pricing },
      { id: 'acme/thinker', provider: 'nebius', pricing, reasons: true, callsTools: true },
      { id: 'acme/claude-opus-4-7', provider: 'anthropic', pricing, reasons: true, callsTools: true },
    ])
    for (const [vendor, url] of [
      ['openai', `${host.url}/v1`],
      ['groq', `${host.url}/v1`],
      ['nebius', `${strict.url}/v1`],
      ['anthropic', claude.url],
    ]) {
      expect((await weir(`provider add ${vendor} --base-url ${url} --key-env VENDOR_KEY`)).code).toBe(0)
    }
  })
  afterAll(async () => {
    await Promise.all([host.close(), strict.close(), claude.close()])
    await database.drop()
  })

  it('shows what it would send, and sends nothing', async () => {
    const { code, out } = await weir('provider check openai')
    expect(code).toBe(0)
    expect(host.calls).toHaveLength(0)
    for (const capability of ['document', 'stream', 'tools', 'sampling', 'thinking', 'embedding', 'image', 'speech']) {
      expect(out).toMatch(new RegExp(`^# ${capability}: `, 'm'))
    }
    expect(out).not.toMatch(/^# video/m)
    expect(out).toContain(`curl -X POST ${host.url}/v1/chat/completions`)
    expect(out).toContain('-H "authorization: Bearer $WEIR_PROVIDER_KEY"')
    expect(out).toContain('"messages":[{"role":"user","content":"Say hi."}]')
    expect(out).toContain('# Nothing was sent. Use --live to send these requests.')
    expect(out).not.toContain(canary)
  })

  it('asks for the smallest of everything, and says what was accepted', async () => {
    const { code, out } = await weir('provider check openai --live')
    expect(out).not.toMatch(/rejected|failed/)
    expect(code).toBe(0)
    expect((await weir('provider check groq --live --capability transcription')).out).toMatch(
      /^transcription .*accepted/m,
    )
    expect(host.calls.map(({ path }) => path)).toEqual([
      // The second turn and the cache take two requests each.
      ...Array.from({ length: 9 }, () => '/v1/chat/completions'),
      '/v1/embeddings',
      '/v1/images/generations',
      '/v1/audio/speech',
      '/v1/audio/transcriptions',
    ])
    expect(host.calls.every(({ headers }) => headers.authorization === `Bearer ${canary}`)).toBe(true)
    expect(host.calls.map(({ json }) => json.stream).filter((stream) => stream === true)).toHaveLength(1)
  })

  it('says what a call cost, by the catalogue and by the provider', async () => {
    const { code, out } = await weir('provider check openai --live --model acme/talker --capability document --json')
    expect(code).toBe(0)
    expect(JSON.parse(out)).toEqual({
      total: '0.000018',
      results: [
        {
          capability: 'document',
          model: 'talker',
          kind: 'accepted',
          cost: '0.000018',
          stated: '0.00002',
          difference: '+0.000002',
        },
      ],
    })
    const table = (await weir('provider check openai --live --model talker --capability document')).out
    expect(table).toMatch(/^document +talker +accepted +0\.000018 +0\.00002 +\+0\.000002$/m)
    expect(table).toContain('total 0.000018 USD at catalogue prices')
  })

  it('suggests the override that ends a refusal, and the override ends it', async () => {
    const check = 'provider check nebius --live --model acme/thinker --capability thinking --capability tools'
    const before = await weir(check)
    expect(before.code).toBe(1)
    expect(before.out).toMatch(/^tools +thinker +accepted/m)
    expect(before.out).toMatch(/^thinking +thinker +rejected \(400\) .*property 'reasoning' is unsupported/m)
    const [command = ''] = /^weir provider override .*$/m.exec(before.out) ?? []
    expect(command).toBe('weir provider override nebius --model thinker --leave-out reasoning')
    expect(before.out).toContain('# thinking, as sent:')
    expect((await weir(command.replace('weir ', ''))).code).toBe(0)
    const after = await weir(check)
    expect(after.out).toMatch(/^thinking +thinker +accepted/m)
    expect(after.code).toBe(0)
  })

  it('speaks to a strict host of Claude as a gateway does', async () => {
    const capabilities = '--capability document --capability tools --capability thinking'
    const { code, out } = await weir(`provider check anthropic --live --model acme/claude-opus-4-7 ${capabilities}`)
    expect(out).not.toMatch(/rejected|failed/)
    expect(code).toBe(0)
    expect(claude.requests.map(({ path }) => path)).toEqual(['/v1/messages', '/v1/messages', '/v1/messages'])
  })

  it('shows no secrets, even where the provider repeats them', async () => {
    await weir(`provider add openai --name plain --base-url ${host.url}/v1 --key-env PLAIN_KEY`)
    host.play(({ headers, path }) => ({
      status: path.endsWith('completions') ? 400 : 401,
      body: {
        error: {
          message: `Unknown parameter: 'max_tokens' for ${headers.authorization?.slice(7)}, or ${canary} in base64 ${Buffer.from(canary).toString('base64')}`,
          headers,
        },
      },
    }))
    const outputs = [
      await weir('provider check openai --live'),
      await weir('provider check openai --live --json'),
      await weir('provider check openai --json'),
      await weir('provider check plain --live'),
      await weir('provider check plain --live --json'),
    ]
    host.play(answer)
    expect(outputs.map(({ code }) => code)).toEqual([1, 1, 0, 1, 1])
    expect(outputs[0]?.out).toContain('rejected (401)')
    expect(outputs[3]?.out).toMatch(/rejected \(400\) +Unknown parameter: 'max_tokens' for \[redacted\]/)
    const text = JSON.stringify(outputs).toLowerCase()
    expect(text).not.toContain(canary)
    expect(text).not.toContain(canary.slice(8))
    expect(text).not.toContain(plainCanary)
    expect(text).not.toContain(Buffer.from(canary).toString('base64').toLowerCase())
  })

  it('says that nobody answers', async () => {
    const gone = await startSimulator()
    await gone.close()
    await weir(`provider add openai --name gone --base-url ${gone.url}/v1 --key-env VENDOR_KEY`)
    const { code, out } = await weir('provider check gone --live --capability document')
    expect(code).toBe(1)
    expect(out).toMatch(/^document +\S+ +failed/m)
  })

  it('makes one tiny call to each account, and charges no wallet', async () => {
    const before = host.calls.length
    const { code, out } = await weir('provider test openai nebius')
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/^openai +\S+ +answered +\d+$/m) })
    expect(out).toMatch(/^nebius +thinker +answered +\d+$/m)
    expect(host.calls.slice(before).map(({ path }) => path)).toEqual(['/v1/chat/completions'])
    const { rows } = await database.pool.query('SELECT 1 FROM generations UNION ALL SELECT 1 FROM ledger_transfers')
    expect(rows).toEqual([])
  })

  it('says what a provider said, and exits with 1 where one account of all fails', async () => {
    host.play(() => ({ status: 401, body: { error: { message: `Incorrect API key provided: ${canary}` } } }))
    const { code, out } = await weir('provider test')
    host.play(answer)
    expect(code).toBe(1)
    expect(out).toMatch(/^openai +\S+ +rejected \(401\) +\d+ +Incorrect API key provided: \[redacted\]$/m)
    expect(out).toMatch(/^gone +\S+ +failed +\d+ +\S/m)
    expect(out).toMatch(/^anthropic +\S+ +answered/m)
    expect(out).not.toContain(canary)
    const results: unknown = JSON.parse((await weir('provider test gone --json')).out)
    expect(results).toMatchObject([{ account: 'gone', status: 'failed', ok: false }])
  })

  it.each([
    ['provider test nobody', 1, 'Provider account nobody not found.'],
    ['provider check nobody', 1, 'Provider account nobody not found.'],
    ['provider check openai --capability flying', 2, '--capability must be one of document, stream'],
    ['provider check openai --model acme/thinker', 1, 'have nothing to call at openai'],
  ])('says what is wrong with %s', async (line, code, words) => {
    expect(await weir(line)).toMatchObject({ code, error: expect.stringContaining(words) })
  })

  it('leaves a disabled account alone', async () => {
    await weir('provider disable gone')
    expect((await weir('provider check gone --live')).error).toContain('gone is disabled')
    expect((await weir('provider test gone')).error).toContain('gone is disabled')
  })
})

/** A provider that speaks OpenAI's protocol, and reports its cost. */
function answer({ path, json }: MediaCall): MediaAnswer {
  const usage = { prompt_tokens: 10, completion_tokens: 2, total_tokens: 12, cost: 0.00002 }
  const message = { role: 'assistant', content: 'Hi' }
  switch (path) {
    case '/v1/chat/completions': {
      if (json.stream !== true) return { body: { choices: [{ index: 0, message, finish_reason: 'stop' }], usage } }
      const chunks = [
        { choices: [{ index: 0, delta: message }] },
        { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], usage },
      ]
      const frames = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((text) => `data: ${text}\n\n`)
      return { headers: { 'content-type': 'text/event-stream' }, body: frames.join('') }
    }
    case '/v1/embeddings':
      return { body: { data: [{ index: 0, embedding: [0.1, 0.2] }], usage: { prompt_tokens: 1, total_tokens: 1 } } }
    case '/v1/images/generations':
      return { body: { data: [{ b64_json: png }], usage: { input_tokens: 3, output_tokens: 9 } } }
    case '/v1/audio/speech':
      return { headers: { 'content-type': 'audio/mpeg' }, body: Buffer.from('mp3') }
    case '/v1/audio/transcriptions':
      return { body: { text: '', duration: 1, usage: { type: 'duration', seconds: 1 } } }
    default:
      return { status: 404, body: { error: { message: `no ${path} here` } } }
  }
}

async function weir(line: string) {
  let out = ''
  let error = ''
  const code = await runCommandLine(line.split(' ').filter(Boolean), {
    out: (text) => void (out += `${text}\n`),
    error: (text) => void (error += `${text}\n`),
    readInput: async () => '',
  })
  return { code, out, error }
}
