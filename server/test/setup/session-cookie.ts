/** The name of the browser's session cookie. */
export const sessionCookieName = 'weir_session'
