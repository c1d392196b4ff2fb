import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '#lib/json.ts'
import { importModels } from '#test/money/import-models.ts'
import { playFal } from '#test/simulators/media/images/fal.ts'
import { bedrockAnswers } from '#test/simulators/protocols/bedrock/bedrock-answers.ts'
import { bedrockDocument } from '#test/simulators/protocols/bedrock/bedrock-document.ts'
import { geminiDocument } from '#test/simulators/protocols/gemini/gemini-document.ts'
import { type MediaUpstream, startMediaUpstream } from '#test/simulators/start-media-upstream.ts'
import { type ByokHome, byokPath, type ByokWorld, ownSecret, startByokWorld } from './byok-world.ts'

function serviceAccount(bits: number): JsonObject {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: bits })
  return {
    type: 'service_account',
    client_email: 'mill@p.iam.gserviceaccount.com',
    private_key_id: 'key-1',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    // Must not decide where the signed request for a token goes.
    token_uri: 'http://127.0.0.1:1/token',
  }
}

describe('own keys of providers that the gateway knows', () => {
  let world: ByokWorld
  let tokens: MediaUpstream
  let home: ByokHome
  beforeAll(async () => {
    tokens = await startMediaUpstream(() => ({ body: { access_token: 'ya29.theirs', expires_in: 3_600 } }))
    world = await startByokWorld({ WEIR_UPSTREAM_GOOGLE_TOKEN_URL: `${tokens.url}/token` })
  })
  afterAll(async () => {
    await world.close()
    await tokens.close()
  })
  beforeEach(async () => {
    home = await world.newByokHome()
    world.own.forget()
    world.platform.forget()
    world.own.play({ kind: 'echo' })
  })

  const gpt = [{ model: 'openai/gpt-5.2', upstreamModel: 'our-deployment' }]

  /** Adds a key with a provider at the second upstream. */
  function add(provider: string, fields: JsonObject & { path?: string } = {}) {
    const { path = '', ...body } = fields
    return home.manager.post(byokPath, {
      name: 'Ours',
      provider,
      baseUrl: world.own.url + path,
      apiKey: ownSecret,
      fallbackMode: 'strict',
      modelMappings: gpt,
      ...body,
    })
  }

  it('[NEXT-245] are called as the provider wants it: Azure with its header', async () => {
    const made = await add('azure', { path: '/openai/v1' })
    expect(made.status, made.text).toBe(201)
    expect(made.data).toMatchObject({ provider: 'azure', protocol: null, baseUrl: `${world.own.url}/openai/v1` })
    expect(world.own.requests).toEqual([])
    expect((await home.chat()).status).toBe(200)
    const [seen] = world.own.requests
    expect(seen).toMatchObject({ path: '/openai/v1/chat/completions', body: { model: 'our-deployment' } })
    expect(seen?.headers['api-key']).toBe(ownSecret)
    expect(seen?.headers).not.toHaveProperty('authorization')
    expect(world.platform.requests).toEqual([])
  })

  it('[NEXT-245] are called as the provider wants it: Bedrock with a signed request', async () => {
    world.own.play(bedrockDocument(bedrockAnswers.text))
    expect((await add('amazon-bedrock', { apiKey: 'AKIAEXAMPLE:a/secret+key,region=eu-central-1' })).status).toBe(201)
    expect((await home.chat()).status).toBe(200)
    const [seen] = world.own.requests
    expect(seen?.path).toBe('/model/our-deployment/converse')
    expect(seen?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-central-1\/bedrock\/aws4_request,/,
    )
  })

  it('[NEXT-245] are called as the provider wants it: Gemini with its own protocol', async () => {
    world.own.play(geminiDocument({ kind: 'text', pieces: ['Hello'] }))
    expect((await add('google-ai-studio', { path: '/v1beta' })).status).toBe(201)
    expect((await home.chat()).status).toBe(200)
    const [seen] = world.own.requests
    expect(seen?.path).toBe('/v1beta/models/our-deployment:generateContent')
    expect(seen?.headers['x-goog-api-key']).toBe(ownSecret)
  })

  it("[NEXT-246] a service account's file becomes a token of Google's own server, and is never shown", async () => {
    world.own.play(geminiDocument({ kind: 'text', pieces: ['Hello'] }))
    const file = serviceAccount(2_048)
    const made = await add('google-vertex', {
      path: '/v1/projects/p/locations/global',
      apiKey: JSON.stringify(file, null, 2),
      modelMappings: [{ model: 'openai/gpt-5.2', upstreamModel: 'gemini-2.5-pro' }],
    })
    expect(made.status, made.text).toBe(201)
    expect(made.data['keyMask']).toBe('mill@p.iam.gserviceaccount.com')
    expect(made.text).not.toContain('PRIVATE KEY')
    expect((await home.chat()).status).toBe(200)
    expect(world.own.requests[0]?.headers.authorization).toBe('Bearer ya29.theirs')
    expect(tokens.calls).toHaveLength(1)
  })

  it.each<[string, string, JsonObject]>([
    ['an unknown provider', 'nobody', {}],
    ['a provider and a protocol', 'azure', { protocol: 'openai' }],
    ['no address of a provider that has none', 'azure', { baseUrl: null }],
    ['an address inside', 'azure', { baseUrl: 'https://169.254.169.254/openai' }],
    ['a file that is not JSON', 'google-vertex', { apiKey: '{"type": ' }],
    ['a file without a key', 'google-vertex', { apiKey: '{"type":"service_account"}' }],
    ['a file with a broken key', 'google-vertex', { apiKey: '{"client_email":"a@b.c","private_key":"no"}' }],
    ['a service account elsewhere', 'azure', { apiKey: '{"client_email": "a@b.c"}' }],
  ])('[NEXT-246] are refused with %s', async (_what, provider, fields) => {
    const { status } = await add(provider, fields)
    expect(status).toBe(400)
    expect((await home.manager.get(byokPath)).list).toEqual([])
  })

  it('[NEXT-246] are refused with a key that takes long to sign', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const other = JSON.stringify({ ...serviceAccount(1_024), private_key: pem })
    expect((await add('google-vertex', { apiKey: other })).status).toBe(400)
    const long = JSON.stringify(serviceAccount(4_104))
    expect((await add('google-vertex', { apiKey: long })).text).toContain('4096 bits')
  })

  it("[NEXT-245] make images with a media provider's queue, and cost nothing here", async () => {
    const fal = await startMediaUpstream(playFal({ timeline: ['COMPLETED'] }))
    const model = 'black-forest-labs/flux-own'
    await importModels(world.pool, [
      { id: model, kind: 'image', provider: 'fal', pricing: { per_image_output: '0.05' } },
    ])
    await world.gateway.refresh()
    const made = await add('fal', {
      baseUrl: fal.url,
      modelMappings: [{ model, upstreamModel: 'fal-ai/flux/schnell' }],
    })
    expect(made.status, made.text).toBe(201)
    const image = await world.as(home.key.key).post('/v1/images/generations', { model, prompt: 'a fox' })
    expect(image.status, image.text).toBe(200)
    expect(image.json['usage']).toMatchObject({ cost: 0, cost_details: { upstream_inference_cost: 0.05 } })
    expect(fal.calls.filter(({ method }) => method === 'POST').map(({ headers }) => headers.authorization)).toEqual([
      `Key ${ownSecret}`,
    ])
    await fal.close()
  })

  it('[NEXT-247] map what the catalogue knows at a provider without a list of models', async () => {
    const { name, provider, apiKey } = { name: 'Ours', provider: 'google-ai-studio', apiKey: ownSecret }
    const made = await home.manager.post(byokPath, { name, provider, apiKey })
    expect(made.status, made.text).toBe(201)
    expect(made.data).toMatchObject({ baseUrl: expect.stringContaining('https://'), health: { status: 'unknown' } })
    const mappings = made.data['modelMappings'] as JsonObject[]
    expect(mappings.map(({ model }) => model)).toContain('google/gemini-3-pro')
    expect(mappings.every(({ model }) => String(model).startsWith('google/'))).toBe(true)
    expect(made.json['sync']).toMatchObject({ unmatched: [], stale: [] })
  })

  it('[NEXT-247] keep their provider', async () => {
    const { data } = await add('azure')
    const path = `${byokPath}/${data['id']}`
    expect((await home.manager.patch(path, { protocol: 'openai' })).status).toBe(400)
    expect((await home.manager.patch(path, { provider: 'openai' })).status).toBe(400)
    expect((await home.manager.patch(path, { name: 'Renamed' })).data).toMatchObject({ provider: 'azure' })
  })

  it('[NEXT-248] can name every provider that operators have', async () => {
    const { list } = await home.admin.get(`/api/orgs/${home.id}/own-key-providers`)
    expect(list.map(({ slug }) => slug)).toEqual(
      expect.arrayContaining(['amazon-bedrock', 'anthropic', 'azure', 'fal', 'google-vertex', 'openai', 'replicate']),
    )
    expect(list.find(({ slug }) => slug === 'azure')).toEqual({ slug: 'azure', name: 'Azure OpenAI', baseUrl: null })
  })
})
