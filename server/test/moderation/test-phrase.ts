/** The built-in moderation rejects this phrase in every text, so that operators can try it. */
export const moderationTestPhrase = 'WEIR-MODERATION-TEST-PHRASE'
