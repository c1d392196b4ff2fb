import { describe, expect, it } from 'vitest'
import { FairTurnstile, type FairLimits } from './fair-turnstile.ts'

const wide: FairLimits = {
  atOnceMax: 100,
  atOnceMaxEach: 100,
  waitingMax: 100,
  waitingMaxEach: 100,
  weightMax: 100,
  weightMaxEach: 100,
}

function start(limits: Partial<FairLimits>) {
  const turnstile = new FairTurnstile({ ...wide, ...limits, refusal: (whose) => new Error(`full: ${whose}`) })
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, turn: { weight?: number; signal?: AbortSignal } = {}) =>
    turnstile.run({ account: name.charAt(0), ...turn }, async () => {
      begun.push(name)
      await new Promise<void>((resolve) => ends.set(name, resolve))
    })
  /** Completes one unit of work, and waits until its slot is taken or free. */
  const end = async (name: string, running: Promise<void>): Promise<void> => {
    ends.get(name)?.()
    await running
  }
  return { turnstile, begun, run, end }
}

describe('[B4] a fair turnstile', () => {
  it('gives accounts turns, however long the line of one of them is', async () => {
    const { begun, run, end } = start({ atOnceMax: 1 })
    const runs = new Map(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => [name, run(name)]))
    for (let count = 0; count < runs.size; count += 1) {
      const name = begun[count] ?? ''
      await end(name, runs.get(name) ?? Promise.reject(new Error('nobody has begun')))
    }
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
  })

  it('runs no more of one account at once than may be, and those of others beside them', async () => {
    const { turnstile, begun, run, end } = start({ atOnceMaxEach: 2 })
    const first = run('a1')
    for (const name of ['a2', 'a3', 'a4', 'b1']) void run(name)
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    expect(turnstile.busy).toEqual(['a'])
    expect(turnstile.depth).toBe(5)
    await end('a1', first)
    expect(begun).toEqual(['a1', 'a2', 'b1', 'a3'])
  })

  it('turns away an account whose line is full, and nobody else', async () => {
    const { run } = start({ atOnceMaxEach: 1, waitingMaxEach: 1, waitingMax: 2 })
    for (const name of ['a1', 'a2', 'b1', 'b2']) void run(name)
    await expect(run('a3')).rejects.toThrow('full: account')
    void run('c1')
    await expect(run('c2')).rejects.toThrow('full: process')
  })

  it('weighs what runs, and lets what is too heavy run alone', async () => {
    const { begun, run, end } = start({ weightMaxEach: 10, weightMax: 15 })
    const [heavy] = [run('a1', { weight: 50 }), run('a2', { weight: 5 }), run('b1', { weight: 1 })]
    expect(begun).toEqual(['a1'])
    await end('a1', heavy)
    expect(begun).toEqual(['a1', 'a2', 'b1'])
    void run('a3', { weight: 6 })
    void run('c1', { weight: 9 })
    expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
  })

  it('forgets who no longer wants to wait, and goes on after a failure', async () => {
    const { turnstile, begun, run } = start({ atOnceMax: 1, waitingMaxEach: 1 })
    const failing = turnstile.run({ account: 'a' }, () => Promise.reject(new Error('broken')))
    const leaving = new AbortController()
    const left = run('b1', { signal: leaving.signal })
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    void run('b2')
    await expect(failing).rejects.toThrow('broken')
    expect(begun).toEqual(['b2'])
    await expect(run('b3', { signal: leaving.signal })).rejects.toThrow('gone')
  })
})
