/**
 * The path to open after sign-in. It must be on this site, so that a link cannot redirect a signed-in person elsewhere.
 */
export function ownPath(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[\w\-./?=&%+:,~]*$/.test(next) ? next : '/'
}
