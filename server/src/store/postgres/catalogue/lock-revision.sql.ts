/** Imports take turns. Readers of the revision are not held up by this. */
export const lockRevision = `SELECT FROM revisions WHERE topic = 'catalogue' FOR UPDATE`
