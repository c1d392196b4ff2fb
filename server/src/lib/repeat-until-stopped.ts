import { setTimeout } from 'node:timers/promises'

export interface Repeated {
  /** Resolves when the round that is under way has ended. */
  stop(): Promise<void>
}

/** Round after round, the first at once: a process that is started anew within every pause would otherwise never come to it. */
export function repeatUntilStopped(options: {
  /** Answers whether the next round is due at once. */
  round: (signal: AbortSignal) => Promise<boolean>
  pauseMs: number
  onError: (error: unknown) => void
}): Repeated {
  const stopping = new AbortController()
  const running = repeat(options, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function repeat(
  { round, pauseMs, onError }: Parameters<typeof repeatUntilStopped>[0],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    let isDue = false
    try {
      isDue = await round(signal)
    } catch (error) {
      onError(error)
    }
    if (!isDue) await setTimeout(pauseMs, undefined, { signal }).catch(() => {})
  }
}
