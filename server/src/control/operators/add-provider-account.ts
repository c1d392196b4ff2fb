import { noDiscount } from '#domain/money/provider-cost.ts'
import { malformed } from '#errors/malformed.ts'
import { seal, type SealingKey } from '#lib/seal.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import type { Operators, ProviderAccountTerms } from '#ports/operators.ts'
import { assertAccountTerms } from './change-provider-account.ts'
import { platformEntry } from './platform-entry.ts'
import { parseCredential } from './replace-provider-key.ts'
import { assertApi, type VendorTerms } from './vendor-terms.ts'

export interface ProviderAccountInput extends Partial<ProviderAccountTerms> {
  vendor: string
  /** Defaults to the vendor's slug. It is required for a second account of the same vendor. */
  name?: string | undefined
  baseUrl?: string | undefined
  credential?: string | undefined
}

const nameForm = /^[a-z0-9][a-z0-9._-]{0,63}$/

/** The credential is encrypted for the account's id, so a copy in another row cannot be decrypted. */
export async function addProviderAccount(
  deps: { operators: Operators; sealingKey: SealingKey; vendors: readonly VendorTerms[] },
  input: ProviderAccountInput,
  author: ChangeAuthor,
): Promise<{ id: Uuid; name: string }> {
  const vendor = deps.vendors.find(({ slug }) => slug === input.vendor)
  if (vendor === undefined) {
    throw malformed(`Unknown provider ${input.vendor}. Use one of ${deps.vendors.map(({ slug }) => slug).join(', ')}.`)
  }
  const name = input.name ?? vendor.slug
  if (!nameForm.test(name)) throw malformed('An account name can only contain a-z, 0-9, dots, dashes and underscores.')
  const baseUrl = input.baseUrl === undefined ? null : parseBaseUrl(input.baseUrl)
  if (baseUrl === null && vendor.baseUrl === null)
    throw malformed(`${vendor.slug} requires a base URL: the URL of your server.`)
  const credential = parseCredential(input.credential ?? '')
  if (credential === '' && vendor.needsCredential) throw malformed(`${vendor.slug} requires a key.`)
  assertAccountTerms(input)
  const { weight = 1, keepsPrompts = null, variant = '', api = null, discountPpm = noDiscount } = input
  assertApi(api, vendor)
  const id = newUuid(author.nowMs)
  const account = { name, vendor: vendor.slug, baseUrl, weight, keepsPrompts, variant, api, discountPpm }
  const added = await deps.operators.addAccount(
    { ...account, id, credential: credential === '' ? null : seal(deps.sealingKey, credential, id) },
    platformEntry(author, { action: 'provider.add', target: { kind: 'provider', id }, after: account }),
  )
  if (!added) throw malformed(`A provider account named ${name} already exists.`)
  return { id, name }
}

function parseBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) {
    throw malformed('The base URL must start with http:// or https://.')
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw malformed('The base URL must not contain a user, query or fragment. Pass the credential as the key.')
  }
  return url.href.replace(/\/+$/, '')
}
