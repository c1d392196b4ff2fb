import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
// Not an expectation: it checks the response against its published schema, and the fields are written out below.
import { imageModelListSchema } from '#http/images/image-models-endpoint.ts'
import type { JsonObject } from '#lib/json.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { type OrganizationWorld, startOrganizationWorld } from '#test/organizations/organization-world.ts'
import { Value } from 'typebox/value'

const drawing = {
  id: 'acme/draw',
  name: 'Draw',
  author: 'acme',
  kind: 'image',
  provider: 'openai',
  upstream_model_id: 'draw',
  input_modalities: ['text', 'image'],
  output_modalities: ['image'],
  pricing: { per_image_output: '0.04', prompt: '0.000005' },
  release_date: '2026-01-02',
  image: { max_n: 4, sizes: ['1024x1024', '1536x1024'], aspect_ratios: ['16:9'], resolutions: ['2K'] },
}

describe('GET /v1/images/models', () => {
  let world: OrganizationWorld
  beforeAll(async () => {
    world = await startOrganizationWorld()
    const parsed = parseCatalogueFile([
      drawing,
      { ...drawing, id: 'acme/paint', image: undefined, pricing: { image_output_token: '0.00003' } },
      { ...drawing, id: 'acme/talk', output_modalities: ['text', 'image'], kind: 'chat' },
      { ...drawing, id: 'acme/film', output_modalities: ['video'], kind: 'video' },
      { ...drawing, id: 'acme/gone', deprecation_date: '2020-01-01' },
    ])
    if (!parsed.accepted) throw new Error(JSON.stringify(parsed.problems))
    await createCatalogueStore(world.pool).import(parsed.rows, Date.now())
    await world.gateway.refresh()
  })
  afterAll(() => world.close())

  async function list(key?: string, path = '/v1/images/models'): Promise<JsonObject[]> {
    const response = await world.as(key).get(path)
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8'])
    expect([...Value.Errors(imageModelListSchema, response.json)]).toEqual([])
    return response.list
  }

  it('[IMG-18] lists models that put out images, and no others, to anybody', async () => {
    const shown = await list()
    const ids = shown.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['acme/draw', 'acme/paint', 'acme/talk']))
    expect(ids).not.toContain('acme/film')
    expect(ids).not.toContain('acme/gone')
    expect(ids).not.toContain('openai/gpt-5.2')
    const { list: whole } = await world.as().get('/v1/models?output_modalities=image')
    expect(ids.toSorted()).toEqual(whole.map((m) => m.id).toSorted())
    expect(await list(undefined, '/api/v1/images/models')).toEqual(shown)
  })

  it('[IMG-19] says of each what it makes, and what one image costs', async () => {
    const shown = await list()
    expect(shown.find(({ id }) => id === 'acme/draw')).toEqual({
      id: 'acme/draw',
      name: 'Draw',
      created: Date.parse('2026-01-02') / 1_000,
      description: null,
      architecture: {
        modality: 'text+image->image',
        input_modalities: ['text', 'image'],
        output_modalities: ['image'],
      },
      pricing: { prompt: '5', completion: '0', image: '0.04' },
      supported_parameters: {
        size: { type: 'enum', values: ['auto', '1024x1024', '1536x1024', '16:9', '2K'] },
        n: { type: 'range', min: 1, max: 4 },
      },
      supports_streaming: true,
      endpoints: '/api/v1/models/acme/draw/endpoints',
    })
    expect(shown.find(({ id }) => id === 'acme/paint')).toMatchObject({
      pricing: { prompt: '0', completion: '0', image: '0', image_output: '30' },
      supported_parameters: { size: { values: ['auto'] }, n: { max: 10 } },
    })
    expect((await world.as().get('/api/v1/models/acme/draw/endpoints')).status).toBe(200)
  })

  it('[IMG-18] lists to a key of an organization what the organization allows', async () => {
    const home = await world.newOrganization()
    const { memberId } = await world.addMember(home.id)
    const { key } = await world.addOrganizationKey(home.id, { memberId })
    expect(await list(key)).toEqual(await list())
    const allowed = { allowedModels: ['acme/paint', 'openai/*'] }
    expect((await home.admin.patch(`/api/orgs/${home.id}/allowed-models`, allowed)).status).toBe(200)
    const ids = (await list(key)).map(({ id }) => String(id))
    expect(ids).toContain('acme/paint')
    expect(ids.filter((id) => id !== 'acme/paint' && !id.startsWith('openai/'))).toEqual([])
    const personal = await world.createClient()
    expect(await list(personal.key)).toEqual(await list())
  })
})
