/** The purpose of an email. */
export const mailClasses = ['sign_in', 'institution_code', 'invitation', 'notice', 'billing'] as const
export type MailClass = (typeof mailClasses)[number]

/**
 * Classes whose text contains a link or code that opens an account. The text is stored encrypted, and the address is
 * kept only until the email is closed.
 */
export const secretClasses: readonly MailClass[] = ['sign_in', 'institution_code', 'invitation']

/** How long a link in a sign-in email works, and so how long the email is worth sending. */
export const signInLinkLifeMs = 3_600_000

/** How long an email is retried if its content does not expire earlier. */
export const notificationLifeMs = 86_400_000
