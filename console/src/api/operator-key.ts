/**
 * The key of an operator, while one is at work. It is kept here and nowhere else: not in storage, in a URL, in the
 * query cache or in the page. A reload forgets it, and so do ten minutes without a call.
 */
let secret: string | null = null
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

const idleMs = 600_000

export const operatorKey = {
  has: (): boolean => secret !== null,
  /** For a call, which keeps the key for another ten minutes. */
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
