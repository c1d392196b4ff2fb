import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clients } from './clients/clients.ts'
import { callPieces, sampleTools } from './features.ts'
import { type MatrixWorld, startMatrixWorld } from './matrix-world.ts'
import { upstreams } from './upstreams/upstreams.ts'

const toolTexts = ['Rain, 4 °C', '12:00']

describe.each(upstreams)('a second turn with an upstream that speaks $protocol', (upstream) => {
  let world: MatrixWorld
  beforeAll(async () => {
    world = await startMatrixWorld(upstream)
  })
  afterAll(() => world.close())
  beforeEach(() => world.simulator.forget())

  const turns = clients.flatMap((client) =>
    [false, true].map((stream) => ({ client, stream, dialect: client.dialect })),
  )
  it.each(turns)(
    '[P17] [P16] [TOOL-09] [RESP-16] [MSG-09] gives it its signatures and call ids back ($dialect, streamed: $stream)',
    async ({ client, stream }) => {
      const { reasoning, signatures, callIds } = upstream.thoughtAndCalls
      const model = upstream.modelFor('second turn')
      const first = { ...client.ask('reasoning with signature', sampleTools), model, stream }
      world.simulator.play(upstream.playThoughtAndCalls(stream))
      const heard = client.hear(await world.post(client, first))
      expect(heard.reasoning).toBe(reasoning)
      expect(heard.calls.map(({ name, input }) => ({ name, input }))).toEqual(
        callPieces.map(({ name, input }) => ({ name, input })),
      )
      world.simulator.play(upstream.play('text', stream))
      const second = await world.post(client, client.answerTools(first, heard, toolTexts))
      expect(second.status, second.text).toBe(200)
      expect(client.hear(second).text).toBe('Hello')
      expect(upstream.replayIn(world.bodySeen())).toEqual({
        reasoning,
        signatures,
        callIds,
        inputs: callPieces.map(({ input }) => input),
        results: callIds.map((callId, index) => ({ callId, text: toolTexts[index] })),
      })
    },
  )
})
