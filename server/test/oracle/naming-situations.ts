import { call } from './every-call.ts'
import type { OracleWorld } from './oracle-world.ts'
import type { Situation } from './situation.ts'

/** Things named by a path or a query. */
export const namingSituations: Readonly<Record<string, Situation>> = {
  'nothing has that name': getting(async () => ({
    'video-job': ['/v1/videos/vjob_01890000000070008000000000000000', '/v1/video/generations/nothing'],
    'video-content': ['/v1/videos/vjob_01890000000070008000000000000000/content'],
    generation: ['/v1/generation?id=gen-01890000000070008000000000000000'],
    path: ['/v1/nothing', '/api/v1/nothing'],
    'model-page': ['/v1/models/acme-nothing', '/v1/models/acme/nothing'],
  })),
  'a retired model is looked up': getting(async () => ({
    'model-page': ['/v1/models/retired-talk', '/v1/models/retired/film', '/api/v1/models/retired%2Fvoice'],
  })),
  'no name is given': getting(async () => ({ generation: ['/v1/generation', '/v1/generation?id='] })),
  'the job is not finished': getting(async (world, key) => {
    const { json } = await call(world.as(key), 'videos')
    const id = String(json.id)
    return { 'video-content': [`/v1/videos/${id}/content`, `/api/v1/video/generations/${id}/content?index=0`] }
  }),
}

function getting(pathsOf: (world: OracleWorld, key: string) => Promise<Record<string, readonly string[]>>): Situation {
  return async (world) => {
    const { key } = await world.createClient()
    const paths = await pathsOf(world, key)
    return { ask: (endpoint) => Promise.all((paths[endpoint] ?? []).map((path) => world.as(key).get(path))) }
  }
}
