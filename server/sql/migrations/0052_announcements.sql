-- Changed prices and retirement dates that customers are told about. The row is added with the change itself; a worker
-- then tells the customers in the order of their wallets.
CREATE TABLE announcements (
  id uuid PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('change', 'reminder')),
  created_at timestamptz NOT NULL,
  told_up_to uuid,        -- the last wallet that the worker has reached; null: none yet
  finished_at timestamptz -- null: the worker has customers left
);
CREATE INDEX announcements_open ON announcements (created_at) WHERE finished_at IS NULL;
CREATE INDEX announcements_newest ON announcements (created_at DESC, id DESC);

CREATE TABLE announced_models (
  announcement_id uuid NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
  model_id text NOT NULL,
  change jsonb NOT NULL, -- the name of the model, changed prices, and the retirement date
  PRIMARY KEY (announcement_id, model_id)
);

-- The customers that were told, each once, with the models that they used.
CREATE TABLE announced_customers (
  announcement_id uuid NOT NULL REFERENCES announcements (id) ON DELETE CASCADE,
  wallet_id uuid NOT NULL REFERENCES wallets (id) ON DELETE CASCADE,
  models text[] NOT NULL,
  mails integer NOT NULL, -- how many people got an email
  told_at timestamptz NOT NULL,
  PRIMARY KEY (announcement_id, wallet_id)
);
CREATE INDEX announced_customers_wallet ON announced_customers (wallet_id, told_at DESC);

-- Retirement dates that customers were reminded of. A model whose date moves is announced again.
CREATE TABLE retirement_reminders (
  model_id text NOT NULL,
  retires_on date NOT NULL,
  PRIMARY KEY (model_id, retires_on)
);

-- Notices in the console that a person has dismissed.
CREATE TABLE notice_dismissals (
  announcement_id uuid NOT NULL,
  wallet_id uuid NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  PRIMARY KEY (announcement_id, wallet_id, user_id),
  FOREIGN KEY (announcement_id, wallet_id) REFERENCES announced_customers (announcement_id, wallet_id) ON DELETE CASCADE
);
CREATE INDEX notice_dismissals_user ON notice_dismissals (user_id);
