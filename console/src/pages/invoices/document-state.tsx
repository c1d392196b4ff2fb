import type { BillingDocument } from '../../api/billing.ts'
import { Badge } from '../../ui/badge.tsx'
import { stateInWords } from './document-names.ts'

/** Whether an invoice is paid. Other documents record money that has already moved. */
export function DocumentState({ document }: { readonly document: BillingDocument }) {
  const { kind, paid_at: paidAt, suspends } = document
  const tone = kind !== 'invoice' ? 'neutral' : paidAt !== null ? 'good' : suspends ? 'bad' : 'warn'
  return <Badge tone={tone}>{stateInWords(document)}</Badge>
}
