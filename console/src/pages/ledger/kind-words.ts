const names: Readonly<Record<string, string>> = {
  charge: 'Request',
  top_up: 'Top-up',
  grant: 'Grant',
  correction: 'Correction',
  fee: 'Fee, paid beside the wallet',
  tax: 'Tax, paid beside the wallet',
}

const plurals: Readonly<Record<string, string>> = {
  charge: 'Requests',
  top_up: 'Top-ups',
  grant: 'Grants',
  correction: 'Corrections',
  fee: 'Fees, paid beside the wallet',
  tax: 'Taxes, paid beside the wallet',
}

export function kindName(kind: string): string {
  return names[kind] ?? kind
}

export function kindNames(kind: string): string {
  return plurals[kind] ?? kind
}
