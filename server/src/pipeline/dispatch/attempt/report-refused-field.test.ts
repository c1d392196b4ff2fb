import { expect, it } from 'vitest'
import type { Candidate } from '#domain/routing/candidates.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { createReportRefusedField } from './report-refused-field.ts'

const [candidate = never()] = testTicket().plan.candidates
function never(): never {
  throw new Error('the test ticket has a candidate')
}

function create() {
  const counted: object[] = []
  const lines: object[] = []
  const report = createReportRefusedField({
    metrics: { refusedFields: { inc: (labels) => counted.push(labels) } },
    log: {
      info: (details, message) => lines.push({ level: 'info', ...details, message }),
      warn: (details, message) => lines.push({ level: 'warn', ...details, message }),
    },
  })
  return { report, counted, lines }
}

const field = { provider: 'openai', model: 'model', field: 'reasoning', account: 'first' }

it('counts a field that is refused, with the words for a neutral request and the command that ends it', () => {
  const { report, counted, lines } = create()
  report(candidate, 'reasoning', { kind: 'refused', words: 'Unknown parameter.' })
  expect(counted).toEqual([{ provider: 'openai', model: 'model', field: 'reasoning' }])
  expect(lines).toEqual([
    {
      level: 'warn',
      ...field,
      words: 'Unknown parameter.',
      override: 'weir provider override first --model model --leave-out reasoning',
      message: 'An upstream rejects a field that the gateway adds; the gateway omits it for an hour',
    },
  ])
})

it("neither counts a field of an own key's host nor gives a command for it", () => {
  const { report, counted, lines } = create()
  const own: Candidate = { ...candidate, billing: 'own_key' }
  report(own, 'reasoning', { kind: 'refused', words: '' })
  expect(counted).toEqual([])
  const message = 'An upstream rejects a field that the gateway adds; the gateway omits it for an hour'
  expect(lines).toEqual([{ level: 'warn', ...field, message }])
})

it.each(['taken', 'unknown'] as const)('C1: advises nothing for a field that is %s in a neutral request', (kind) => {
  const { report, counted, lines } = create()
  report(candidate, 'reasoning', { kind })
  expect(counted).toEqual([])
  const message = 'An upstream rejected a field that the gateway added to one request; other requests keep it'
  expect(lines).toEqual([{ level: 'info', ...field, neutralRequest: kind, message }])
})
