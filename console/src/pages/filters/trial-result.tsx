import type { FilterTrial } from '../../api/filters.ts'
import { plural } from '../../lib/plural.ts'
import { Badge } from '../../ui/badge.tsx'
import { actionWords } from './filter-words.ts'
import { markMatches } from './mark-matches.ts'

/** What would happen to a request with this text: the matches, and the text as it would be sent. */
export function TrialResult({ trial, text }: { readonly trial: FilterTrial; readonly text: string }) {
  const matches = trial.rules.flatMap((rule) => rule.matches)
  const spans = matches.map(({ start, end }) => ({ start: Number(start), end: Number(end) }))
  return (
    <div role="status" className="flex flex-col gap-3 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        {trial.outcome === 'none' ? (
          <Badge tone="good">Allowed</Badge>
        ) : (
          <Badge tone={actionWords[trial.outcome].tone}>{actionWords[trial.outcome].done}</Badge>
        )}
        <span>
          {spans.length === 0 ? 'No matches. The request is sent unchanged.' : plural(spans.length, 'match', 'matches')}
        </span>
      </p>
      {spans.length === 0 ? null : (
        <p className="whitespace-pre-wrap break-words rounded-md border border-line bg-raised p-3">
          {markMatches(text, spans).map(({ text: part, isMatch }, index) =>
            isMatch ? (
              // The parts are computed once for each result, so the index is a stable key.
              <mark key={index} className="rounded bg-warn-soft px-0.5 font-medium text-warn">
                {part}
              </mark>
            ) : (
              <span key={index}>{part}</span>
            ),
          )}
        </p>
      )}
      {trial.outcome === 'redact' ? (
        <div>
          <h3 className="mb-1 text-muted text-xs">Sent to the model</h3>
          <p className="whitespace-pre-wrap break-words rounded-md border border-line bg-raised p-3">{trial.text}</p>
        </div>
      ) : null}
      <Hits trial={trial} />
      {trial.rules.some(({ timedOut }) => timedOut) ? (
        <p className="text-warn">
          A filter ran out of time on this text. Filters that block or redact reject such requests.
        </p>
      ) : null}
    </div>
  )
}

/** Which saved filters matched. */
function Hits({ trial }: { readonly trial: FilterTrial }) {
  const hits = trial.rules.filter(({ name, outcome }) => name !== null && outcome !== 'none')
  if (hits.length === 0) return null
  return (
    <ul className="flex flex-col gap-1">
      {hits.map(({ id, name, action, matches }) => (
        <li key={id} className="flex items-center gap-2">
          <Badge tone={actionWords[action].tone}>{actionWords[action].label}</Badge>
          <span className="min-w-0 truncate">{name}</span>
          <span className="figures text-muted">{plural(matches.length, 'match', 'matches')}</span>
        </li>
      ))}
    </ul>
  )
}
