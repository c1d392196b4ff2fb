/** What the moderation that ships refuses in every text, so that operators can try it. */
export const moderationTestPhrase = 'WEIR-MODERATION-TEST-PHRASE'
