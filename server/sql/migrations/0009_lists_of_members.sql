-- A member lists the own videos, and those of one key are listed by themselves, in a wallet that many share.
CREATE INDEX video_jobs_member ON video_jobs (wallet_id, (asker ->> 'memberId'), id);
CREATE INDEX video_jobs_key ON video_jobs (wallet_id, (asker ->> 'keyId'), id);
-- Jobs that failed and calls that did not arrive are few, and looked for among many others.
CREATE INDEX video_jobs_not_completed ON video_jobs (wallet_id, id) WHERE state <> 'completed';
CREATE INDEX webhook_deliveries_undelivered ON webhook_deliveries (wallet_id, id) WHERE delivered_at IS NULL;
