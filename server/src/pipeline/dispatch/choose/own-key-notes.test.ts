import { expect, it } from 'vitest'
import type { OwnKeyNote } from '#ports/own-keys.ts'
import { createOwnKeyNotes } from './own-key-notes.ts'

function start() {
  const written: OwnKeyNote[] = []
  let nowMs = 0
  const notes = createOwnKeyNotes({
    write: async (batch) => void written.push(...batch),
    everyMs: 60_000,
    nowMs: () => nowMs,
    onError: () => {},
  })
  return { notes, written, pass: (ms: number) => (nowMs += ms) }
}

it('counts the failures since the last success', async () => {
  const { notes, written } = start()
  notes.failed('a', 'one')
  notes.failed('a', 'two')
  notes.failed('b', 'other')
  notes.succeeded('b')
  notes.failed('c', 'before')
  notes.succeeded('c')
  notes.failed('c', 'after')
  await notes.close()
  expect(written).toEqual([
    { id: 'a', hadSuccess: false, failures: 2, lastError: 'two' },
    { id: 'b', hadSuccess: true, failures: 0, lastError: null },
    { id: 'c', hadSuccess: true, failures: 1, lastError: 'after' },
  ])
})

it('writes successes once a minute, and at once after a failure', async () => {
  const { notes, written, pass } = start()
  for (let call = 0; call < 100; call += 1) notes.succeeded('a')
  await notes.close()
  expect(written).toHaveLength(1)
  notes.succeeded('a')
  await notes.close()
  expect(written).toHaveLength(1)
  notes.failed('a', 'why')
  notes.succeeded('a')
  await notes.close()
  expect(written.at(-1)).toEqual({ id: 'a', hadSuccess: true, failures: 0, lastError: null })
  pass(60_000)
  notes.succeeded('a')
  await notes.close()
  expect(written).toHaveLength(3)
})
