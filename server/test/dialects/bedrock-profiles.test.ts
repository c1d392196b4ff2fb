import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addModels } from '#test/setup/add-models.ts'
import { startTestGateway, type TestGateway } from '#test/setup/gateway.ts'
import { isSigned } from '#test/simulators/aws-signature.ts'
import { bedrockBody } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'

const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const arn = 'arn:aws:bedrock:us-east-1:123456789012:application-inference-profile/k7x2'
const offers = [
  {
    provider: 'amazon-bedrock',
    upstream_model_id: 'acme.nova-one-v1:0',
    pricing: { prompt: '0.000001', completion: '0.000002' },
  },
  {
    provider: 'amazon-bedrock',
    upstream_model_id: 'eu.acme.nova-one-v1:0',
    pricing: { prompt: '0.000003', completion: '0.000004' },
  },
]

describe('a model of Bedrock', () => {
  let gateway: TestGateway
  let upstream: MediaUpstream

  beforeAll(async () => {
    upstream = await startMediaUpstream((call) =>
      isSigned(call, secret)
        ? {
            body: bedrockBody({
              blocks: [{ kind: 'text', pieces: ['Hello'] }],
              usage: { inputTokens: 100, outputTokens: 10 },
            }),
          }
        : {
            status: 403,
            body: { message: 'The request signature we calculated does not match the signature you provided.' },
          },
    )
    gateway = await startTestGateway()
    const names = ['plain', 'area', 'own-profile', 'named-profile']
    await addModels(
      gateway,
      names.map((name) => ({
        id: `acme/${name}`,
        kind: 'chat',
        input_modalities: ['text'],
        output_modalities: ['text'],
        provider: 'amazon-bedrock',
        upstream_model_id: 'acme.nova-one-v1:0',
        pricing: offers[0]?.pricing ?? {},
        offers,
      })),
    )
    const credential = `AKIAEXAMPLE:${secret},region=us-east-1`
    const add = (name: string, terms: { variant?: string; upstreamModel?: string }) =>
      gateway.addProvider({
        vendor: 'amazon-bedrock',
        url: upstream.url,
        pattern: `acme/${name}`,
        name,
        credential,
        ...terms,
      })
    await add('plain', {})
    await add('area', { variant: 'eu' })
    await add('own-profile', { upstreamModel: arn })
    await add('named-profile', { upstreamModel: 'us.acme.nova-one-v1:0' })
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
  })

  it.each([
    ['plain', 'acme.nova-one-v1:0', 0.00012],
    ['area', 'eu.acme.nova-one-v1:0', 0.00034],
    // A profile that the operator names costs the same as the model.
    ['own-profile', arn, 0.00012],
    ['named-profile', 'us.acme.nova-one-v1:0', 0.00012],
  ])('is called by its %s name, signed, and charged at the price of its offer', async (name, upstreamModel, cost) => {
    const { key } = await gateway.createClient()
    const body = { model: `acme/${name}`, messages: [{ role: 'user', content: 'Hi' }] }
    const reply = await gateway.as(key).post('/v1/chat/completions', body)
    expect(reply.status, reply.text).toBe(200)
    expect(upstream.calls.at(-1)?.path).toBe(`/model/${encodeURIComponent(upstreamModel)}/converse`)
    expect(reply.json).toMatchObject({ usage: { cost } })
  })
})
