import type { Candidate } from '#domain/routing/candidates.ts'
import { publicText } from '#lib/public-text.ts'
import type { UnknownKind } from '#providers/note-unknown.ts'

export type ReportUnknown = (candidate: Answering, kind: UnknownKind, name: string) => void

/** The candidate's data that the report names. */
type Answering = Pick<Candidate, 'billing' | 'upstreamModel'> & {
  readonly account: Pick<Candidate['account'], 'vendor'>
}

export interface ReportUnknownDeps {
  readonly metrics: { readonly unknownWords: { inc(labels: { provider: string; kind: UnknownKind }): void } }
  readonly log: { warn(details: object, message: string): void }
}

/** The maximum number of distinct words that are logged, for all providers together. The metric counts every word. */
const loggedMax = 1_000

/**
 * Counts words in a provider's answers that no table knows, because the provider may bill for something that clients
 * are not charged for. The log has each word once per provider. Answers to an organization's own key don't count: its
 * upstream may be its own server.
 */
export function createReportUnknown({ metrics, log }: ReportUnknownDeps): ReportUnknown {
  const logged = new Set<string>()
  return ({ account: { vendor: provider }, billing, upstreamModel }, kind, name) => {
    if (billing === 'own_key') return
    metrics.unknownWords.inc({ provider, kind })
    const word = plain(name)
    const entry = `${provider} ${kind} ${word}`
    if (logged.size >= loggedMax || logged.has(entry)) return
    logged.add(entry)
    log.warn(
      { provider, model: upstreamModel, kind, word },
      'A provider sent an unknown word in an answer; it may bill for something that clients are not charged for',
    )
  }
}

/**
 * The provider's word, made safe for a log line: without secrets, and without characters that do not occur in names.
 */
function plain(name: string): string {
  return publicText(name)
    .replace(/[^\w.:-]/g, '?')
    .slice(0, 80)
}
