import type { BillingProfile, TaxId } from '#domain/billing/parties.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { isMailAddress } from '#lib/mail-address.ts'

/** Parses a profile that an owner sent. Missing fields are empty. */
export function readProfile(body: JsonObject): BillingProfile {
  const name = lineIn(body, 'name', 200)
  if (name === null) throw malformed('name must be a single-line string of 1 to 200 characters.')
  return {
    name,
    address: addressIn(body),
    country: matching(
      lineIn(body, 'country', 2),
      /^[A-Z]{2}$/,
      'country must be a two-letter code in capitals, such as DE.',
    ),
    taxId: taxIdIn(body),
    email: emailIn(body),
  }
}

function taxIdIn(body: JsonObject): TaxId | null {
  const kindForm = 'tax_id_kind must contain only lowercase letters, digits and underscores, such as eu_vat.'
  const kind = matching(lineIn(body, 'tax_id_kind', 30), /^[a-z][a-z0-9_]*$/, kindForm)
  const id = lineIn(body, 'tax_id', 50)
  if ((kind === null) !== (id === null)) throw malformed('tax_id and tax_id_kind must be sent together.')
  return kind === null || id === null ? null : { kind, id }
}

function emailIn(body: JsonObject): string | null {
  const email = lineIn(body, 'email', 254)
  if (email !== null && !isMailAddress(email)) throw malformed('email must be a single email address.')
  return email
}

function addressIn(body: JsonObject): string {
  const text = textIn(body, 'address', 500) ?? ''
  const lines = text.split(/\r?\n/)
  if (lines.length > 6 || lines.some(hasControl)) throw malformed('address must be a string of at most 6 lines.')
  return lines.join('\n')
}

function lineIn(body: JsonObject, name: string, lengthMax: number): string | null {
  const text = textIn(body, name, lengthMax)
  if (text !== null && hasControl(text)) throw malformed(`${name} must be a single line.`)
  return text
}

function textIn(body: JsonObject, name: string, lengthMax: number): string | null {
  const value = body[name] ?? null
  if (value === null) return null
  if (typeof value !== 'string' || value.length > lengthMax || !value.isWellFormed()) {
    throw malformed(`${name} must be a string of at most ${lengthMax} characters.`)
  }
  const text = value.trim()
  return text === '' ? null : text
}

function hasControl(text: string): boolean {
  return /\p{Cc}/u.test(text)
}

function matching(text: string | null, form: RegExp, otherwise: string): string | null {
  if (text !== null && !form.test(text)) throw malformed(otherwise)
  return text
}
