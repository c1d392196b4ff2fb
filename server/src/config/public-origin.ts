/** The origin of the public URL, without its path, or null if none is configured. */
export function publicOriginOf({ publicUrl }: { readonly publicUrl: string | null }): string | null {
  return publicUrl === null ? null : new URL(publicUrl).origin
}

/** The origins whose pages may act for a signed-in person. */
export function ownOriginsOf(http: { readonly publicUrl: string | null }): readonly string[] {
  const origin = publicOriginOf(http)
  return origin === null ? [] : [origin]
}

/**
 * The origin for links in mails. Start-up rejects a mail server without a public URL; without a mail server no mail
 * carries a link.
 */
export function linkOriginOf(http: { readonly publicUrl: string | null }): string {
  return publicOriginOf(http) ?? 'http://localhost'
}
