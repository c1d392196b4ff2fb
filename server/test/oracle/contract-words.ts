/** Every gateway rejects this phrase as a policy violation, so that clients can test it (docs/api.md). */
export const moderationPhrase = 'WEIR-MODERATION-TEST-PHRASE'
