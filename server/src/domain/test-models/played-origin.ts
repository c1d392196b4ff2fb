/** The origin of test models: no host, so that the process itself answers. */
export const playedOrigin = 'played://test'
