import type { SettleSpool } from './settle-spool.ts'

/** Replays the spool repeatedly. Reports only the turns that sent something or failed. */
export function keepReplaying(options: {
  readonly spool: Pick<SettleSpool, 'replay'>
  readonly everyMs: number
  readonly onReplayed: (count: number) => void
  readonly onError: (error: unknown) => void
}): { stop(): void } {
  const timer = setInterval(() => {
    options.spool.replay().then((count) => {
      if (count > 0) options.onReplayed(count)
    }, options.onError)
  }, options.everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
