/**
 * The path to go to after a sign-in, if it is one of ours: a link must not send a person who has just signed in to
 * another site.
 */
export function ownPath(next: string | undefined): string {
  return next !== undefined && /^\/(?![/\\])[\w\-./?=&%+:,~]*$/.test(next) ? next : '/'
}
