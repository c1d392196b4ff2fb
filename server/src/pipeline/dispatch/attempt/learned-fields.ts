import type { Candidate } from '#domain/routing/candidates.ts'
import { setBounded } from '#lib/set-bounded.ts'
import { isPlayed } from './vendor-of.ts'

/**
 * Fields that an upstream rejects for every client of a model. One client's rejection only suggests a field: while the
 * gateway sends its own test request, the field is `asked`; then it is `refused` or `taken`. The result holds for an
 * hour, so that a provider's change affects few requests, and a hostile client affects only its own.
 */
export interface LearnedFields {
  /** The fields that the gateway omits from every request. */
  refusedBy(candidate: Candidate): readonly string[]
  /**
   * Returns at once: no request waits for the confirmation. The field must be one of the protocol's learnable fields.
   */
  suggest(candidate: Candidate, field: string): void
}

/** The reaction of an upstream to a field in a test request without any client's data. */
export type Confirmation =
  /** It accepts the request only without the field. `words` is its error message, which quotes only our own request. */
  | { readonly kind: 'refused'; readonly words: string }
  | { readonly kind: 'taken' }
  /** The test failed, or the upstream rejects both requests. */
  | { readonly kind: 'unknown' }

/** Tests a rejection. Never rejects. `leftOut` are the fields that the upstream is known to reject. */
export type ConfirmRefusal = (candidate: Candidate, field: string, leftOut: readonly string[]) => Promise<Confirmation>

/** Receives the result of a suggestion. `words` is empty for an own key, whose upstream gets no test request. */
export type ReportRefusedField = (candidate: Candidate, field: string, confirmation: Confirmation) => void

interface LearnedFieldsDeps {
  readonly confirm: ConfirmRefusal
  readonly report: ReportRefusedField
  readonly nowMs: () => number
}

interface Learned {
  isRefused: boolean
  untilMs: number
}

const holdsForMs = 3_600_000
// Pause before another test after a failed one.
const askAgainAfterMs = 60_000
const asksMax = 2
const entriesMax = 1_000

export function createLearnedFields({ confirm, report, nowMs }: LearnedFieldsDeps): LearnedFields {
  const learned = new Map<string, Map<string, Learned>>()
  let asks = 0

  const refusedBy = (candidate: Candidate): readonly string[] => {
    if (learned.size === 0) return none
    const fields = learned.get(keyOf(candidate))
    if (fields === undefined) return none
    return [...fields].filter(([, { isRefused, untilMs }]) => isRefused && untilMs > nowMs()).map(([field]) => field)
  }

  function note(candidate: Candidate, field: string, isRefused: boolean, forMs = holdsForMs): void {
    const fields = learned.get(keyOf(candidate)) ?? new Map<string, Learned>()
    fields.set(field, { isRefused, untilMs: nowMs() + forMs })
    setBounded(learned, keyOf(candidate), fields, entriesMax)
  }

  async function ask(candidate: Candidate, field: string): Promise<void> {
    const confirmation = await confirm(candidate, field, refusedBy(candidate))
    note(
      candidate,
      field,
      confirmation.kind === 'refused',
      confirmation.kind === 'unknown' ? askAgainAfterMs : undefined,
    )
    report(candidate, field, confirmation)
  }

  return {
    refusedBy,
    suggest: (candidate, field) => {
      const known = learned.get(keyOf(candidate))?.get(field)
      if (isPlayed(candidate) || (known !== undefined && known.untilMs > nowMs())) return
      if (candidate.billing === 'own_key') {
        // The account belongs to one tenant, who would have to pay for the test request.
        note(candidate, field, true)
        report(candidate, field, { kind: 'refused', words: '' })
        return
      }
      if (asks >= asksMax) return
      asks += 1
      // No second test starts before the upstream has responded.
      note(candidate, field, false)
      void ask(candidate, field).finally(() => {
        asks -= 1
      })
    },
  }
}

const none: readonly string[] = []

function keyOf({ account, upstreamModel }: Candidate): string {
  return `${account.id} ${upstreamModel}`
}
