import type { Client } from '#test/setup/client.ts'
import type { Reply } from '#test/setup/reply.ts'
import { call, inferences, type Inference, streamed } from './every-call.ts'

/** A response of each endpoint, and a stream of each that streams, one after another. */
export async function answersOfAll(client: Client): Promise<Map<string, Reply>> {
  const answers = new Map<string, Reply>()
  const ask = async (name: string, endpoint: Inference, fields = {}): Promise<void> => {
    const reply = await call(client, endpoint, { fields })
    if (reply.status >= 300) throw new Error(`${name}: ${reply.text}`)
    answers.set(name, reply)
  }
  for (const endpoint of inferences) await ask(endpoint, endpoint)
  for (const endpoint of streamed) await ask(`a stream of ${endpoint}`, endpoint, { stream: true })
  return answers
}
