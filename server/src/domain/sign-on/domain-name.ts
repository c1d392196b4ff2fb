// Letters, digits and hyphens in at least two labels, the last of which is no number. Names in other scripts are given
// in their ASCII form.
const form = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?=[a-z])[a-z0-9-]{1,62}[a-z0-9]$/

/** A domain in its usual form, or null if the text is not a domain. */
export function parseDomain(text: string): string | null {
  const domain = text.trim().toLowerCase()
  return form.test(domain) ? domain : null
}

/** The domain of an email address, or null if there is none. A subdomain is another domain. */
export function domainOfAddress(address: string): string | null {
  return parseDomain(address.slice(address.lastIndexOf('@') + 1))
}

/** The name of the TXT record that verifies a domain. */
export function verificationName(domain: string): string {
  return `_weir-verification.${domain}`
}
