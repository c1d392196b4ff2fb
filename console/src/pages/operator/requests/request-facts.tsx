import type { ReactNode } from 'react'
import type { RequestTrace } from '../../../api/operated-requests.ts'
import { Facts } from '../../../ui/facts.tsx'
import { Money } from '../../../ui/money.tsx'
import { Card } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { CustomerLink } from '../customer-link.tsx'

type Fact = readonly [label: string, value: ReactNode]

const states: Readonly<Record<RequestTrace['state'], string>> = {
  settled: 'Finished',
  running: 'Running',
  lapsed: 'Lost: its gateway stopped',
  refused: 'Refused',
}

/** Whose request it is, and what became of it. */
export function RequestFacts({ request }: { readonly request: RequestTrace }) {
  const { organization, user, team, key } = request
  return (
    <Card title="Summary">
      <Facts
        facts={[
          ['Status', states[request.state]],
          ['Received', <Time key="at" iso={request.received_at} absolute />],
          ['Customer', <CustomerLink key="customer" customer={organization ?? personOf(user)} />],
          ...(organization === null || user === null
            ? []
            : [['User', <CustomerLink key="user" customer={personOf(user)} />] satisfies Fact]),
          ...(team === null ? [] : [['Team', team.name ?? 'Deleted team'] satisfies Fact]),
          ['API key', `${key.name ?? 'Deleted key'} ${key.shown ?? ''}`],
          ...refusalFacts(request),
          ...receiptFacts(request),
          ...(request.hold === null ? [] : [['On hold', <Money key="hold" usd={request.hold.held} />] satisfies Fact]),
        ]}
      />
    </Card>
  )
}

function personOf(user: RequestTrace['user']) {
  return user === null ? null : { id: user.id, name: user.email }
}

function refusalFacts({ refusal }: RequestTrace): readonly Fact[] {
  if (refusal === null) return []
  return [
    ['Refused with', `${refusal.status} ${refusal.error}`],
    ['Model', refusal.model ?? '–'],
    ['Reason', refusal.reason],
    ['What to do', refusal.remedy],
  ]
}

function receiptFacts({ receipt, provider_cost: providerCost }: RequestTrace): readonly Fact[] {
  if (receipt === null) return []
  return [
    ['Model', receipt.model ?? '–'],
    ['Provider', receipt.provider ?? '–'],
    ['Duration', `${receipt.duration_ms} ms`],
    ['Cost', <Money key="cost" usd={receipt.total_cost} />],
    ...(providerCost === null ? [] : [['Provider cost', <Money key="bought" usd={providerCost} />] satisfies Fact]),
  ]
}
