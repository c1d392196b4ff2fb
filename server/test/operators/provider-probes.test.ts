import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type PriceList, parseUnitPrices } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { createAuthorizeRequest } from '#net/authorize-request.ts'
import { createUpstreamClient, type UpstreamClient } from '#net/upstream-client.ts'
import { isSigned } from '#test/simulators/aws-signature.ts'
import { type VideoHostName, videoHosts } from '#test/simulators/media/videos/hosts.ts'
import { startVideoUpstream } from '#test/simulators/media/videos/start-video-upstream.ts'
import { bedrockBody } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { type ProbeDeps, runProbe } from '#jobs/provider-check/run-probe.ts'

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const timeouts = { connectTimeoutMs: 5_000, firstByteTimeoutMs: 5_000, answerTimeoutMs: 5_000, idleTimeoutMs: 5_000 }

describe('a probe over the network', () => {
  let upstreams: UpstreamClient
  let bedrock: MediaUpstream
  let waits: number[]
  beforeAll(async () => {
    upstreams = createUpstreamClient({ connectTimeoutMs: 5_000, connectionsMax: 1 })
    bedrock = await startMediaUpstream((call) =>
      isSigned(call, secret) ? { body: answer } : { status: 403, body: { message: 'The signature does not match.' } },
    )
  })
  afterAll(async () => {
    await Promise.all([upstreams.close(), bedrock.close()])
  })

  const deps = (): ProbeDeps => {
    waits = []
    const authorize = createAuthorizeRequest({
      upstreams,
      googleTokenUrl: 'http://127.0.0.1:9/token',
      nowMs: Date.now,
      onError: () => {},
    })
    return { upstreams, authorize, timeouts, wait: async (ms) => void waits.push(ms) }
  }

  it('signs a call to Bedrock as a gateway does, and says what it cost', async () => {
    const candidate = candidateOf('amazon-bedrock', {
      baseUrl: bedrock.url,
      credential: `AKIAEXAMPLE:${secret},region=us-east-1`,
      upstreamModel: 'acme.nova-one-v1:0',
    })
    expect(await runProbe({ capability: 'document', candidate }, deps())).toEqual({
      kind: 'accepted',
      cost: 120_000n,
      stated: null,
      note: '',
    })
    const wrong = { ...candidate, account: { ...candidate.account, credential: 'AKIAEXAMPLE:other,region=us-east-1' } }
    expect(await runProbe({ capability: 'document', candidate: wrong }, deps())).toMatchObject({
      kind: 'refused',
      status: 403,
    })
  })

  it.each<[VideoHostName, string]>([
    ['luma-dream-machine', 'ray-2'],
    ['runway', 'gen4.5'],
    ['fal', 'fal-ai/veo3'],
    ['omni', 'gemini-omni-1.1-flash'],
  ])('orders a video of %s and asks until it is made', async (host, upstreamModel) => {
    const upstream = await startVideoUpstream(host, { key: 'video-key' })
    const { vendor } = videoHosts[host]
    const candidate = candidateOf(vendor, { baseUrl: upstream.baseUrl, credential: 'video-key', upstreamModel })
    const film: Candidate = { ...candidate, model: { ...candidate.model, kind: 'video', outputModalities: ['video'] } }
    const verdict = await runProbe({ capability: 'video', candidate: { ...film, price: perSecond } }, deps())
    expect(
      verdict,
      JSON.stringify(verdict, (_, value) => (typeof value === 'bigint' ? `${value}` : value)),
    ).toMatchObject({
      kind: 'accepted',
    })
    expect([(await upstream.orders()).length, waits.length > 0]).toEqual([1, true])
    await upstream.close()
  })
})

const answer = bedrockBody({
  blocks: [{ kind: 'text', pieces: ['Hi'] }],
  usage: { inputTokens: 100, outputTokens: 10 },
})
const perSecond: PriceList = { id: 'seconds', base: parseUnitPrices({ per_second_output: '0.1' }), tiers: [] }

function candidateOf(
  vendor: string,
  { baseUrl, credential, upstreamModel }: { baseUrl: string; credential: string; upstreamModel: string },
): Candidate {
  const [first] = testTicket().plan.candidates
  assert(first !== undefined, 'the ticket has a candidate')
  return { ...first, upstreamModel, account: { ...first.account, vendor, baseUrl, credential } }
}
