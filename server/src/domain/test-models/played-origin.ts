/** The origin of test models: a name that no resolver knows, because the process itself serves them. */
export const playedOrigin = 'http://played.invalid'
