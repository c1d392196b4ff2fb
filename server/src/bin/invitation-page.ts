import { publicOriginOf } from '#config/public-origin.ts'

/** The console's page for an invitation. A path if no public URL is configured; the console knows its own origin. */
export function invitationPageOf(config: { readonly http: { readonly publicUrl: string | null } }): string {
  return `${publicOriginOf(config.http) ?? ''}/console/invitation`
}
