-- Uploaded files and the files that batches write. The bytes are sealed blobs; without `sealed_key` they are
-- unreadable, so deleting a row erases its file.
CREATE TABLE files (
  id uuid PRIMARY KEY,
  wallet_id uuid NOT NULL,
  -- The member or team whose key created it. Null for the other keys of a wallet.
  owner_id uuid,
  -- The person whose key it was. Null for other keys of an organization.
  user_id uuid,
  purpose text NOT NULL CHECK (purpose IN ('batch', 'batch_output', 'message_batch', 'message_batch_results')),
  name text NOT NULL,
  byte_count bigint NOT NULL,
  -- Null once the person whose file it was is deleted.
  sealed_key jsonb,
  -- False while it is written. A gateway that dies leaves such a row, which expires after a day.
  is_complete boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE INDEX files_expiry ON files (expires_at);
CREATE INDEX files_wallet ON files (wallet_id, id);
CREATE INDEX files_user ON files (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX files_unfinished ON files (created_at) WHERE NOT is_complete;
