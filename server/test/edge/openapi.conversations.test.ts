import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clients } from '#test/matrix/clients/clients.ts'
import { features, sampleTools } from '#test/matrix/features.ts'
import { type MatrixWorld, startMatrixWorld } from '#test/matrix/matrix-world.ts'
import { upstreams } from '#test/matrix/upstreams/upstreams.ts'
import { DocumentedAnswers } from './documented-answers.ts'

describe.each(upstreams)('an answer of an upstream that speaks $protocol', (upstream) => {
  let world: MatrixWorld
  let documented: DocumentedAnswers
  beforeAll(async () => {
    world = await startMatrixWorld(upstream)
    documented = new DocumentedAnswers((await world.gateway.as().get('/openapi.json')).json)
  })
  afterAll(() => world.close())

  it.each(clients.flatMap((client) => [false, true].map((stream) => ({ client, stream, dialect: client.dialect }))))(
    'has only fields that the document declares, as $dialect (streamed: $stream)',
    async ({ client, stream }) => {
      for (const feature of features) {
        world.simulator.play(upstream.play(feature, stream))
        const tools = feature === 'parallel tool calls' ? sampleTools : []
        const body = { ...client.ask(feature, tools), model: upstream.modelFor(feature), stream }
        const answer = await world.post(client, body)
        expect(answer.isStream, feature).toBe(stream)
        documented.expectDeclared('POST', client.path, answer)
      }
    },
  )

  it.each(clients)('and a refusal as $dialect has them as well', async (client) => {
    const refused = await world.post(client, { ...client.ask('text', []), model: 'nobody/nothing' })
    expect(refused.status).toBe(400)
    documented.expectDeclared('POST', client.path, refused)
  })
})
