import { atOnce } from '../setup/at-once.ts'
import { sendJson } from '../setup/send.ts'

/** What another tenant's calls were like for a while. */
export interface Passage {
  readonly perSecond: number
  readonly failures: readonly string[]
}

const lanes = 8

/** So many calls of a model, a few at once, as fast as they are answered. */
export async function passThrough(
  { url, key, model }: { url: string; key: string; model: string },
  calls: number,
): Promise<Passage> {
  const failures: string[] = []
  const startedAtMs = performance.now()
  await atOnce(Array(calls).keys(), lanes, async () => {
    const { status, text } = await sendJson(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 16 },
    })
    if (status !== 200) failures.push(`${status} ${text.slice(0, 200)}`)
  })
  return { perSecond: calls / ((performance.now() - startedAtMs) / 1_000), failures }
}
