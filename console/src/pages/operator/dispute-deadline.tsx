import type { Dispute } from '../../api/operator.ts'
import { Badge } from '../../ui/badge.tsx'
import { Time } from '../../ui/time.tsx'
import { urgencyOf } from './dispute-words.ts'

/** Until when evidence can be sent, with a badge in the last three days. */
export function DisputeDeadline({ dispute }: { readonly dispute: Pick<Dispute, 'open' | 'evidence_due_at'> }) {
  const urgency = urgencyOf(dispute, Date.now())
  if (urgency === 'none') return <span className="text-muted">–</span>
  return (
    <span className="flex items-center gap-2">
      <Time iso={dispute.evidence_due_at} absolute />
      {urgency === 'soon' ? <Badge tone="warn">Due soon</Badge> : null}
      {urgency === 'overdue' ? <Badge tone="bad">Overdue</Badge> : null}
    </span>
  )
}
