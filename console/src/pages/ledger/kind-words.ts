const names: Readonly<Record<string, string>> = {
  charge: 'Request',
  top_up: 'Top-up',
  grant: 'Grant',
  redemption: 'Code',
  grant_expired: 'Expired',
  correction: 'Correction',
  refund: 'Refund',
  dispute: 'Dispute opened',
  dispute_won: 'Dispute won',
  dispute_lost: 'Dispute lost',
  write_off: 'Debt given up',
  fee: 'Fee, paid beside the wallet',
  tax: 'Tax, paid beside the wallet',
}

const plurals: Readonly<Record<string, string>> = {
  charge: 'Requests',
  top_up: 'Top-ups',
  grant: 'Grants',
  redemption: 'Codes',
  grant_expired: 'Expired',
  correction: 'Corrections',
  refund: 'Refunds',
  dispute: 'Disputes opened',
  dispute_won: 'Disputes won',
  dispute_lost: 'Disputes lost',
  write_off: 'Debts given up',
  fee: 'Fees, paid beside the wallet',
  tax: 'Taxes, paid beside the wallet',
}

export function kindName(kind: string): string {
  return names[kind] ?? kind
}

export function kindNames(kind: string): string {
  return plurals[kind] ?? kind
}
