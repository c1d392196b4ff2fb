/** VitePress is installed here, from its own lock file. */
export const docsSiteFolder = import.meta.dirname
