-- Some models are sold through one interface of their provider alone, such as OpenAI's Responses. Null: the usual one.
ALTER TABLE offers ADD COLUMN api text CHECK (api IN ('responses'));

-- The interface that the operator wants an account's conversations to go through. Null: as the offers say.
ALTER TABLE provider_accounts ADD COLUMN api text CHECK (api IN ('responses'));
