import { atOnce } from '../setup/at-once.ts'
import { sendJson } from '../setup/send.ts'

/** The result of another tenant's requests over some time. */
interface Passage {
  readonly calls: number
  readonly perSecond: number
  readonly failures: readonly string[]
}

const lanes = 8

/** Calls a model with some concurrency, as fast as it responds: at least this many requests, for at least this long. */
export async function passThrough(
  { url, key, model }: { url: string; key: string; model: string },
  { callsMin, forMsMin }: { callsMin: number; forMsMin: number },
): Promise<Passage> {
  const failures: string[] = []
  const startedAtMs = performance.now()
  let calls = 0
  const turns = function* (): Generator<number> {
    while (calls < callsMin || performance.now() - startedAtMs < forMsMin) yield (calls += 1)
  }
  await atOnce(turns(), lanes, async () => {
    const { status, text } = await sendJson(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: { model, messages: [{ role: 'user', content: 'Hello' }], max_tokens: 16 },
    })
    if (status !== 200) failures.push(`${status} ${text.slice(0, 200)}`)
  })
  return { calls, perSecond: calls / ((performance.now() - startedAtMs) / 1_000), failures }
}
