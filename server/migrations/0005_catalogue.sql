-- What can be called and what it costs. Prices are never edited: a change adds a row, and every charge names the row it
-- used, so that a receipt can be computed again years later.

CREATE TABLE models (
  id                    text PRIMARY KEY CHECK (id = lower(id)), -- author/name, perhaps with a suffix such as :free
  name                  text NOT NULL,
  author                text NOT NULL,
  kind                  text NOT NULL CHECK (kind IN
    ('chat', 'image', 'video', 'embedding', 'speech', 'transcription', 'rerank', 'realtime')),
  description           text,
  context_length        bigint,
  max_completion_tokens bigint,
  input_modalities      text[] NOT NULL,
  output_modalities     text[] NOT NULL CHECK (output_modalities <@
    ARRAY['text', 'image', 'embeddings', 'audio', 'video', 'rerank', 'speech', 'transcription']),
  supported_parameters  text[],
  default_provider      text,   -- whose price the listing shows
  upstream_model        text,
  aliases               text[] NOT NULL DEFAULT '{}',
  release_date          date,
  retires_on            date,
  listed                boolean NOT NULL DEFAULT true, -- false: known and callable, but not shown
  details               jsonb NOT NULL DEFAULT '{}'   -- facts for listings only: canonical slug, media limits, knowledge cutoff
);

-- One host's way of serving a model; several hosts may sell the same one.
CREATE TABLE offers (
  model_id              text NOT NULL REFERENCES models (id) ON DELETE CASCADE,
  provider              text NOT NULL,
  variant               text NOT NULL DEFAULT '', -- region or service tier where one host sells several
  upstream_model        text NOT NULL,
  context_length        bigint,
  max_completion_tokens bigint,
  quantization          text,
  active                boolean NOT NULL DEFAULT true,
  PRIMARY KEY (model_id, provider, variant)
);

CREATE TABLE prices (
  id          uuid PRIMARY KEY,
  model_id    text NOT NULL,
  provider    text NOT NULL,
  variant     text NOT NULL DEFAULT '',
  units       jsonb NOT NULL, -- unit name to exact decimal USD per one unit, as a string; none: no longer priced
  tiers       jsonb NOT NULL DEFAULT '[]', -- ascending; each has abovePromptTokens and the units that hold above it
  valid_from  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX prices_current ON prices (model_id, provider, variant, valid_from DESC);
