/** An API request of the page, shown as code in the drawer. Bodies are stored only if they hold no secret. */
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
    // A polling page repeats the same request, so only the newest one is listed.
    calls = [{ ...call, id: lastId }, ...calls.filter((other) => !isSame(other))].slice(0, callsMax)
    tell()
  },
  /** Clears the list when a new page opens. */
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
