import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parseUsd, nanoUsd } from '#domain/money/nano-usd.ts'
import { citedClauses } from './cited-clauses.ts'
import { chatClient } from './clients/chat-client.ts'
import type { Client, Heard } from './clients/client.ts'
import { clients } from './clients/clients.ts'
import { type Feature, features, sampleSchema, sampleTokens, sampleTools } from './features.ts'
import { impossibleCells } from './impossible-cells.ts'
import { type MatrixWorld, startMatrixWorld } from './matrix-world.ts'
import type { Upstream } from './upstreams/upstream.ts'
import { upstreams } from './upstreams/upstreams.ts'

interface Cell {
  upstream: Upstream
  client: Client
  feature: Feature
  stream: boolean
}

const cells: readonly Cell[] = upstreams.flatMap((upstream) =>
  clients.flatMap((client) =>
    features.flatMap((feature) => [false, true].map((stream) => ({ upstream, client, feature, stream }))),
  ),
)

function isImpossible({ upstream, client, feature, stream }: Cell): boolean {
  return impossibleCells.some(
    (cell) =>
      cell.protocol === upstream.protocol &&
      cell.dialect === client.dialect &&
      cell.feature === feature &&
      cell.stream === stream,
  )
}

describe('the matrix of dialects, protocols and features', () => {
  it('has 300 cells, all of which are proved but those that a protocol can not have', () => {
    expect(cells).toHaveLength(300)
    expect(impossibleCells.length).toBeLessThanOrEqual(20)
    expect(cells.filter(isImpossible)).toHaveLength(impossibleCells.length)
    for (const { reason } of impossibleCells) expect(reason).toMatch(/\.$/)
  })
})

describe.each(upstreams)('upstreams that speak $protocol', (upstream) => {
  let world: MatrixWorld
  let charged = 0n
  beforeAll(async () => {
    world = await startMatrixWorld(upstream)
  })
  afterAll(() => world.close())
  beforeEach(() => world.simulator.forget())

  async function ask({ client, feature, stream }: Cell): Promise<Heard> {
    world.simulator.play(upstream.play(feature, stream))
    const tools = feature === 'parallel tool calls' ? sampleTools : []
    const body = { ...client.ask(feature, tools), model: upstream.modelFor(feature), stream }
    // The Accept header never decides whether the response is a stream.
    const accept = stream ? 'application/json' : 'text/event-stream'
    const answer = await world.post(client, body, { accept })
    const isRefused = feature === 'mid-stream error' && !stream
    expect({ status: answer.status, isStream: answer.isStream }, answer.text).toEqual({
      status: isRefused ? 502 : 200,
      isStream: stream,
    })
    const heard = client.hear(answer)
    if (heard.usage !== null) charged += parseUsd(String(heard.usage.cost))
    return heard
  }

  const here = cells.filter((cell) => cell.upstream === upstream && !isImpossible(cell))
  for (const cell of here) {
    const { client, feature, stream } = cell
    const clauses = citedClauses(client.dialect, feature, stream)
    it(`${clauses} ${feature} reaches a ${client.dialect} client ${stream ? 'as a stream' : 'whole'}`, async () => {
      const heard = await ask(cell)
      if (feature === 'mid-stream error') return expectError(cell, heard)
      expectAnswer(cell, heard)
      const body = world.bodySeen()
      if (feature === 'parallel tool calls') expect(upstream.toolsIn(body)).toEqual(sampleTools)
      if (feature === 'image input') expect(upstream.imagesIn(body)).toEqual([upstream.imageForm])
      if (feature === 'structured output') expect(upstream.schemaIn(body)).toEqual(sampleSchema)
    })
  }

  it.each(clients)('[STREAM-06] a $dialect client that leaves takes the upstream request with it', async (client) => {
    const { steps, ...rest } = upstream.play('text', true)
    const begun = steps.slice(0, -3)
    world.simulator.play({ ...rest, steps: [...begun, { do: 'stall' }] })
    const leaving = new AbortController()
    const body = { ...client.ask('text', []), model: upstream.modelFor('text'), stream: true }
    const response = await world.open(client, body, leaving.signal)
    await response.body?.getReader().read()
    leaving.abort()
    await world.simulator.waitForAbort(0)
  })

  it.each([false, true])(
    '[REASON-03] shows no thinking to who wants none, yet counts it (streamed: %s)',
    async (stream) => {
      const feature = 'reasoning with signature'
      world.simulator.play(upstream.play(feature, stream))
      const asked = chatClient.ask(feature, [])
      const body = {
        ...asked,
        model: upstream.modelFor(feature),
        stream,
        reasoning: { max_tokens: 1_024, exclude: true },
      }
      const answer = await world.post(chatClient, body)
      expect(answer.text).not.toMatch(/think|東|reasoning_details/)
      const heard = chatClient.hear(answer)
      charged += parseUsd(String(heard.usage?.cost))
      expect(heard.text).toBe('Hello')
      expectUsage(upstream, feature, heard)
    },
  )

  it('[P9] the wallet is charged exactly what the answers said', async () => {
    await expect
      .poll(async () => parseUsd((await world.gateway.walletOf(world.caller.walletId)).charged))
      .toBe(nanoUsd(charged))
  })
})

function expectAnswer({ upstream, client, feature }: Cell, heard: Heard): void {
  const said = upstream.said(feature)
  expect(heard.error).toBeNull()
  expect(heard.finish).toBe(client.finishWord(said))
  expect(heard.reasoning).toBe(said.reasoning ?? '')
  expect(heard.calls).toEqual(said.calls ?? [])
  if (said.refusal === undefined) expect(heard.text).toBe(said.text ?? '')
  else expect(heard.refusal).toBe(said.refusal)
  if (said.signature === undefined) expect(heard.seals).toEqual([])
  else expect(heard.seals.some((seal) => carries(seal, said.signature ?? ''))).toBe(true)
  expectUsage(upstream, feature, heard)
}

function expectUsage(upstream: Upstream, feature: Feature, { usage }: Heard): void {
  const cost = upstream.costUsd(feature)
  // There is no output, and no count of cached tokens.
  const isBlocked = upstream.protocol === 'gemini' && feature === 'refusal'
  const { prompt: input, cached, completion: output, reasoning } = sampleTokens
  if (isBlocked) expect(usage).toEqual({ input, cached: 0, output: 0, reasoning: 0, cost })
  else expect(usage).toEqual({ input, cached, output, reasoning: upstream.countsReasoning ? reasoning : 0, cost })
}

function expectError({ upstream, client, feature, stream }: Cell, { error, text, usage }: Heard): void {
  expect(usage).toBeNull()
  expect(text).toBe(stream ? upstream.said(feature).text : '')
  expect(error?.message).toMatch(/Nothing was charged\.$/)
  switch (client.dialect) {
    case 'chat':
      expect(error).toMatchObject({ type: 'upstream_error', code: 'upstream_unavailable' })
      return
    case 'responses':
      expect(error?.code).toBe(stream ? 'server_is_overloaded' : 'upstream_unavailable')
      return
    case 'messages':
      expect(error?.type).toBe('api_error')
      return
  }
}

/** Whether a signature is present verbatim, or in an envelope that only the gateway opens. */
function carries(seal: string, signature: string): boolean {
  if (seal === signature) return true
  const inside = Buffer.from(seal.slice(seal.indexOf(':') + 1), 'base64').toString('utf8')
  return seal.startsWith('weir.') && inside.includes(JSON.stringify(signature))
}
