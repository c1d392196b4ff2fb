import { expect } from 'vitest'
import { addModels } from '../../../server/test/setup/add-models.ts'
import type { TestGateway } from '../../../server/test/setup/gateway.ts'
import { startVideoUpstream } from '../../../server/test/simulators/media/videos/start-video-upstream.ts'
import type { VideoUpstream } from '../../../server/test/simulators/media/videos/video-upstream.ts'
import { plainModel } from '../../../server/test/videos/video-world.ts'
import type { World } from './world.ts'

/** Orders a video over the API and waits until it ends. */
export async function orderVideo(
  { gateway }: World,
  key: string,
  order: { readonly model?: string; readonly callback_url?: string } = {},
): Promise<string> {
  const body = { model: 'test/video', prompt: 'a weir', ...order }
  const { status, json } = await gateway.as(key).post('/v1/videos', body)
  expect(status).toBe(202)
  const id = String(json['id'])
  const look = async () => (await gateway.as(key).get(`/v1/videos/${id}`)).json['status']
  await expect.poll(look).toMatch(/completed|failed/)
  return id
}

/** Adds a provider that sells `acme/film` at 0.1 USD per second. Its files have a video header without a video. */
export async function sellFilms(gateway: TestGateway): Promise<VideoUpstream> {
  const upstream = await startVideoUpstream('luma-agents')
  const { vendor, baseUrl, key: credential } = upstream
  await addModels(gateway, [plainModel])
  await gateway.addProvider({ vendor, url: baseUrl, pattern: 'acme/film', credential })
  return upstream
}
