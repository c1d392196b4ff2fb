import type { ServerProcess } from '#test/drills/setup/server-process.ts'
import { isJsonObject, objectAt, parseJsonObject } from '#lib/json.ts'
import { send } from '../setup/send.ts'

interface WatchedVideo {
  readonly publicId: string
  readonly key: string
  /** Whether the key was deleted. */
  readonly isGone: () => boolean
}

/**
 * Polls a video and fetches its content over both gateways at once until it ends. Resolves with the problems: a changed
 * end, a changed cost, or content of an incomplete video.
 */
export async function watchVideo(
  gateways: readonly ServerProcess[],
  { publicId, key, isGone }: WatchedVideo,
): Promise<string[]> {
  const faults: string[] = []
  let end: string | null = null
  const watch = async ({ url }: ServerProcess): Promise<void> => {
    const headers = { authorization: `Bearer ${key}` }
    for (;;) {
      const before = end
      const [polled, content] = await Promise.all([
        send(`${url}/v1/videos/${publicId}`, { headers }),
        send(`${url}/v1/videos/${publicId}/content`, { headers }),
      ])
      // A deleted key reads nothing, and its videos continue.
      if (polled.status === 401 && isGone()) return
      if (polled.status !== 200) return void faults.push(`a poll: ${polled.status} ${polled.text}`)
      const seen = shown(polled.text)
      const isOver = /^(completed|failed) /.test(seen)
      if (before !== null && seen !== before) faults.push(`it was ${before}, and then ${seen}`)
      if (before?.startsWith('failed') === true && content.status === 200) faults.push(`content of one that ${before}`)
      if (before?.startsWith('completed') === true && content.status !== 200 && !isGone())
        faults.push(`no content of one that ${before}: ${content.status} ${content.text.slice(0, 200)}`)
      if (isOver && before !== null) return
      if (isOver) end ??= seen
    }
  }
  await Promise.all(gateways.map(watch))
  return faults
}

function shown(text: string): string {
  const job = parseJsonObject(text) ?? {}
  const usage = isJsonObject(job['usage']) ? objectAt(job, 'usage') : {}
  return `${String(job['status'])} for ${String(usage['cost'])}`
}
