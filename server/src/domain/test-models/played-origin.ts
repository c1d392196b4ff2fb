/** The origin of test models: a name that no resolver knows, so that the process itself answers. */
export const playedOrigin = 'http://played.invalid'
