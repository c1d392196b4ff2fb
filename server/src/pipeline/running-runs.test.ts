import { describe, expect, it } from 'vitest'
import { createRunningRuns } from './running-runs.ts'

function watched(path: readonly string[]) {
  const running = createRunningRuns()
  const ended: (string | null)[] = []
  const watch = (id = 'request') => running.watch(id, { path }, ({ reason }) => ended.push(reason))
  return { running, ended, watch }
}

describe('running requests of runs', () => {
  it('end when their run or a run above it stops', () => {
    const { running, ended, watch } = watched(['child', 'top'])
    watch()
    running.noteStop({ stoppedRun: 'other' })
    running.noteStop({ walletId: 'w' })
    expect(ended).toEqual([])
    running.noteStop({ stoppedRun: 'top', stopReason: 'why' })
    running.noteStop({ stoppedRun: 'child' })
    expect(ended).toEqual(['why', null])
  })

  it('are forgotten once they are settled', () => {
    const { running, ended, watch } = watched(['r'])
    watch()
    expect(running.size).toBe(1)
    running.release('request')
    running.noteStop({ stoppedRun: 'r' })
    expect([running.size, ended]).toEqual([0, []])
  })

  it('end at once if the stop came before them', () => {
    const { running, ended, watch } = watched(['child', 'top'])
    running.noteStop({ stoppedRun: 'top', stopReason: 'why' })
    watch()
    expect(ended).toEqual(['why'])
  })
})
