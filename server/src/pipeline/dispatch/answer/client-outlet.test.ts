import { describe, expect, it } from 'vitest'
import { ClientOutlet } from './client-outlet.ts'

describe('the outlet to a client', () => {
  it('writes once what came in one tick, and a later tick by itself', async () => {
    const { outlet, written } = openedOutlet('utf8')
    for (const frame of ['a', 'b', 'c']) {
      outlet.add(frame)
      outlet.flushSoon()
    }
    expect(written).toEqual([])
    await nextTurn()
    outlet.add('d')
    outlet.flushSoon()
    await nextTurn()
    expect(written.join('|')).toBe('abc|d')
  })

  it('keeps everything back until it is opened, and opens once', () => {
    const { outlet, written, opened } = closedOutlet('utf8')
    outlet.add('role')
    outlet.flush()
    expect(written).toEqual([])
    outlet.open()
    outlet.open()
    outlet.flush()
    expect([opened(), written]).toEqual([1, ['role']])
  })

  it('gives unsent frames away only once', () => {
    const { outlet, written } = openedOutlet('utf8')
    outlet.add('half')
    expect(outlet.takeUnsent()).toBe('half')
    outlet.flush()
    expect(written).toEqual([])
  })

  it('writes bytes that were kept as Latin-1 as they were', () => {
    const { outlet, written } = openedOutlet('latin1')
    outlet.add(Buffer.from('naïve 語').toString('latin1'))
    outlet.flush()
    expect(Buffer.from(written[0] ?? '').toString('utf8')).toBe('naïve 語')
  })
})

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function closedOutlet(encoding: 'utf8' | 'latin1') {
  const written: (Buffer | string)[] = []
  let openings = 0
  const outlet = new ClientOutlet(
    {
      opened: () => {
        openings += 1
      },
      bytes: (bytes) => written.push(bytes),
      unusable: () => {},
      done: () => {},
    },
    encoding,
  )
  return { outlet, written, opened: () => openings }
}

function openedOutlet(encoding: 'utf8' | 'latin1') {
  const made = closedOutlet(encoding)
  made.outlet.open()
  return made
}
