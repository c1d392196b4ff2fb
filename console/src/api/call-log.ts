/** A call of the page, kept for the drawer that shows it as code. Bodies are kept only where they hold no secret. */
export interface LoggedCall {
  readonly id: number
  readonly method: string
  readonly path: string
  readonly body: string | null
  readonly status: number
  readonly elapsedMs: number
  readonly requestId: string | null
}

const callsMax = 30

let calls: readonly LoggedCall[] = []
let lastId = 0
const listeners = new Set<() => void>()

export const callLog = {
  add(call: Omit<LoggedCall, 'id'>): void {
    lastId += 1
    const isSame = (other: LoggedCall) => other.method === call.method && other.path === call.path
    // A page that polls makes the same call again and again; the newest one stands for all.
    calls = [{ ...call, id: lastId }, ...calls.filter((other) => !isSame(other))].slice(0, callsMax)
    tell()
  },
  /** A new page begins with an empty drawer. */
  clear(): void {
    calls = []
    tell()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  read: (): readonly LoggedCall[] => calls,
}

function tell(): void {
  for (const listener of listeners) listener()
}
