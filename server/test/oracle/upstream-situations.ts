import type { MediaAnswer, MediaCall, MediaHandler } from '#test/simulators/start-media-upstream.ts'
import { call, type JsonRecord, modelFor } from './every-call.ts'
import { onInference, type Situation } from './situation.ts'

export const noImages: MediaAnswer = { body: { created: 1, data: [] } }

/** References a missing image. */
export const goneImage = ({ method, headers }: MediaCall): MediaAnswer =>
  method === 'GET'
    ? { status: 404, body: 'gone' }
    : { body: { created: 1, data: [{ url: `http://${headers.host}/made/gone.png` }] } }

/** Faults of upstreams. */
export const upstreamSituations: Readonly<Record<string, Situation>> = {
  'the upstream takes no connection': async (world) => {
    const client = world.as(await world.createClient())
    return { ask: onInference((endpoint) => call(client, endpoint, { model: modelFor(endpoint, 'away') })) }
  },
  'the upstream refuses our key': playing(() => refusal(401, 'invalid_api_key')),
  'the upstream limits our rate': playing(() => refusal(429, 'rate_limit_exceeded')),
  'the upstream fails': playing(() => refusal(500, 'server_error')),
  'the upstream takes no seed': playing(() => refusal(400, 'unsupported_parameter', 'seed'), { seed: 7 }),
  'the upstream refuses the prompt': playing(() => refusal(400, 'content_policy_violation')),
  'the upstream finds a fault of its own': playing(() => refusal(418, 'teapot')),
  'the upstream stays silent': playing(() => undefined),
  'the upstream makes no image': playing(() => noImages),
  'the image can not be fetched': playing(goneImage),
}

function playing(handler: MediaHandler, fields: JsonRecord = {}): Situation {
  return async (world) => {
    const caller = await world.createClient()
    world.upstream.play(handler)
    return { ask: onInference((endpoint) => call(world.as(caller), endpoint, { fields })), walletId: caller.walletId }
  }
}

const refusal = (status: number, code: string, param: string | null = null) => {
  const message = param === null ? 'No.' : `Unsupported parameter: '${param}' is not supported with this model.`
  return { status, body: { error: { message, type: 'error', code, param } } }
}
