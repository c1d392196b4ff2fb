import { LumaAI } from 'lumaai'

const clientOf = ({ key }) => new LumaAI({ authToken: key, maxRetries: 0, fetch: (...given) => fetch(...given) })
const asked = { model: 'ray-2', prompt: 'A paper boat', aspect_ratio: '16:9', resolution: '720p', duration: '5s' }

export const videos = (upstream) => madeBy(clientOf(upstream), asked)
export const fromImage = (upstream) =>
  madeBy(clientOf(upstream), { ...asked, keyframes: { frame0: { type: 'image', url: 'https://images.test/first.png' } } })

async function madeBy(client, body) {
  const { id } = await client.generations.video.create(body)
  const { state, assets } = await client.generations.get(id)
  return { status: state === 'completed' ? 'made' : state, urls: [assets.video] }
}
