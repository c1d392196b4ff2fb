import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import { createUpstreamClient, type UpstreamClient } from '#net/upstream-client.ts'
import { signingRegionOf, signRequest } from '#net/sign-request.ts'
import { plainCall as call } from '#test/samples/plain-call.ts'
import { amazonBedrock } from '#providers/vendors/amazon-bedrock/index.ts'
import { bedrockAnswers } from '#test/simulators/protocols/bedrock/bedrock-answers.ts'
import { bedrockDocument } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { bedrockRefusal } from '#test/simulators/protocols/bedrock/bedrock-refusal.ts'
import { bedrockStream } from '#test/simulators/protocols/bedrock/bedrock-stream.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'
import { bedrockProtocol } from './bedrock-protocol.ts'

const model = 'anthropic.claude-sonnet-4-5-20250929-v1:0'
const timeouts = { headersTimeoutMs: 10_000, bodyTimeoutMs: 10_000, connectTimeoutMs: 10_000 }

let simulator: Simulator
let client: UpstreamClient

beforeAll(async () => {
  simulator = await startSimulator()
  client = createUpstreamClient({ connectTimeoutMs: 10_000, connectionsMax: 2 })
})

afterAll(async () => {
  await client.close()
  await simulator.close()
})

describe('an exchange with a simulated Bedrock', () => {
  it('reads a stream that arrives byte by byte, for a signed request', async () => {
    simulator.playNext(bedrockStream({ ...bedrockAnswers.text, wire: { split: 'every-byte' } }))
    const { status, contentType, bytes } = await exchange(true)
    expect(status).toBe(200)
    expect(bedrockProtocol.isStream(contentType)).toBe(true)
    const reader = bedrockProtocol.createStreamReader(amazonBedrock)
    const parts: StreamPart[] = bytes.flatMap((piece) => reader.push(piece))
    expect(parts.map((part) => (part.kind === 'text-added' ? part.text : part.kind))).toEqual([
      'Hel',
      'lo',
      ' wörld',
      'finished',
      'usage-counted',
      'ended',
    ])
    const received = simulator.requests.at(-1)
    expect(received?.headers.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-west-1\/bedrock\//)
    expect(received?.headers.host).toBe(new URL(simulator.url).host)
  })

  it('reads a document', async () => {
    simulator.playNext(bedrockDocument(bedrockAnswers.parallelTools))
    const { contentType, bytes } = await exchange(false)
    expect(bedrockProtocol.isStream(contentType)).toBe(false)
    const document = bedrockProtocol.readDocument(Buffer.concat(bytes), amazonBedrock)
    expect(document).toMatchObject({ ok: true, reply: { choices: [{ finishReason: 'tool_calls' }] } })
  })

  it('reads a refusal before the stream', async () => {
    const throttled = { status: 429, type: 'ThrottlingException', message: 'Too many requests', retryAfterS: 2 }
    simulator.playNext(bedrockRefusal(throttled))
    const { status, headers, bytes } = await exchange(true)
    const refusal = bedrockProtocol.readFailure(status, headers, Buffer.concat(bytes).toString())
    expect(refusal).toMatchObject({ action: 'retry', errorName: 'upstreamRateLimited', retryAfterMs: 2_000 })
  })
})

interface Exchange {
  status: number
  headers: Readonly<Record<string, string | string[] | undefined>>
  contentType: string
  bytes: Buffer[]
}

async function exchange(stream: boolean): Promise<Exchange> {
  const credential = 'AKID:secret,region=eu-west-1'
  const target = {
    vendor: amazonBedrock,
    baseUrl: simulator.url,
    credential,
    upstreamModel: model,
    openAiFamily: false,
  }
  const built = bedrockProtocol.buildRequest({ ...call, stream }, target)
  const region = signingRegionOf(built.origin, credential)
  const options = { service: 'bedrock', region, nowMs: Date.now() }
  const { origin, path, headers, body } = built
  const signed = await signRequest({ origin, path, headers, body, ...timeouts }, credential, options)
  const result: Exchange = { status: 0, headers: {}, contentType: '', bytes: [] }
  return new Promise((resolve, reject) => {
    client.open(signed, {
      headers(status, received) {
        Object.assign(result, { status, headers: received, contentType: String(received['content-type']) })
      },
      data: (bytes) => result.bytes.push(bytes),
      end: () => resolve(result),
      failed: (failure) => reject(new Error(failure.message)),
    })
  })
}
