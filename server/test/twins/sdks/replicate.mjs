import Replicate from 'replicate'

const clientOf = ({ key }) => new Replicate({ auth: key, useFileOutput: false, fetch: (...given) => fetch(...given) })

export async function images(upstream) {
  const client = clientOf(upstream)
  const input = { prompt: 'a fox', aspect_ratio: '16:9' }
  const submitted = await client.predictions.create({ model: 'black-forest-labs/flux-schnell', input, wait: true })
  const { output } = await client.wait(submitted, { interval: 1 })
  return { images: output }
}

export async function videos(upstream) {
  const client = clientOf(upstream)
  const input = { prompt: 'A paper boat', duration: 5 }
  const { id } = await client.predictions.create({ model: 'kwaivgi/kling-v2.1-master', input })
  const { status, output } = await client.predictions.get(id)
  return { status: status === 'succeeded' ? 'made' : status, urls: [output] }
}
