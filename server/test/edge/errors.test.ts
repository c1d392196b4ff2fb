import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { type ChatWorld, startChatWorld } from '#test/chat/chat-world.ts'
import { faults } from '#test/simulators/scenarios/faults.ts'
import { exchangeRaw } from './raw-exchange.ts'

describe('error answers', () => {
  let world: ChatWorld
  beforeAll(async () => {
    world = await startChatWorld({ WEIR_BREAKER_FAILURES: '1000' })
  })
  afterAll(() => world.close())

  async function fetchError(method: string, path: string, init: { key?: string; body?: string; type?: string } = {}) {
    const headers = init.type === undefined ? {} : { 'content-type': init.type }
    const response = await world.gateway.as(init.key).send(method, path, init.body, { headers })
    expect(response.headers.get('content-type')).toMatch(/^application\/json/)
    return { status: response.status, error: expectEnvelope(response.text) }
  }

  it('[ERR-01] [ERR-02] are the envelope, with the status as code where there is no better one', async () => {
    const { key } = await world.caller()
    const json = 'application/json'
    const cases = [
      [400, await fetchError('POST', '/v1/chat/completions', { key, type: json, body: '{' })],
      [400, await fetchError('GET', '/v1/models/%E0%A4%A')],
      [401, await fetchError('GET', '/v1/key')],
      [401, await fetchError('POST', '/v1/chat/completions')],
      [404, await fetchError('GET', '/v1/nothing')],
      [404, await fetchError('GET', '/v1/chat/completions')],
      [404, await fetchError('DELETE', '/v1/key')],
      [404, await fetchError('PROPFIND', '/v1/models')],
      [404, await fetchError('GET', `/v1/models/${'x'.repeat(2_000)}`)],
      [413, await fetchError('POST', '/v1/chat/completions', { key, type: json, body: 'x'.repeat(11_000_000) })],
      [415, await fetchError('POST', '/v1/chat/completions', { key, type: 'text/plain', body: '{}' })],
    ] as const
    for (const [status, answer] of cases) expect(answer).toMatchObject({ status, error: { code: status } })
  })

  it.each([
    ['POST', '/chat/completions', '/v1/chat/completions'],
    ['POST', '/v1/v1/messages', '/v1/messages'],
    ['POST', '/api/v1/v1/responses', '/v1/responses'],
    ['GET', '/models', '/v1/models'],
  ])('[D10] name the path that %s %s meant', async (method, path, meant) => {
    const { status, error } = await fetchError(method, `${path}?stream=true`)
    expect(status).toBe(404)
    expect(error).toMatchObject({ message: `No route for ${method} ${path}. Did you mean ${meant}?` })
  })

  it('[D10] name no path where none is meant', async () => {
    const { error } = await fetchError('GET', '/chat/completions')
    expect(error).toMatchObject({ message: 'No route for GET /chat/completions.' })
  })

  it('[ERR-01] are the envelope where the upstream is at fault, quoting no page of it', async () => {
    const { key } = await world.caller()
    for (const fault of [
      faults.serverError(),
      faults.htmlError(),
      faults.rateLimited(),
      faults.insufficientQuota(),
      faults.emptyBody('application/json'),
      faults.errorObjectWith200(),
      faults.shortBody(),
      faults.resetBeforeHeaders(),
      faults.garbage(),
    ]) {
      world.openai.play(fault)
      const body = JSON.stringify({ model: 'openai/gpt-5.2', messages: [{ role: 'user', content: 'Hi' }] })
      const { status, error } = await fetchError('POST', '/v1/chat/completions', {
        key,
        type: 'application/json',
        body,
      })
      expect(status).toBeGreaterThanOrEqual(429)
      expect(error.message).not.toMatch(/<|127\.0\.0\.1|upstream-secret/)
    }
    world.openai.play({ kind: 'echo' })
  })

  it.each([
    ['what is no HTTP', 'hello\r\n\r\n', 400],
    ['a header without a name', 'GET /v1/models HTTP/1.1\r\nhost: x\r\n: value\r\n\r\n', 400],
    ['a head without end', `GET /v1/models HTTP/1.1\r\nhost: x\r\nx-a: ${'a'.repeat(40_000)}\r\n\r\n`, 431],
  ])('[ERR-01] are the envelope for %s', async (_name, bytes, status) => {
    const { answers } = await exchangeRaw(world.gateway.url, bytes)
    expect(answers).toHaveLength(1)
    expect(answers[0]?.status).toBe(status)
    expectEnvelope(answers[0]?.body ?? '')
  })

  it.each(['/v1/nothing', '/v1/chat', '/v1/', '/v1', '/api/v1/nothing', '/v1/generation/extra', '/v1/models/a/b/c/d'])(
    '[ERR-05] an unknown path is 404: %s',
    async (path) => {
      expect(await fetchError('GET', path)).toMatchObject({ status: 404, error: { code: 404 } })
      expect((await fetchError('POST', path, { type: 'application/json', body: '{}' })).status).toBe(404)
    },
  )

  it('[ERR-05] an unknown resource is 404', async () => {
    const { key } = await world.caller()
    const id = 'gen-00000000000000000000000000000000'
    expect(await fetchError('GET', `/v1/generation?id=${id}`, { key })).toMatchObject({
      status: 404,
      error: { code: 404 },
    })
  })

  it.each(['nothing', 'openai-gpt-0', 'openai/gpt-0', "'; DROP TABLE models; --", 'constructor', '__proto__'])(
    '[ERR-11] an unknown model is 404 by model_not_found: %s',
    async (slug) => {
      const answer = await fetchError('GET', `/v1/models/${encodeURIComponent(slug)}`)
      expect(answer).toMatchObject({ status: 404, error: { code: 'model_not_found' } })
    },
  )
})

function expectEnvelope(text: string): JsonObject {
  const body: unknown = JSON.parse(text)
  if (!isJsonObject(body) || !isJsonObject(body.error)) throw new Error(`no envelope: ${text}`)
  expect(Object.keys(body)).toEqual(['error'])
  const { message, code, type, ...rest } = body.error
  expect(rest).toEqual({})
  expect(message).toEqual(expect.stringMatching(/\S/))
  expect(typeof code === 'string' || Number.isInteger(code), text).toBe(true)
  expect(['string', 'undefined']).toContain(typeof type)
  return body.error
}
