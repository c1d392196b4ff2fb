/**
 * Points at which a drill can stop this process. They do nothing unless armed, and a disarmed failpoint costs one
 * boolean check: `if (failpointsArmed) await failpoint('before-settle')`.
 */
export function failpoint(name: string): Promise<void> | undefined {
  const action = actions.get(name)
  if (action === undefined) return undefined
  action.hits += 1
  if (action.hits < action.fromHit) return undefined
  return action.kind === 'exit' ? killSelf() : pause(action.pauseMs)
}

export let failpointsArmed = false

interface Action {
  readonly kind: 'exit' | 'pause'
  readonly pauseMs: number
  /** Earlier hits are ignored. */
  readonly fromHit: number
  hits: number
}

const actions = new Map<string, Action>()

const form = /^([a-z-]+)=(?:(exit)|pause:(\d+))(?:@(\d+))?$/

/**
 * Arms a comma-separated list: `before-settle=exit` kills the process there, `before-settle=pause:500` waits, and a
 * suffix `@3` ignores the first two hits. An empty string disarms.
 */
export function armFailpoints(list: string): void {
  actions.clear()
  for (const entry of list.split(',').filter((part) => part !== '')) {
    const [, name, exit, pauseMs, fromHit] = form.exec(entry) ?? []
    if (name === undefined) throw new Error(`invalid failpoint: ${entry}`)
    const kind = exit === undefined ? 'pause' : 'exit'
    actions.set(name, { kind, pauseMs: Number(pauseMs ?? 0), fromHit: Number(fromHit ?? 1), hits: 0 })
  }
  failpointsArmed = actions.size > 0
}

function pause(pauseMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, pauseMs))
}

// SIGKILL, because no handler may run: this simulates a machine that loses power.
function killSelf(): Promise<void> {
  process.kill(process.pid, 'SIGKILL')
  return new Promise(() => {})
}
