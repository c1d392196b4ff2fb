import { describe, expect, it } from 'vitest'
import type { Candidate } from '#domain/routing/candidates.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { type Confirmation, createLearnedFields } from './learned-fields.ts'

const [candidate = never()] = testTicket().plan.candidates
function never(): never {
  throw new Error('the test ticket has a candidate')
}
const other: Candidate = { ...candidate, upstreamModel: 'another-model' }
const third: Candidate = { ...candidate, upstreamModel: 'third-model' }
const refused: Confirmation = { kind: 'refused', words: 'no' }
const hourMs = 3_600_000

function create() {
  let nowMs = 0
  const asked: { readonly field: string; readonly leftOut: readonly string[]; say(said: Confirmation): void }[] = []
  const reports: string[] = []
  const fields = createLearnedFields({
    confirm: (_candidate, field, leftOut) => {
      const { promise, resolve } = Promise.withResolvers<Confirmation>()
      asked.push({ field, leftOut, say: resolve })
      return promise
    },
    report: (_candidate, field, { kind }) => reports.push(`${field} ${kind}`),
    nowMs: () => nowMs,
  })
  const pass = (ms: number): void => {
    nowMs += ms
  }
  /** Answers the upstream's oldest open question and runs the consequences. */
  const say = async (confirmation: Confirmation): Promise<void> => {
    asked.shift()?.say(confirmation)
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
  }
  return { fields, asked, reports, pass, say }
}

describe('a field that one request found refused', () => {
  it('C1: is left out of others only after a neutral request was refused, and for an hour', async () => {
    const { fields, asked, reports, pass, say } = create()
    fields.suggest(candidate, 'reasoning')
    expect(fields.refusedBy(candidate)).toEqual([])
    fields.suggest(candidate, 'reasoning')
    expect(asked).toHaveLength(1)
    await say(refused)
    expect(fields.refusedBy(candidate)).toEqual(['reasoning'])
    expect(fields.refusedBy(other)).toEqual([])
    expect(reports).toEqual(['reasoning refused'])
    pass(hourMs - 1)
    fields.suggest(candidate, 'reasoning')
    expect(asked).toHaveLength(0)
    pass(1)
    expect(fields.refusedBy(candidate)).toEqual([])
    fields.suggest(candidate, 'reasoning')
    expect(asked).toHaveLength(1)
  })

  it('C1: stays in others where a neutral request is taken, which is not asked again for an hour', async () => {
    const { fields, asked, reports, pass, say } = create()
    fields.suggest(candidate, 'reasoning')
    await say({ kind: 'taken' })
    expect(fields.refusedBy(candidate)).toEqual([])
    expect(reports).toEqual(['reasoning taken'])
    pass(hourMs - 1)
    fields.suggest(candidate, 'reasoning')
    expect(asked).toHaveLength(0)
    pass(1)
    fields.suggest(candidate, 'reasoning')
    expect(asked).toHaveLength(1)
  })

  it('C1: stays in others while nothing is known, which is asked again after a minute', async () => {
    const { fields, asked, pass, say } = create()
    fields.suggest(candidate, 'reasoning')
    await say({ kind: 'unknown' })
    expect(fields.refusedBy(candidate)).toEqual([])
    pass(59_999)
    fields.suggest(candidate, 'reasoning')
    expect(asked).toHaveLength(0)
    pass(1)
    fields.suggest(candidate, 'reasoning')
    expect(asked).toHaveLength(1)
  })

  it('is asked for without the fields that are known already', async () => {
    const { fields, asked, say } = create()
    fields.suggest(candidate, 'reasoning')
    await say(refused)
    fields.suggest(candidate, 'user')
    expect(asked[0]).toMatchObject({ field: 'user', leftOut: ['reasoning'] })
    await say(refused)
    expect(fields.refusedBy(candidate)).toEqual(['reasoning', 'user'])
  })

  it('is asked for twice at a time, however many upstreams refuse it', async () => {
    const { fields, asked, say } = create()
    for (const one of [candidate, other, third]) fields.suggest(one, 'reasoning')
    expect(asked).toHaveLength(2)
    await say(refused)
    fields.suggest(third, 'reasoning')
    expect(asked).toHaveLength(2)
  })

  it("is known at once to the organization whose own key it is, at nobody's cost", () => {
    const { fields, asked, reports } = create()
    const own: Candidate = { ...candidate, billing: 'own_key' }
    fields.suggest(own, 'reasoning')
    expect(fields.refusedBy(own)).toEqual(['reasoning'])
    expect(asked).toHaveLength(0)
    expect(reports).toEqual(['reasoning refused'])
  })

  it('is never asked of a model that the gateway plays itself', () => {
    const { fields, asked } = create()
    fields.suggest({ ...candidate, account: { ...candidate.account, vendor: 'test' } }, 'reasoning')
    expect(asked).toHaveLength(0)
  })
})
