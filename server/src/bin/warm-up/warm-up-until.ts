import type { Config } from '#config/config-schema.ts'
import { errorText } from '#lib/error-text.ts'
import type { Log } from '#lib/log.ts'
import { warmUp } from './warm-up.ts'

/**
 * Warms the process up for as long as the settings allow, unless it is told to leave first. If the warm-up fails, the
 * process serves without.
 */
export async function warmUpUntil(
  leave: Promise<unknown>,
  config: Config,
  log: Log,
): Promise<'finished' | 'told to leave'> {
  if (config.warmUp.timeoutMs === 0) return 'finished'
  const left = new AbortController()
  const startedAtMs = performance.now()
  const warming = warmUp(config, left.signal).then(
    (requests) => log.info({ requests, ms: Math.round(performance.now() - startedAtMs) }, 'warmed up'),
    (error: unknown) => log.warn({ error: errorText(error) }, 'the warm-up failed; first requests may be slow'),
  )
  const outcome = await Promise.race([
    warming.then(() => 'finished' as const),
    leave.then(() => 'told to leave' as const),
  ])
  left.abort()
  return outcome
}
