/** Tells every process to load again. */
export const bumpRevision = `UPDATE revisions SET revision = revision + 1 WHERE topic = 'catalogue'`
