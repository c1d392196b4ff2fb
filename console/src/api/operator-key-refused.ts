/** The code of a refusal of an operator's key, so that it is not taken for the end of the person's own session. */
export const operatorKeyRefused = 'operator_key_refused'
