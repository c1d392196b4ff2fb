import { Link } from '@tanstack/react-router'
import type { Generation } from '../../api/generations.ts'
import { exactUsd, toNano } from '../../lib/money.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/column.ts'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { durationInWords, kindInWords, refundInShort, refundTone } from './words.ts'

const count = new Intl.NumberFormat('en')
const none = <span className="text-muted">–</span>

/** Columns for the request and its model. */
const whatColumns: readonly Column<Generation>[] = [
  {
    id: 'time',
    header: 'Time',
    // A real link can be opened in a new tab, and screen readers find it.
    cell: ({ id, created_at }) => (
      <Link to="/requests/$requestId" params={{ requestId: id }} search={true} className="rounded hover:underline">
        <Time iso={created_at} />
      </Link>
    ),
    csv: ({ created_at }) => created_at,
    width: 100,
    onPhone: 'figure',
  },
  {
    id: 'id',
    header: 'ID',
    cell: ({ id }) => <code className="font-mono text-xs">{id}</code>,
    csv: ({ id }) => id,
    width: 290,
    isHidden: true,
  },
  {
    id: 'model',
    header: 'Model',
    cell: ({ model }) =>
      model === null ? <span className="text-muted">None</span> : <span className="font-mono text-xs">{model}</span>,
    csv: ({ model }) => model ?? '',
    width: 217,
    onPhone: 'title',
  },
  { id: 'kind', header: 'Type', cell: kindOf, csv: kindOf, width: 120, isHidden: true },
  {
    id: 'provider',
    header: 'Provider',
    cell: ({ provider }) => provider ?? <span className="text-muted">None</span>,
    csv: ({ provider }) => provider ?? '',
    width: 115,
  },
]

/** Columns for the outcome and the cost. */
const howColumns: readonly Column<Generation>[] = [
  {
    id: 'app',
    header: 'Application',
    cell: ({ app_name }) => app_name ?? <span className="text-muted">None</span>,
    csv: ({ app_name }) => app_name ?? '',
    width: 140,
    isHidden: true,
  },
  {
    id: 'state',
    header: 'Result',
    cell: outcomeOf,
    csv: ({ refusal, refund_reason }) => (refusal === null ? (refund_reason ?? 'charged') : `refused ${refusal.code}`),
    width: 140,
    onPhone: 'figure',
  },
  {
    id: 'attempts',
    header: 'Attempts',
    cell: ({ refusal, attempt_count, is_failover }) =>
      refusal !== null ? (
        none
      ) : is_failover ? (
        <Badge tone="warn">{String(attempt_count)}</Badge>
      ) : (
        String(attempt_count)
      ),
    csv: ({ attempt_count }) => String(attempt_count),
    align: 'right',
    width: 88,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    cell: (request) => (request.refusal === null ? tokensOf(request) : none),
    csv: ({ refusal, usage }) => (refusal === null ? `${usage.prompt_tokens} + ${usage.completion_tokens}` : ''),
    align: 'right',
    width: 135,
  },
  {
    id: 'first',
    header: 'First token',
    cell: ({ first_token_ms }) => (first_token_ms === null ? '–' : durationInWords(Number(first_token_ms))),
    csv: ({ first_token_ms }) => (first_token_ms === null ? '' : String(first_token_ms)),
    align: 'right',
    width: 105,
    isHidden: true,
  },
  {
    id: 'duration',
    header: 'Duration',
    cell: ({ refusal, duration_ms }) => (refusal === null ? durationInWords(Number(duration_ms)) : none),
    csv: ({ refusal, duration_ms }) => (refusal === null ? String(duration_ms) : ''),
    align: 'right',
    width: 85,
  },
  {
    id: 'cost',
    header: 'Cost (USD)',
    cell: ({ total_cost }) => <Money usd={total_cost} />,
    csv: ({ total_cost }) => exactUsd(toNano(total_cost)),
    align: 'right',
    width: 145,
    onPhone: 'figure',
  },
]

function kindOf({ endpoint }: Generation): string {
  return kindInWords(endpoint)
}

function outcomeOf({ refusal, refund_reason, finish_reason }: Generation) {
  if (refusal !== null) {
    return (
      <Badge tone="bad" hint={refusal.reason}>
        Refused ({String(refusal.status)})
      </Badge>
    )
  }
  if (refund_reason !== null) {
    return (
      <span className="flex items-center gap-1.5">
        <Badge tone={refundTone(refund_reason)}>{refundInShort(refund_reason)}</Badge>
        <span className="truncate text-muted">{finish_reason}</span>
      </span>
    )
  }
  return <span className="text-muted">{finish_reason ?? 'Charged'}</span>
}

function tokensOf({ usage }: Generation): string {
  return `${count.format(Number(usage.prompt_tokens))} → ${count.format(Number(usage.completion_tokens))}`
}

const keyName = ({ api_key_name, api_key_id }: Generation) => api_key_name ?? `…${api_key_id.slice(-6)}`
const keyColumn: Column<Generation> = { id: 'key', header: 'API key', cell: keyName, csv: keyName, width: 115 }

/** Columns for the person and team that made the request. */
const ownerColumns: readonly Column<Generation>[] = [
  {
    id: 'member',
    header: 'Member',
    cell: ({ member }) => (member === null ? <span className="text-muted">None</span> : <Person of={member} />),
    csv: ({ member }) => member?.email ?? '',
    width: 130,
    onPhone: 'figure',
  },
  {
    id: 'team',
    header: 'Team',
    cell: ({ team }) =>
      team === null ? <span className="text-muted">None</span> : (team.name ?? <em className="text-muted">Deleted</em>),
    csv: ({ team }) => team?.name ?? '',
    width: 115,
  },
]

function Person({ of: { name, email } }: { readonly of: { readonly name: string; readonly email: string } }) {
  return <span title={email}>{name}</span>
}

const personal = [...whatColumns, keyColumn, ...howColumns]
const shared = [...whatColumns, keyColumn, ...ownerColumns, ...howColumns]

/** The columns of the request list. Only an organization's requests are made by different people. */
export function requestColumnsOf(kind: 'person' | 'organization'): readonly Column<Generation>[] {
  return kind === 'person' ? personal : shared
}
