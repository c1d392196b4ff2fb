-- Lists a member's own videos, or the videos of one key, in a shared wallet.
CREATE INDEX video_jobs_member ON video_jobs (wallet_id, (asker ->> 'memberId'), id);
CREATE INDEX video_jobs_key ON video_jobs (wallet_id, (asker ->> 'keyId'), id);
-- Failed jobs and undelivered webhooks are few, and queries look for them among many others.
CREATE INDEX video_jobs_not_completed ON video_jobs (wallet_id, id) WHERE state <> 'completed';
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (wallet_id, id) WHERE delivered_at IS NULL;
