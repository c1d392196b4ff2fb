/** The name by which operators know a customer: an organization's name, or a person's email address. */
export function nameOfCustomer({
  kind,
  name,
  address,
}: {
  readonly kind: 'user' | 'organization'
  readonly name: string
  /** Email address of a person, or slug of an organization. */
  readonly address: string | null
}): string {
  return kind === 'organization' ? name : (address ?? 'Deleted user')
}
