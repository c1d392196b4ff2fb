import RunwayML from '@runwayml/sdk'
import { failureOf } from './samples.mjs'

const clientOf = ({ key }) => new RunwayML({ apiKey: key, maxRetries: 0, fetch: (...given) => fetch(...given) })
const asked = { model: 'gen4.5', promptText: 'A paper boat', ratio: '1280:720', duration: 5 }

export const videos = async (upstream) => {
  const client = clientOf(upstream)
  return madeBy(client, await client.textToVideo.create(asked))
}

export const fromImage = async (upstream) => {
  const client = clientOf(upstream)
  const promptImage = 'https://images.test/first.png'
  return madeBy(client, await client.imageToVideo.create({ ...asked, model: 'gen4_turbo', promptImage }))
}

export const errors = (upstream) => failureOf(() => clientOf(upstream).textToVideo.create(asked))

async function madeBy(client, { id }) {
  const { status, output } = await client.tasks.retrieve(id)
  return { status: status === 'SUCCEEDED' ? 'made' : status, urls: output }
}
