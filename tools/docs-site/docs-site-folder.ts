/** It has VitePress, from a lock file of its own. */
export const docsSiteFolder = import.meta.dirname
