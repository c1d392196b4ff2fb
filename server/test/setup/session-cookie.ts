/** As browsers know it: whoever is signed in keeps it. */
export const sessionCookieName = 'weir_session'
