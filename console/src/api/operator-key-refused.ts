/** The error code for a rejected operator key. It keeps the console from treating the error as an expired session. */
export const operatorKeyRefused = 'operator_key_refused'
