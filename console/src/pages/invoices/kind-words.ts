import type { BillingDocument } from '../../api/billing.ts'

const names = {
  receipt: 'Receipt',
  credit_note: 'Credit note',
  invoice: 'Invoice',
} as const satisfies Readonly<Record<BillingDocument['kind'], string>>

export function documentName(kind: BillingDocument['kind']): string {
  return names[kind]
}
