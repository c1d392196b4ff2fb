/**
 * The operator key of this tab. It is stored in memory only: not in storage, a URL, the query cache or the page. A
 * reload or ten minutes without a request deletes it.
 */
let secret: string | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const idleMs = 600_000

export const operatorKey = {
  has: (): boolean => secret !== null,
  /** Returns the key for a request and restarts the ten-minute timeout. */
  use(): string {
    if (secret === null) throw new Error('Your operator key timed out. Enter it again.')
    wait()
    return secret
  },
  keep(entered: string): void {
    secret = entered
    wait()
    tell()
  },
  forget(): void {
    secret = null
    clearTimeout(timer)
    tell()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

function wait(): void {
  clearTimeout(timer)
  timer = setTimeout(operatorKey.forget, idleMs)
}

function tell(): void {
  for (const listener of listeners) listener()
}
