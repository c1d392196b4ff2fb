import { createFalClient } from '@fal-ai/client'

const clientOf = ({ key }) => createFalClient({ credentials: key, fetch: (...given) => fetch(...given) })

export async function images(upstream) {
  const input = { prompt: 'a fox', image_size: { width: 1024, height: 768 } }
  const { data } = await clientOf(upstream).subscribe('fal-ai/flux/dev', { input, pollInterval: 1 })
  return { images: data.images.map(({ url }) => url) }
}

export async function videos(upstream) {
  const input = { prompt: 'A paper boat', aspect_ratio: '16:9', duration: '8s', resolution: '720p' }
  const { data } = await clientOf(upstream).subscribe('fal-ai/veo3.1', { input, pollInterval: 1 })
  return { status: 'made', urls: [data.video.url] }
}
