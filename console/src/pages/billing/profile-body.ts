import type { BillingProfile } from '../../api/billing.ts'

/** The form's values. An empty string means not set. */
export interface ProfileFields {
  readonly name: string
  readonly address: string
  readonly country: string
  readonly taxIdKind: string
  readonly taxId: string
  readonly email: string
}

export const emptyProfile: ProfileFields = { name: '', address: '', country: '', taxIdKind: '', taxId: '', email: '' }

export function profileFields(profile: BillingProfile): ProfileFields {
  const { name, address, country, tax_id_kind: kind, tax_id: id, email } = profile
  return { name, address, country: country ?? '', taxIdKind: kind ?? '', taxId: id ?? '', email: email ?? '' }
}

export function profileBody({ name, address, country, taxIdKind, taxId, email }: ProfileFields): BillingProfile {
  return {
    name: name.trim(),
    address: address.trim(),
    country: textOrNull(country.toUpperCase()),
    tax_id_kind: textOrNull(taxIdKind),
    tax_id: textOrNull(taxId),
    email: textOrNull(email),
  }
}

function textOrNull(text: string): string | null {
  const trimmed = text.trim()
  return trimmed === '' ? null : trimmed
}
