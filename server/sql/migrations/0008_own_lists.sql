-- Lists the videos and webhooks of a wallet, newest first.
CREATE INDEX video_jobs_wallet ON video_jobs (wallet_id, id);
CREATE INDEX webhook_deliveries_wallet ON webhook_deliveries (wallet_id, id);
-- Finds the webhook of one job to resend it.
CREATE INDEX webhook_deliveries_job ON webhook_deliveries (job_id);
