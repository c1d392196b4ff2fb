import { expect, it } from 'vitest'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Ticket } from '../types.ts'
import { createBegin } from './begin.ts'
import type { Begun, DispatchDeps } from './dispatch-deps.ts'

const begunBy = (name: string): Begun => ({ attempt: { name } as unknown as Begun['attempt'], ignored: [] })
const [words, media] = [begunBy('exchange'), begunBy('media')]
const watcher = { onOpened: () => {}, onEnd: () => {}, onOutput: () => {} }
const ticket = testTicket()
const [candidate] = ticket.plan.candidates
assert(candidate !== undefined, 'the test ticket has a candidate')
const painter = { ...candidate, model: { ...candidate.model, kind: 'image' as const } }

function begin(
  change: Partial<Ticket['plan']['call']>,
  { counted, by = candidate }: { counted?: Promise<void>; by?: typeof candidate } = {},
): ReturnType<DispatchDeps['begin']> {
  const asked: Ticket = { ...ticket, plan: { ...ticket.plan, call: { ...ticket.plan.call, ...change } } }
  assert(by !== undefined, 'there is a candidate')
  return createBegin({ exchange: () => words, media: () => media, count: () => counted })(asked, by, watcher)
}

type Media = NonNullable<Ticket['plan']['call']['media']>
const askFor = (kind: string) => ({ media: { task: { kind } } as unknown as Media })

it('passes words and speech on as they come, and uses all else whole', () => {
  expect(begin({})).toBe(words)
  expect(begin(askFor('speech'))).toBe(words)
  expect(begin(askFor('embedding'))).toBe(media)
  expect(begin({}, { by: painter })).toBe(media)
})

it('counts a free model before it is asked', async () => {
  const { promise: counted, resolve } = Promise.withResolvers<void>()
  const begun = begin({}, { counted })
  expect(begun).toBeInstanceOf(Promise)
  resolve()
  expect(await begun).toBe(words)
  await expect(begin({}, { counted: Promise.reject(new Error('used up')) })).rejects.toThrow('used up')
})
