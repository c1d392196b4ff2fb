import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { call, modelFor } from './every-call.ts'
import { onInference, type Situation } from './situation.ts'

export const noImages: MediaAnswer = { body: { created: 1, data: [] } }

/** Names an image that is not there. */
export const goneImage = ({ method, headers }: MediaCall): MediaAnswer =>
  method === 'GET'
    ? { status: 404, body: 'gone' }
    : { body: { created: 1, data: [{ url: `http://${headers.host}/made/gone.png` }] } }

/** Faults of upstreams. */
export const upstreamSituations: Readonly<Record<string, Situation>> = {
  'the upstream takes no connection': async (world) => {
    const client = world.as(await world.createCaller())
    return { ask: onInference((endpoint) => call(client, endpoint, { model: modelFor(endpoint, 'away') })) }
  },
  'the upstream refuses our key': playing(() => refusal(401, 'invalid_api_key')),
  'the upstream limits our rate': playing(() => refusal(429, 'rate_limit_exceeded')),
  'the upstream fails': playing(() => refusal(500, 'server_error')),
  'the upstream stays silent': playing(() => undefined),
  'the upstream makes no image': playing(() => noImages),
  'the image can not be fetched': playing(goneImage),
}

function playing(handler: MediaHandler): Situation {
  return async (world) => {
    const caller = await world.createCaller()
    world.upstream.play(handler)
    return { ask: onInference((endpoint) => call(world.as(caller), endpoint)), walletId: caller.walletId }
  }
}

const refusal = (status: number, code: string) => ({ status, body: { error: { message: 'No.', type: 'error', code } } })
