const names: Readonly<Record<string, string>> = {
  charge: 'Charge',
  top_up: 'Top-up',
  grant: 'Grant',
  redemption: 'Code redemption',
  grant_expired: 'Expired credit',
  correction: 'Correction',
  refund: 'Refund',
  dispute: 'Dispute opened',
  dispute_won: 'Dispute won',
  dispute_lost: 'Dispute lost',
  write_off: 'Write-off',
  customer_transfer: 'Customer transfer',
  fee: 'Fee (paid separately)',
  tax: 'Tax (paid separately)',
}

const plurals: Readonly<Record<string, string>> = {
  charge: 'Charges',
  top_up: 'Top-ups',
  grant: 'Grants',
  redemption: 'Code redemptions',
  grant_expired: 'Expired credit',
  correction: 'Corrections',
  refund: 'Refunds',
  dispute: 'Disputes opened',
  dispute_won: 'Disputes won',
  dispute_lost: 'Disputes lost',
  write_off: 'Write-offs',
  customer_transfer: 'Customer transfers',
  fee: 'Fees (paid separately)',
  tax: 'Taxes (paid separately)',
}

export function kindName(kind: string): string {
  return names[kind] ?? kind
}

export function kindNames(kind: string): string {
  return plurals[kind] ?? kind
}
