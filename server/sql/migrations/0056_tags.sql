-- What requests of a wallet are for, in the words of their senders, such as team=search.
CREATE TABLE wallet_tags (
  id uuid PRIMARY KEY,
  wallet_id uuid NOT NULL REFERENCES wallets (id),
  name text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  UNIQUE (wallet_id, name, value)
);

-- How many tags a wallet has, so that its maximum is judged without counting them. `find_or_create_tag` keeps it.
CREATE TABLE wallet_tag_counts (
  wallet_id uuid PRIMARY KEY REFERENCES wallets (id),
  tags bigint NOT NULL DEFAULT 0
);

-- Sorted, so that the same tags are the same series of usage.
ALTER TABLE generations ADD COLUMN tag_ids uuid[];
ALTER TABLE usage_series ADD COLUMN tag_ids uuid[];
