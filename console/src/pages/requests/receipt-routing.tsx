import { CircleCheck, CircleMinus, CircleX } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../../lib/class-names.ts'
import { formatDecimal, multiply, parseDecimal } from '../../lib/decimal.ts'
import { Badge } from '../../ui/badge.tsx'
import { Money } from '../../ui/money.tsx'
import type { Receipt } from './receipt-query.ts'
import { durationInWords, outcomeInWords, ruleInWords } from './words.ts'

type Routing = Receipt['routing']
type Attempt = Routing['attempts'][number]
type CandidateTerms = Routing['candidates'][number]

const million = parseDecimal('1000000')

/** The candidates, the rule that excluded each one, and the attempts on a time line. */
export function ReceiptRouting({ receipt }: { readonly receipt: Receipt }) {
  const { routing, provider, cache } = receipt
  return (
    <section aria-labelledby="receipt-routing">
      <div className="mb-2 flex items-center gap-2">
        <h3 id="receipt-routing" className="font-semibold text-sm">
          {provider === null ? 'Routing: no provider' : `Routing: ${provider}`}
        </h3>
        {routing.auto_tier === null ? null : <Badge tone="accent">{`Auto: ${routing.auto_tier}`}</Badge>}
      </div>
      <ol className="divide-y divide-line rounded-lg border border-line text-sm">
        {routing.candidates.map((candidate, index) => (
          <Candidate
            key={`${candidate.model} ${candidate.provider}`}
            place={index + 1}
            candidate={candidate}
            isCached={cache === 'hit'}
            attempts={routing.attempts.filter((attempt) => isOf(attempt, candidate))}
          />
        ))}
        {routing.excluded.map(({ model, provider: left, rule }) => (
          <Row
            key={`${model} ${left} ${rule}`}
            icon={<CircleMinus size={16} aria-hidden="true" className="text-muted" />}
          >
            <Names model={model} provider={left ?? 'All providers'} />
            <span className="text-muted">Skipped: {ruleInWords(rule)}</span>
          </Row>
        ))}
        {routing.candidates.length + routing.excluded.length === 0 ? (
          <Row icon={<CircleMinus size={16} aria-hidden="true" className="text-muted" />}>
            <span className="text-muted">No providers were considered.</span>
          </Row>
        ) : null}
      </ol>
      <TimeLine receipt={receipt} />
    </section>
  )
}

function isOf(attempt: Attempt, candidate: { readonly model: string; readonly provider: string }): boolean {
  return attempt.provider === candidate.provider && attempt.model === candidate.model
}

function Candidate({
  place,
  candidate,
  isCached,
  attempts,
}: {
  readonly place: number
  readonly candidate: CandidateTerms
  /** Whether the response cache answered, so no provider was called. */
  readonly isCached: boolean
  readonly attempts: readonly Attempt[]
}) {
  const last = attempts.at(-1)
  const icon =
    last === undefined || last.outcome === 'hedge_lost' ? (
      <CircleMinus size={16} aria-hidden="true" className="text-muted" />
    ) : last.outcome === 'answered' ? (
      <CircleCheck size={16} aria-hidden="true" className="text-good" />
    ) : (
      <CircleX size={16} aria-hidden="true" className="text-bad" />
    )
  return (
    <Row icon={icon}>
      <span className="figures w-4 text-muted">{place}</span>
      <Names model={candidate.model} provider={candidate.provider} />
      <span className="text-muted">
        {last !== undefined
          ? `Tried: ${outcomeInWords(last.outcome)}`
          : isCached
            ? 'Not called: answered from the cache'
            : 'Not needed: an earlier provider responded'}
        {last?.status === undefined || last.status === null || last.outcome === 'answered'
          ? ''
          : ` (HTTP ${last.status})`}
      </span>
      <Price candidate={candidate} hasAnswered={last?.outcome === 'answered'} />
    </Row>
  )
}

/** The price at that time, and for other candidates the cost of the same quantities. */
function Price({ candidate, hasAnswered }: { readonly candidate: CandidateTerms; readonly hasAnswered: boolean }) {
  const { prompt_price_usd: prompt, completion_price_usd: completion, would_cost: cost } = candidate
  const isCompared = cost !== null && !hasAnswered
  if (prompt === null && completion === null && !isCompared) return null
  return (
    <span className="figures flex basis-full flex-wrap gap-x-3 pl-6 text-xs">
      {prompt === null || completion === null ? null : (
        <span className="text-muted">
          {byMillion(prompt)} input, {byMillion(completion)} output per 1M tokens
        </span>
      )}
      {isCompared ? (
        <span>
          Would have cost <Money usd={cost} />
        </span>
      ) : null}
    </span>
  )
}

function byMillion(usd: string): string {
  return `$${formatDecimal(multiply(parseDecimal(usd), million))}`
}

function Row({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <li className="flex min-h-9 flex-wrap items-center gap-x-2 gap-y-0.5 px-3 py-2">
      {icon}
      {children}
    </li>
  )
}

function Names({ model, provider }: { readonly model: string; readonly provider: string }) {
  return (
    <>
      <span className="font-medium">{provider}</span>
      <code className="font-mono text-muted text-xs">{model}</code>
    </>
  )
}

/** Draws attempts one after the other, although those of a hedged request overlap: a receipt has no start times. */
function TimeLine({ receipt: { routing, duration_ms } }: { readonly receipt: Receipt }) {
  const lengths = routing.attempts.map((attempt) => Number(attempt.duration_ms))
  const wholeMs = Math.max(
    lengths.reduce((sum, length) => sum + length, 0),
    Number(duration_ms),
    1,
  )
  if (routing.attempts.length === 0) return null
  return (
    <ol aria-label="Attempt timeline" className="figures mt-3 flex flex-col gap-1.5 text-xs">
      {routing.attempts.map((attempt, index) => {
        const beforeMs = lengths.slice(0, index).reduce((sum, length) => sum + length, 0)
        const lengthMs = lengths[index] ?? 0
        return (
          // The same provider may be tried twice, and a receipt never changes, so the index is a stable key.
          <li key={index} className="grid grid-cols-[minmax(80px,120px)_1fr_64px] items-center gap-3">
            <span className="truncate text-muted">{attempt.provider}</span>
            <span className="relative block h-2.5 rounded bg-raised">
              <span
                style={{
                  left: `${(beforeMs / wholeMs) * 100}%`,
                  width: `${Math.max((lengthMs / wholeMs) * 100, 0.5)}%`,
                }}
                className={classNames(
                  'absolute inset-y-0 block rounded',
                  attempt.outcome === 'answered'
                    ? 'bg-accent'
                    : attempt.outcome === 'hedge_lost'
                      ? 'bg-line-strong'
                      : 'bg-bad-fill',
                )}
              />
            </span>
            <span className="text-right">{durationInWords(lengthMs)}</span>
          </li>
        )
      })}
    </ol>
  )
}
