-- What a video is made from is its client's content. It is sealed while its job runs, and is gone once the job is over.
-- The key is not in the database, so jobs that are open now keep their task in clear until they end.
ALTER TABLE video_jobs ALTER COLUMN task DROP NOT NULL;
UPDATE video_jobs SET task = NULL WHERE state IN ('completed', 'failed');
ALTER TABLE video_jobs ADD CONSTRAINT video_jobs_task CHECK ((task IS NULL) = (state IN ('completed', 'failed')));
