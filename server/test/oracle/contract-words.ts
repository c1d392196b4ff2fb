/**
 * What every gateway refuses as if it violated policy, so that clients can try out how they are refused (docs/api.md).
 */
export const moderationPhrase = 'WEIR-MODERATION-TEST-PHRASE'
